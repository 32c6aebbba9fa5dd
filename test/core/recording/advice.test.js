import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRandom } from '../../../core/base/random.js';
import { adviseRecording } from '../../../core/recording/advice.js';
import { createExample } from '../../../core/recording/example.js';
import { readRecording } from '../../../core/recording/recording.js';
import { RULES } from '../../../core/recording/rules.js';
import { situationOf } from '../../../core/recording/situation.js';
import { withHost, withNumber } from '../../../core/recording/sites.js';
import { useGolden } from '../../support/golden.js';
import { entryOf, harOf, pollEntries } from '../../support/har.js';

/** @import { Answer, Polling } from '../../support/har.js' */

const matchGolden = useGolden(import.meta.url);

/** News every `each` polls. @param {number} each @returns {(i: number) => Answer} */
const newsEach = (each) => (i) => ({ body: i % each === 1 ? JSON.stringify([{ id: i }]) : '[]' });

/** @param {Partial<Polling>} [polling] */
const orders = (polling) => pollEntries({ answer: newsEach(16), count: 160, everyMs: 2000, by: 'pause', ...polling });

const SOCKET = entryOf({ url: 'wss://shop.example/live', status: 101, type: 'websocket' });

/** @param {readonly any[]} entries @param {Parameters<typeof adviseRecording>[1]} [options] */
const advise = async (entries, options) => adviseRecording(await readRecording(harOf(entries)), options);

const random = createRandom(7);

/** A recording of which each rule is the first that holds. @type {Record<string, any[]>} */
const CASES = {
  'few-answers': orders({ count: 3 }),
  reports: orders({ answer: (i) => ({ method: 'POST', sent: `{"at":${i}}`, status: 204, size: 0 }) }),
  heavy: orders({ answer: (i) => ({ body: 'x'.repeat(i % 16 === 1 ? 30_001 : 30_000) }), everyMs: 15_000 }),
  seldom: orders({ everyMs: 30_000 }),
  'always-new': orders({ answer: (i) => ({ body: `{"price":${i}}` }) }),
  'no-news': orders({ answer: () => ({ body: '[]' }), count: 320 }),
  'socket-open': [...orders(), SOCKET],
  sends: [
    ...orders(),
    ...pollEntries({
      answer: (i) => ({ url: `https://shop.example/say`, method: 'POST', sent: `{"n":${i}}`, body: '{"ok":1}' }),
      count: 120,
      everyMs: 0,
      intervalOf: () => -3000 * Math.log(1 - random()),
    }),
  ],
  push: orders(),
};

describe('the advice on a poll', () => {
  it('has a case here for each rule', () =>
    assert.deepEqual(
      Object.keys(CASES),
      RULES.map(({ name }) => name),
    ));

  for (const { name, word } of RULES) {
    it(`follows the rule “${name}”: ${word}`, async (t) => {
      const { polls, headline, main } = await advise(CASES[name]);
      assert.deepEqual([polls[0].rule, polls[0].word], [name, word]);
      assert.equal(main, polls[0]);
      const { now, then } = polls[0];
      if (word === 'leave') assert.deepEqual(then, now);
      else assert.ok(then.bytesPerHour < now.bytesPerHour && then.requestsPerHour <= now.requestsPerHour);
      matchGolden(t, 'recording', [headline, polls[0].reason]);
    });
  }

  it('does not count a break as time without news: in a rule, in a note, and in the test of the home page', async () => {
    const silent = (/** @type {Partial<Polling>} */ own) =>
      orders({ answer: () => ({ body: '[]' }), count: 12, ...own });
    const recording = await readRecording(harOf([...silent({}), ...silent({ fromMs: 3_600_000 })]));
    const [poll] = recording.polls;
    assert.ok(recording.seconds > 3600 && Math.abs(poll.observedMs - 22 * 2100) < 1000, String(poll.observedMs));
    assert.notEqual(adviseRecording(recording).polls[0].rule, 'no-news');
    assert.ok(
      recording.notes.some(
        ({ code, text }) => code === 'short' && text.includes(` ${Math.round(poll.observedMs / 1000)} seconds`),
      ),
    );
    assert.equal(situationOf(recording)?.situation.newsMs, 1000 * Math.round(poll.observedMs / 1000));
  });

  it('is for quick polls as without news, until the recording is long enough to tell', async () => {
    const { polls } = await advise(orders({ answer: () => ({ body: '[]' }) }));
    assert.equal(polls[0].word, 'event-stream');
  });
});

describe('the figures of the advice', () => {
  it('are those of the model: half a period, a message per news, heartbeats, openings', async () => {
    const answer = (/** @type {number} */ i) => ({ ...newsEach(16)(i), ms: 190, connectMs: i === 0 ? 60 : -1 });
    const { polls } = await advise(orders({ answer, everyMs: 2000, count: 160 }));
    const { now, then, poll } = polls[0];
    const perHour = 3_600_000 / 2190;
    assert.ok(Math.abs(now.requestsPerHour - perHour) < 1);
    assert.ok(Math.abs(now.delayMs - (2190 / 2 + 30)) < 1);
    assert.equal(then.delayMs, 30);
    assert.ok(Math.abs(then.requestsPerHour - (perHour / 16 + 144 + 6 * 2)) < 1);
    assert.ok(Math.abs(now.bytesPerHour - perHour * (800 + poll.bodyBytes)) < 2000);
    const [message, opening, heartbeat] = [poll.newBodyBytes + 30, 800, 8];
    assert.ok(Math.abs(then.bytesPerHour - ((perHour / 16) * message + 6 * opening + 144 * heartbeat)) < 200);
  });

  it('count the connection of push once, whatever goes over it', async () => {
    const inbox = pollEntries({
      answer: (i) => ({ ...newsEach(50)(i), url: 'https://shop.example/inbox' }),
      count: 70,
      everyMs: 5000,
    });
    const { polls, totals } = await advise([...orders(), ...inbox]);
    assert.deepEqual(
      polls.map(({ word }) => word),
      ['event-stream', 'event-stream'],
    );
    assert.ok(Math.abs(polls[1].then.requestsPerHour - 720 * (2 / 70)) < 1);
    assert.notEqual(polls[0].label, polls[1].label);
    for (const when of /** @type {const} */ (['now', 'then'])) {
      const sum = polls[0][when].requestsPerHour + polls[1][when].requestsPerHour;
      assert.equal(totals[when].requestsPerHour, sum);
    }
  });

  it('are requests per second for as many users as there are', async () => {
    const { totals } = await advise(orders({ by: 'timer' }), { users: 7200 });
    assert.equal(totals.users, 7200);
    assert.ok(Math.abs(totals.now.requestsPerSecond - 3600) < 10);
    assert.equal((await advise(orders())).totals.users, 100);
  });

  it('say of each whether it is counted or predicted', async () => {
    const { basis, polls } = await advise(orders());
    assert.deepEqual(
      basis.map(({ figure, by }) => `${figure} ${by}`),
      [
        'now.requestsPerHour counted',
        'now.delayMs predicted',
        'then.requestsPerHour predicted',
        'then.bytesPerHour predicted',
      ],
    );
    assert.equal(polls[0].predicted, true);
  });
});

describe('the advice on a connection', () => {
  const EVENTS = { type: 'eventsource', mimeType: 'text/event-stream' };
  const isOther = (/** @type {any} */ entry) => advise([...orders(), entry]);

  it('is about those of the same origin that have opened', async () => {
    const [alone] = (await advise(orders())).polls;
    for (const entry of [
      entryOf({ url: 'wss://chat.thirdparty.example/', status: 101, type: 'websocket' }),
      entryOf({ url: 'wss://shop.example/live', status: 0, type: 'websocket' }),
      entryOf({ url: 'https://shop.example/events', status: 404, ...EVENTS }),
    ]) {
      const { word, label, then } = (await isOther(entry)).polls[0];
      assert.deepEqual({ word, label, then }, { word: alone.word, label: alone.label, then: alone.then });
    }
    const open = await isOther(entryOf({ url: 'https://shop.example/events', ...EVENTS }));
    assert.notEqual(open.polls[0].label, alone.label);
  });

  it('does not send the news of one origin over the stream of another, and tells their addresses apart', async () => {
    const ofSite = (/** @type {string} */ site) =>
      orders({ answer: (i) => ({ ...newsEach(16)(i), url: `https://${site}.example/p` }) });
    const { polls } = await advise([...ofSite('a'), ...ofSite('b')]);
    assert.deepEqual([polls[0].label, polls[0].then], [polls[1].label, polls[1].then]);
    assert.deepEqual(
      polls.map(({ poll }) => [withHost(poll), withNumber(poll)]),
      [
        ['a.example/p', 'origin 1 /p'],
        ['b.example/p', 'origin 2 /p'],
      ],
    );
  });

  it('does not say of a page that it has one which never opened', async () => {
    const { headline } = await advise([entryOf({ url: 'wss://shop.example/live', status: 0, type: 'websocket' })]);
    assert.doesNotMatch(headline, /WebSocket/);
  });
});

describe('the advice after a run', () => {
  it('has the delay that was measured in place of the predicted one, in each figure and sentence of it', async () => {
    const predicted = await advise(orders());
    const measured = await advise(orders(), { delaysMs: { 'event-stream': 500 } });
    const [[before], [after]] = [predicted.polls, measured.polls];
    assert.deepEqual(after.then, { ...before.then, delayMs: 500 });
    assert.deepEqual([before.isDelayMeasured, after.isDelayMeasured], [false, true]);
    assert.notEqual(after.reason, before.reason);
    assert.notEqual(measured.headline, predicted.headline);
  });

  it('leaves a poll as it is whose method was not measured', async () => {
    const [poll] = (await advise(orders(), { delaysMs: { socket: 500 } })).polls;
    assert.deepEqual(poll, (await advise(orders())).polls[0]);
  });
});

describe('the advice on a page that does not poll', () => {
  for (const [name, entries] of /** @type {[string, any[]][]} */ ([
    ['and has no other news', [entryOf(), entryOf({ url: 'https://shop.example/other', atMs: 5000 })]],
    ['but has a WebSocket', [SOCKET, entryOf()]],
    [
      'but has an event stream and long polls',
      [
        entryOf({ type: 'eventsource', mimeType: 'text/event-stream', url: 'https://shop.example/events' }),
        ...pollEntries({
          answer: (i) => ({ body: '[]', ms: [25_000, 3000, 9000][i % 3] }),
          count: 9,
          everyMs: 2,
          by: 'pause',
        }),
      ],
    ],
  ])) {
    it(`says so, ${name}`, async (t) => {
      const { polls, main, headline, totals } = await advise(entries);
      assert.deepEqual([polls, main, totals.now.requestsPerHour], [[], undefined, 0]);
      matchGolden(t, 'recording', headline);
    });
  }
});

describe('the example', () => {
  it('has one version of HTTP for its one host, and cautions of the connection that a stream holds over it', async () => {
    const { polls } = adviseRecording(await readRecording(createExample()));
    assert.deepEqual(
      polls.map(({ poll }) => poll.httpVersion),
      ['HTTP/1.1', 'HTTP/1.1', 'HTTP/1.1'],
    );
    assert.equal(polls.filter(({ reason }) => reason.includes('one of six connections')).length, 1);
  });
});
