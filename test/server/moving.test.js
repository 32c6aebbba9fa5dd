import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { createMovings } from '../../server/moving.js';
import { openServer } from '../support/server.js';

const FOLDER = 'examples';
/** More is not read. */
const MAX_LINES = 30;

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
    const [sockjs, socketio] = ['sockjs', 'socketio'].map((name) => movings.get(`/moving/${name}`)?.());
    const [, measured] = /connection per user: ([\d.]+) MB/.exec(readFileSync('docs/jobs.md', 'utf8')) ?? [];
    assert.deepEqual(
      sockjs?.memory?.rows.map(({ pageCount, mb }) => [pageCount, mb.toFixed(1)]),
      [1000, 10_000, 100_000].map((count) => [count, ((Number(measured) * count) / 1000).toFixed(1)]),
    );
    assert.equal(socketio?.memory, undefined);
  });

  it('show all examples, each short', () => {
    const shown = [...createMovings().values()].flatMap((read) =>
      read().examples.flatMap(({ steps }) => steps.flatMap(({ codes }) => codes.map(({ text }) => text))),
    );
    const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'));
    for (const file of files) {
      const text = readFileSync(path.join(FOLDER, file), 'utf8');
      assert.ok(shown.includes(text), file);
      assert.ok(text.split('\n').length - 1 <= MAX_LINES, file);
    }
  });
});
