import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { InvalidInputError } from '../../../core/base/foreign-text.js';
import { readRecording } from '../../../core/recording/recording.js';
import { entryOf, harOf, pollEntries } from '../../support/har.js';

const ENTRIES = pollEntries({ answer: () => ({ body: '[]' }), count: 40, everyMs: 2000 });
const WHOLE = harOf(ENTRIES);

/** @param {string} text @returns {Promise<Error>} */
async function refusal(text) {
  const error = await readRecording(text).catch((reason) => reason);
  assert.ok(error instanceof InvalidInputError, `expected a refusal, got ${JSON.stringify(error)}`);
  return error;
}

/** @param {string} text @returns {Promise<string>} all problems */
async function problemsOf(text) {
  return (await readRecording(text)).problems.map((problem) => `${problem.count}x ${problem.text}`).join('\n');
}

describe('a HAR file', () => {
  it('is read without a problem, with spaces or without, and with a byte-order mark', async () => {
    for (const text of [WHOLE, JSON.stringify(JSON.parse(WHOLE), null, 2), `\ufeff${WHOLE}`]) {
      const { requests, problems, createdBy, polls } = await readRecording(text);
      assert.deepEqual([requests, problems, createdBy, polls.length], [40, [], 'WebInspector 537.36', 1]);
    }
  });

  it('may have its parts in any order, and words of its format within texts', async () => {
    const odd = entryOf({ url: 'https://shop.example/a', body: '{"log":{"entries":[{"}]\\\\\\"' });
    const text = JSON.stringify({ log: { entries: [odd, ...ENTRIES], pages: [{ entries: [1, 2] }], version: '1.1' } });
    const { requests, problems } = await readRecording(text);
    assert.deepEqual([requests, problems], [41, []]);
  });

  for (const [name, text, got] of [
    ['is empty', '', 'an empty file'],
    ['is a page', '<!doctype html>', '“<!doctype html>”'],
    ['is a list', '[1]', '“[1]”'],
    ['is other JSON', '{"plan":{"entries":[]}}', 'JSON without “log.entries”'],
    ['breaks off, and is none', '{"plan":{', 'JSON that breaks off'],
    ['has no request', harOf([]), 'one without'],
    ['has none that can be read', harOf([{ request: { method: 'GET', url: 'x' } }, null]), 'no request is left'],
    ['is of another version', harOf(ENTRIES, { version: '2.0' }), '“2.0”'],
    ['has control characters', '\u001b[31m', '“\\u{1b}[31m”'],
  ]) {
    it(`that ${name} is refused: what was expected, what came`, async () => {
      const { message } = await refusal(text);
      assert.match(message, /^Expected .* got /);
      assert.ok(message.includes(got), message);
      assert.doesNotMatch(message, /\. /);
    });
  }

  it('that breaks off before its first request is refused in one sentence, wherever it does', async () => {
    for (const text of ['{"log":{"version":"1.2"', '{"log":{"entries":[{"startedDateTime":"2026-']) {
      const { message } = await refusal(text);
      assert.match(message, /^This file breaks off before its first request[^.]*\.$/);
    }
  });

  it('that breaks off is read as far as it is whole', async () => {
    for (const share of [0.2, 0.5, 0.9, 0.999]) {
      const text = WHOLE.slice(0, share * WHOLE.length);
      const { requests, problems } = await readRecording(text);
      assert.equal(requests, text.split('startedDateTime').length - 2);
      assert.equal(problems.length, 1);
      assert.match(problems[0].text, new RegExp(`after ${requests} requests`));
    }
  });

  it('loses the requests that cannot be used, each kind in one sentence', async () => {
    const wrong = [
      { ...ENTRIES[0], startedDateTime: 'yesterday' },
      { ...ENTRIES[0], startedDateTime: undefined },
      { ...ENTRIES[0], request: { method: 'GET', url: 'not an address' } },
      { ...ENTRIES[0], request: null },
      {},
      null,
    ];
    const { requests, problems } = await readRecording(harOf([...wrong, ...ENTRIES]));
    assert.equal(requests, 40);
    assert.deepEqual(
      problems.map(({ count }) => count),
      [2, 3],
    );
    for (const { text } of problems) assert.match(text, /^Expected .* got .*\.$/);
  });

  it('leaves out what a page has within itself, without a word', async () => {
    const inline = ['data:image/png;base64,AA', 'blob:https://shop.example/1', 'about:blank'].map((url) =>
      entryOf({ url }),
    );
    const { requests, problems } = await readRecording(harOf([...ENTRIES, ...inline]));
    assert.deepEqual([requests, problems], [40, []]);
  });

  it('says so where times are negative, requests out of order, or there is only one', async () => {
    const negative = ENTRIES.map((entry, i) => (i === 3 ? { ...entry, time: -5 } : entry));
    assert.match(await problemsOf(harOf(negative)), /^1x Expected the time .* got a negative one/);
    const mixed = await readRecording(harOf([...ENTRIES].reverse()));
    assert.match(mixed.problems[0].text, /39 requests before an earlier one/);
    assert.deepEqual(mixed.polls, (await readRecording(WHOLE)).polls);
    assert.match(await problemsOf(harOf(ENTRIES.slice(0, 1))), /^1x Expected many requests, got 1/);
  });

  it('reports its progress, and ends when it is told to', async () => {
    const text = harOf(
      Array.from({ length: 30_000 }, (_, i) => entryOf({ atMs: i, url: `https://shop.example/${i}` })),
    );
    /** @type {number[]} */
    const shares = [];
    await readRecording(text, { onProgress: (share) => void shares.push(share) });
    assert.deepEqual(shares, [...shares].sort());
    assert.equal(shares.at(-1), 1);
    const controller = new AbortController();
    const until = controller.signal;
    const stopped = readRecording(text, { onProgress: () => controller.abort(new Error('told to')), until });
    await assert.rejects(stopped, /told to/);
  });
});

describe('a hostile HAR file', () => {
  it('may nest as deep as it likes', async () => {
    const deep = '['.repeat(2_000_000);
    await refusal(`{"log":{"version":"1.2","entries":${deep}`);
    await refusal(`{"a":${deep}`);
    const closed = `{"x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    const text = WHOLE.replace('"entries":[', `"entries":[${closed},`);
    assert.match(await problemsOf(text), /^1x Expected at most 1000 levels/);
  });

  it('may have a million entries', async () => {
    const { message } = await refusal(`{"log":{"version":"1.2","entries":[${'{},'.repeat(1_000_000)}{}]}}`);
    assert.match(message, /no request is left/);
  });

  it('may have addresses, names and texts that are code, patterns or endless', async () => {
    const urls = [
      'https://shop.example/<script>alert(1)</script>',
      `https://shop.example/${'a'.repeat(1_000_000)}`,
      `https://shop.example/?${'x=1&'.repeat(100_000)}`,
      `https://shop.example/${'1-'.repeat(100_000)}`,
      'https://shop.example/__proto__/constructor?__proto__=1',
    ];
    const long = `"${'9'.repeat(1_000_000)}`;
    const entries = urls.flatMap((url) =>
      pollEntries({ answer: () => ({ url, body: long }), count: 10, everyMs: 1000 }),
    );
    const startedMs = Date.now();
    const { polls } = await readRecording(harOf(entries));
    assert.ok(Date.now() - startedMs < 20_000);
    for (const { pattern } of polls) assert.ok(pattern.length < 5000 && !pattern.includes('<'), pattern.slice(0, 100));
  });

  it('may end within an endless row of backslashes', async () => {
    const { requests } = await readRecording(`${WHOLE.slice(0, -3)},{"a":"${'\\'.repeat(1_000_001)}`);
    assert.equal(requests, 40);
  });
});
