import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseFields } from '../../../core/experiment/plan/fields.js';
import { SITUATION_FIELDS } from '../../../core/experiment/plan/situation.js';
import { adviseRecording } from '../../../core/recording/advice.js';
import {
  formatRecordingCsv,
  formatRecordingJson,
  formatRecordingMarkdown,
  formatRecordingText,
} from '../../../core/recording/export.js';
import { readRecording } from '../../../core/recording/recording.js';
import { situationOf } from '../../../core/recording/situation.js';
import { useGolden } from '../../support/golden.js';
import { entryOf, harOf, pollEntries } from '../../support/har.js';

const matchGolden = useGolden(import.meta.url);

const POLLS = [
  ...pollEntries({
    answer: (i) => ({
      url: `https://secret-origin.example/orders|x?since=${i}`,
      body: i % 10 === 0 ? '[{"secret":"in the body"}]' : '[]',
      requestHeaders: { Authorization: 'secret in a head' },
    }),
    count: 100,
    everyMs: 2000,
    by: 'pause',
  }),
  ...pollEntries({ answer: () => ({ url: 'https://shop.example/=cmd', body: '[]' }), count: 30, everyMs: 5000 }),
];
const OTHERS = [
  entryOf({ url: 'wss://secret-origin.example/live', status: 101, type: 'websocket' }),
  ...['/user', '/cart', '/prices'].map((path, i) =>
    entryOf({ url: `https://shop.example${path}`, atMs: 110 * i, ms: 100, body: '{}' }),
  ),
];

/** @param {readonly any[]} entries */
async function readAll(entries) {
  const recording = await readRecording(harOf(entries));
  return { recording, advice: adviseRecording(recording, { users: 1000 }) };
}

describe('the exports of a recording', () => {
  it('are JSON, with the polls as they were counted', async () => {
    const read = await readAll([...POLLS, ...OTHERS]);
    const { polls, headline, totals, situation, webSockets, chains, basis } = JSON.parse(formatRecordingJson(read));
    const { pattern, count, nothingNewShare, headBytes, bodyBytes, httpVersion, advice, ...rest } = polls[0];
    assert.deepEqual([pattern, count, nothingNewShare, headBytes], ['/orders|x?since=*', 100, 0.9, 800]);
    assert.ok(bodyBytes > 2 && httpVersion === 'HTTP/1.1');
    assert.deepEqual([advice.word, advice.then.predicted], ['socket', true]);
    assert.deepEqual(['dots' in rest, rest.origin, webSockets[0].origin], [false, 1, 1]);
    assert.deepEqual([headline, totals], [read.advice.headline, read.advice.totals]);
    assert.equal(situation.situation.intervalMs, 2000);
    assert.deepEqual([webSockets.length, chains[0].patterns.length, basis.length > 0], [1, 3, true]);
  });

  it('number the origins of all that they list, where there are several, and only there', async () => {
    const held = pollEntries({
      ...{ count: 9, everyMs: 2, by: 'pause' },
      answer: (i) => ({ url: 'https://chat.example/held', body: '[]', ms: [25_000, 3000, 9000][i % 3] }),
    });
    const several = await readAll([...POLLS, ...OTHERS, ...held]);
    const { longPolls, chains } = JSON.parse(formatRecordingJson(several));
    assert.deepEqual([longPolls[0].origin, chains[0].origins], [3, [2, 2, 2]]);
    for (const format of [formatRecordingMarkdown, formatRecordingText]) {
      assert.match(format(several), /origin 3 \/held/);
      assert.match(format(several), /origin 2 \/user, origin 2 \/cart/);
    }
    const alone = await readAll(OTHERS.filter(({ request }) => request.url.includes('shop')));
    assert.ok(!('origins' in JSON.parse(formatRecordingJson(alone)).chains[0]));
  });

  it('are CSV, a line for each poll, none of which is a formula', async () => {
    const lines = formatRecordingCsv(await readAll(POLLS)).split('\r\n');
    assert.deepEqual(lines.length, 1 + 2 + 1);
    const [names, first] = lines.map((line) => line.split(','));
    assert.equal(first[names.indexOf('count')], '100');
    assert.equal(first[names.indexOf('nothing_new_share')], '0.9');
    assert.ok(!lines.some((line) => /(^|,)[=+@]/.test(line)));
  });

  it('are Markdown, and text for a terminal', async (t) => {
    const read = await readAll([...POLLS, ...OTHERS]);
    matchGolden(t, 'recording', [formatRecordingMarkdown(read), formatRecordingText(read)]);
  });

  it('have no origin, header or body', async () => {
    const read = await readAll([...POLLS, ...OTHERS]);
    for (const format of [formatRecordingJson, formatRecordingCsv, formatRecordingMarkdown, formatRecordingText])
      assert.doesNotMatch(format(read), /secret|\.example/);
  });

  it('have the names of parameters, and no value, wherever an address stands', async () => {
    const query = 'user=alice&password=swordfish&token=abcdefghijklmnopqrstuvwxyz';
    const urlOf = (/** @type {string} */ path) => `https://shop.example/${path}?${query}`;
    const read = await readAll([
      ...pollEntries({ answer: () => ({ url: urlOf('inbox'), body: '[]' }), count: 30, everyMs: 2000 }),
      ...pollEntries({
        ...{ count: 9, everyMs: 2, by: 'pause' },
        answer: (i) => ({ url: urlOf('held'), body: '[]', ms: [25_000, 3000, 9000][i % 3] }),
      }),
      entryOf({ url: urlOf('live').replace('https', 'wss'), status: 101, type: 'websocket' }),
      entryOf({ url: urlOf('events'), type: 'eventsource', mimeType: 'text/event-stream' }),
      ...[0, 1, 2].map((i) => entryOf({ url: urlOf(`step-${'abc'[i]}`), atMs: 700 + 110 * i, ms: 100, body: '{}' })),
    ]);
    const { polls, longPolls, webSockets, eventStreams, chains } = read.recording;
    assert.deepEqual(
      [polls, longPolls, webSockets, eventStreams, chains].map(({ length }) => length),
      [1, 1, 1, 1, 1],
    );
    for (const format of [formatRecordingJson, formatRecordingCsv, formatRecordingMarkdown, formatRecordingText]) {
      assert.doesNotMatch(format(read), /alice|swordfish|abcdefghi/);
      assert.match(format(read), /password=\\?\*/);
    }
    assert.match(polls[0].pattern, /swordfish/);
  });

  it('show a dash for what no answer tells', async () => {
    const read = await readAll(pollEntries({ answer: () => ({ status: 500 }), count: 30, everyMs: 2000 }));
    const [{ poll, word }] = read.advice.polls;
    assert.deepEqual([poll.failedCount, poll.nothingNewShare, word], [30, undefined, 'leave']);
    for (const format of [formatRecordingJson, formatRecordingCsv, formatRecordingMarkdown, formatRecordingText])
      assert.doesNotMatch(format(read), /100%|NaN|undefined|nothingNewShare/);
    assert.match(formatRecordingText(read), /\(timer\) +[\d,]+ +– /);
  });

  it('name a method for the sum only where all polls get it', async () => {
    const left = pollEntries({ answer: () => ({ status: 500 }), count: 30, everyMs: 2000 });
    const [alone, mixed] = await Promise.all([POLLS, [...POLLS, ...left]].map(readAll));
    assert.deepEqual(new Set(mixed.advice.polls.map(({ word }) => word)), new Set(['event-stream', 'leave']));
    assert.match(formatRecordingText(alone), /requests and messages by push \(predicted\)/);
    assert.match(formatRecordingText(mixed), /requests and messages if you follow the advice \(predicted\)/);
  });

  it('do not control a terminal', async () => {
    const read = await readAll(
      pollEntries({
        answer: () => ({ url: 'https://shop.example/\u001b[31m\u202e', body: '[]' }),
        count: 9,
        everyMs: 999,
      }),
    );
    read.recording.createdBy = 'a\u001b[31m\nb';
    const shown = formatRecordingText(read);
    assert.ok(!['\u001b', '\u202e'].some((one) => shown.includes(one)));
  });
});

describe('the situation of a recording', () => {
  it('is that of the home page’s test, with a link that the test reads', async () => {
    const { recording } = await readAll(POLLS);
    const found = situationOf(recording);
    assert.ok(found);
    const { situation, link } = found;
    assert.deepEqual(situation, { does: 'asks', intervalMs: 2000, polls: 'pause', uses: 'fetch', newsMs: 22_000 });
    const parsed = parseFields(new URL(link, 'https://site.example').searchParams, SITUATION_FIELDS);
    assert.deepEqual({ ...parsed, ...situation }, parsed);
    assert.doesNotMatch(link, /orders|secret/);
  });

  it('has the size of news, but not of what is as small as news of a test', async () => {
    const sizes = [200, 2345, 90_000].map(async (bytes) => {
      const polls = pollEntries({
        answer: (i) => ({ url: 'https://shop.example/orders', body: i % 5 ? '[]' : String(i).padEnd(bytes) }),
        count: 40,
        everyMs: 2000,
      });
      return situationOf((await readAll(polls)).recording)?.situation.newsBytes;
    });
    assert.deepEqual(await Promise.all(sizes), [200, 2300, 64_000]);
    assert.equal(situationOf((await readAll(POLLS)).recording)?.situation.newsBytes, undefined);
  });

  it('is of a page that sends, too, or uses jQuery, where it does', async () => {
    const sends = [1, 5, 20].map((s) =>
      entryOf({ url: 'https://shop.example/say', method: 'POST', sent: '{}', atMs: 1000 * s, body: '{}' }),
    );
    const jquery = pollEntries({
      answer: (i) => ({ url: `https://shop.example/x?_=${1_700_000_000_000 + i}`, body: '[]' }),
      count: 20,
      everyMs: 700,
    });
    const { situation } = situationOf((await readAll([...jquery, ...sends])).recording) ?? {};
    assert.deepEqual([situation?.does, situation?.uses, situation?.polls], ['asks-and-sends', 'ajax', 'timer']);
  });

  it('has bounds, as the test has, and is not there for a page that does not poll, or has too few answers', async () => {
    const quick = pollEntries({ answer: () => ({ body: '[]', ms: 5 }), count: 50, everyMs: 60 });
    assert.equal(situationOf((await readAll(quick)).recording)?.situation.intervalMs, 100);
    assert.equal(situationOf((await readAll(OTHERS)).recording), undefined);
    const failing = pollEntries({ answer: (i) => ({ status: i < 3 ? 200 : 500 }), count: 30, everyMs: 2000 });
    assert.equal(situationOf((await readAll(failing)).recording), undefined);
  });
});
