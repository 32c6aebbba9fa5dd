import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { createMovings, readChange, scaleMemory } from '../../server/moving.js';
import { openServer } from '../support/server.js';

const FOLDER = 'examples';
/** More is not read. */
const MAX_LINES = 30;
/** What fits beside other code, in a window of 1152 px. */
const MAX_COLUMNS = 62;

describe('the pages about moving', () => {
  it('are one for each method, with a link to each other', async () => {
    const server = await openServer();
    try {
      const paths = [...createMovings().keys()];
      assert.deepEqual(
        paths,
        ['sse', 'long-poll', 'ws', 'sockjs', 'socketio'].map((name) => `/moving/${name}`),
      );
      for (const one of paths) {
        const response = await fetch(server.origin + one);
        assert.equal(response.status, 200, one);
        const html = await response.text();
        for (const other of paths) assert.equal(html.includes(`href="${other}"`), other !== one, `${one}: ${other}`);
      }
      for (const none of ['nothing', 'before'])
        assert.equal((await fetch(`${server.origin}/moving/${none}`)).status, 404);
    } finally {
      await server.close();
    }
  });

  it('say what connections take, as far as the documentation has measured it', () => {
    const movings = createMovings();
    const [sockjs, socketio] = ['sockjs', 'socketio'].map((name) => movings.get(`/moving/${name}`)?.memory);
    const memories = JSON.parse(readFileSync('server/connection-memory.json', 'utf8'));
    assert.equal(sockjs?.mbPerPage, memories.sockjs.mbPerThousand / 1000);
    const document = readFileSync('docs/jobs.md', 'utf8');
    for (const { command, mbPerThousand, usersCount } of Object.values(memories)) {
      const figure = document.slice(document.indexOf(command)).split('```')[1];
      assert.ok(figure.includes(`: ${mbPerThousand.toFixed(1)} MB (measured with ${usersCount} users)`), command);
    }
    assert.equal(socketio, undefined);
    const memory = { mbPerPage: 0.0634, command: '', usersCount: 500 };
    assert.deepEqual(
      scaleMemory(memory).map((row) => [row.count, row.memory]),
      [
        ['1,000', '63 MB'],
        ['10,000', '634 MB'],
        ['100,000', '6.3 GB'],
      ],
    );
    const own = scaleMemory(memory, 25_000).find(({ isOwn }) => isOwn);
    assert.deepEqual([own?.count, own?.memory], ['25,000', '1.6 GB']);
  });

  it('calculate for the users in their link, and say what a link may have', async () => {
    const server = await openServer();
    try {
      const read = async (/** @type {string} */ query) => {
        const response = await fetch(`${server.origin}/moving/ws?${query}`);
        const html = await response.text();
        const [, field] = /<input name="users"[^>]* value="([^"]*)"/.exec(html) ?? [];
        const [, problem] = /id="users-error" role="alert">([^<]*)/.exec(html) ?? [];
        const isMarked = html.includes('aria-invalid="true"');
        return { status: response.status, field, problem, isMarked, rowCount: html.split('<tr>').length - 1 };
      };
      const usual = await read('');
      assert.equal(usual.isMarked, false);
      assert.deepEqual(await read('users=25000'), { ...usual, field: '25000', rowCount: usual.rowCount + 1 });
      // It is there already.
      assert.deepEqual(await read('users=10000'), { ...usual, field: '10000' });
      assert.deepEqual(await read('users='), usual);
      for (const wrong of ['0', '1.5', '<b>', '1&users=2']) {
        const { status, problem, ...rest } = await read(`users=${wrong}`);
        assert.deepEqual([status, rest.rowCount, rest.isMarked], [400, usual.rowCount, true], wrong);
        assert.match(String(problem), /^users: expected .*\.$/, wrong);
        assert.ok(rest.field && !rest.field.includes('<'), wrong);
      }
    } finally {
      await server.close();
    }
  });

  it('show each code once', () => {
    for (const [page, { examples }] of createMovings()) {
      const texts = examples.flatMap(({ steps }) => steps.flatMap(({ codes, more }) => [...codes, ...more]));
      assert.equal(new Set(texts.map(({ text }) => text)).size, texts.length, page);
    }
  });

  it('show all examples, with the page that reads a recording, each short', () => {
    const shown = [...createMovings().values()].flatMap((page) =>
      page.examples.flatMap(({ steps }) =>
        steps.flatMap(({ codes, more }) => [...codes, ...more].map(({ text }) => text)),
      ),
    );
    shown.push(...readChange('sse').befores.map(({ text }) => text));
    const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\.(?:js|conf)$/.test(name),
    );
    for (const file of files) {
      const text = readFileSync(path.join(FOLDER, file), 'utf8');
      assert.ok(shown.includes(text), file);
      const lines = text.trimEnd().split('\n');
      assert.ok(lines.length <= MAX_LINES, file);
      assert.ok(
        lines.every(({ length }) => length <= MAX_COLUMNS),
        file,
      );
    }
  });
});
