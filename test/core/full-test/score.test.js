/** The answer of each part of a full test, from runs over virtual time whose answers are known. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { figureOf } from '../../../core/experiment/answer/answer.js';
import { runExperiment } from '../../../core/experiment/run/run.js';
import { fixedRate } from '../../../core/experiments/fixed-rate/index.js';
import { inFlight } from '../../../core/experiments/in-flight/index.js';
import { payload } from '../../../core/experiments/payload/index.js';
import { reach } from '../../../core/experiments/reach/index.js';
import { summarizeParts, scoreOf } from '../../../core/full-test/score.js';
import { transferOf } from '../../../core/net/transfer/index.js';
import { createDocument, FAR, HERE, situationOf } from '../../support/full-tests.js';
import { createScriptedReach } from '../../support/scripted-reach.js';
import { createScriptedTransfer } from '../../support/scripted-transfer.js';
import { createVirtualPipe } from '../../support/virtual-pipe.js';
import { createVirtualTime } from '../../support/virtual-time.js';

/**
 * @import { TransportRow } from '../../../core/experiments/fixed-rate/summary.js'
 * @import { Script } from '../../support/scripted-reach.js'
 */

const ALL = [inFlight, fixedRate, payload, reach];
const RTT_MS = 90;
const PATH = { roundTripMs: RTT_MS, seed: 3 };

/** @type {Parameters<typeof createVirtualPipe>[1]} */
const HTTP1 = { name: 'ajax', socket: false, protocol: 'http/1.1', rttMs: RTT_MS, connections: 6 };

/**
 * Runs the quick plan of an experiment, and makes its answer.
 *
 * @param {any} experiment
 * @param {(time: ReturnType<typeof createVirtualTime>) => object} createMeans
 * @param {{ query?: string, environment?: any, rttMs?: number }} [options] `rttMs`: of the users, if not the measured one
 */
async function answerOf(experiment, createMeans, { query = '', environment = FAR, rttMs = RTT_MS } = {}) {
  const time = createVirtualTime();
  const plan = experiment.fullTest.quickPlan(situationOf(query), PATH);
  const run = runExperiment(experiment, { plan, now: time.now, .../** @type {any} */ (createMeans(time)) });
  const { schema, name } = experiment;
  const document = { schema, startedAt: '2026-11-21T10:00:00.000Z', plan, environment, ...(await time.run(run)) };
  const measured = summarizeParts(createDocument([{ experiment: name, document }], { environment }), ALL);
  const { answers } = scoreOf(measured, situationOf(query), { rttMs });
  const answer = answers.find((one) => one.experiment === name) ?? assert.fail('no answer');
  return { ...answer, ...figureOf(answer), reason: String(answer.reason) };
}

/** @param {object} [sockjs] @param {object} [ajax] */
const overPipes = (sockjs, ajax) => (/** @type {ReturnType<typeof createVirtualTime>} */ time) => ({
  transports: {
    ajax: createVirtualPipe(time, { ...HTTP1, ...ajax }).transport,
    sockjs: createVirtualPipe(time, { protocol: 'websocket', rttMs: RTT_MS, ...sockjs }).transport,
  },
  sleepUntil: time.sleepUntil,
});

/** @param {string} [figure] @returns {number} */
const numberIn = (figure) => Number.parseFloat(figure ?? '');

describe('the answer of messages in flight', () => {
  it('has the ratio of what goes through at once', async () => {
    const answer = await answerOf(inFlight, overPipes());
    assert.equal(answer.mark, 'better');
    // Of 128 messages, 6 at once take 22 round trips, and 32 at once 4.
    assert.ok(Math.abs(numberIn(answer.figure) - 22 / 4) < 0.3, answer.figure);
    assert.match(answer.reason, /SockJS 3\d\d, AJAX 6\d\.\d messages\/s/);
  });

  it('is the same where both take as long', async () => {
    const answer = await answerOf(inFlight, overPipes({ connections: 6 }));
    assert.equal(answer.mark, 'same');
  });
});

describe('the answer of a fixed rate', () => {
  it('compares the times since the messages were due', async () => {
    const answer = await answerOf(fixedRate, overPipes({ rttMs: 45 }, { connections: 100 }));
    assert.equal(answer.mark, 'better');
    assert.ok(Math.abs(numberIn(answer.figure) - 2) < 0.1, answer.figure);
  });

  it('says which of the two falls behind the schedule', async () => {
    const slow = { connections: 1, rttMs: 400 };
    const behind = await answerOf(fixedRate, overPipes(slow, { connections: 100 }));
    assert.deepEqual([behind.mark, behind.figure], ['worse', undefined]);
    const ahead = await answerOf(fixedRate, overPipes({}, slow));
    assert.deepEqual([ahead.mark, ahead.figure], ['better', undefined]);
    assert.match(ahead.reason, /^AJAX carries at most 2\.50 of 20 /);
    const neither = await answerOf(fixedRate, overPipes(slow, slow));
    assert.equal(neither.mark, 'unclear');
  });

  it('says so only where the other is known to keep up, by enough blocks, of the planned rate', () => {
    /** @param {Partial<TransportRow>} own @param {Partial<TransportRow>} [base] */
    const answer = (own, base = {}) => {
      const behind = {
        isBaseline: true,
        blockCount: 6,
        outcome: 'behind',
        answersPerSecond: { estimate: 65, low: 60, high: 70 },
      };
      const rows = [
        { transport: 'ajax', ...behind, ...base },
        { transport: 'sockjs', ...behind, isBaseline: false, outcome: 'carried', ...own },
      ];
      const found = /** @type {any} */ ({ ratePerSecond: 100, rows: [], transports: rows });
      return fixedRate.fullTest.answer(found, /** @type {any} */ ({ uses: 'ajax', considers: 'sockjs' }));
    };
    assert.equal(answer({}).mark, 'better');
    assert.match(String(answer({}).reason), /\b65 of 100 messages/);
    assert.equal(answer({ outcome: 'unclear' }).mark, 'unclear');
    assert.equal(answer({ blockCount: 0 }).mark, 'unclear');
    assert.equal(answer({}, { blockCount: 5 }).mark, 'unclear');
    assert.doesNotMatch(String(answer({}).reason), /at most/);
    const little = { answersPerSecond: { estimate: 99.1, low: 98.7, high: 99.5 } };
    assert.match(String(answer({}, little).reason), /\b99\.1 of 100 messages/);
    assert.match(String(answer({}, { overload: /** @type {any} */ ({}) }).reason), /at most 65/);
  });

  it('is not among the lines of a full test that did not select it', () => {
    const missing = /** @type {const} */ ({ kind: 'skipped', reason: 'Skipped.' });
    const { answers } = scoreOf(summarizeParts({ parts: [{ experiment: 'reach', missing }] }, ALL), situationOf());
    assert.deepEqual(
      answers.map(({ experiment, mark }) => [experiment, mark]),
      [
        ['in-flight', 'none'],
        ['payload', 'none'],
        ['reach', 'unclear'],
      ],
    );
  });
});

describe('the answer of payload sizes', () => {
  /**
   * @param {(size: number) => number} factor of the other's time
   * @param {Parameters<typeof answerOf>[2] & { considers?: string, fail?: Fail, failToo?: Fail }} [options] `failToo`: of the one that is
   *   used
   * @typedef {Parameters<typeof createScriptedTransfer>[1]['fail']} Fail
   */
  const sweep = (factor, { considers = 'sockjs', fail, failToo, ...options } = {}) => {
    const law = (/** @type {{ binary: Uint8Array }} */ { binary: { length } }) => RTT_MS + length / 1000;
    const create = (/** @type {ReturnType<typeof createVirtualTime>} */ time) => {
      const { name } = transferOf(considers);
      return {
        transfers: {
          ajax: createScriptedTransfer(time, { name: 'ajax', law, fail: failToo }).transfer,
          [name]: createScriptedTransfer(time, {
            name,
            law: (message) => law(message) * factor(message.binary.length),
            fail,
          }).transfer,
        },
      };
    };
    return answerOf(payload, create, { query: `considers=${considers}`, ...options });
  };

  it('names the sizes at which one is faster, and counts the comparisons', async () => {
    const answer = await sweep((size) => (size === 1_000_000 ? 2 : 1), { considers: 'ws' });
    assert.deepEqual([answer.mark, answer.word], ['worse', 'Slower at 1 MB']);
    assert.equal(numberIn(answer.figure), 0.5);
    assert.match(String(answer.interval), /^98.3% CI /);
    assert.match(answer.reason, /6 comparisons: 4 same within 10%, 2 slower\.$/);
  });

  it('is no reason to move where users would not notice', async () => {
    const said = async (/** @type {number} */ matters) => {
      const answer = await sweep((size) => (size === 1000 ? 0.9 : 0.8), {
        query: `considers=sockjs&message-matters=${matters}`,
      });
      return [answer.mark, answer.verdict, / nobody notices\./.test(answer.reason)];
    };
    // Of 1090 ms, a fifth is 218 ms.
    assert.deepEqual(await said(200), ['better', 'faster', false]);
    assert.deepEqual(await said(300), ['same', 'faster', true]);
  });

  it('is the same where no size differs, and mixed where they differ in both directions', async () => {
    assert.equal((await sweep(() => 1)).mark, 'same');
    const mixed = await sweep((size) => (size === 1000 ? 0.5 : size === 1_000_000 ? 1.5 : 1));
    assert.equal(mixed.mark, 'unclear');
    assert.match(mixed.reason, /2 faster, 2 same within 10%, 2 slower/);
  });

  it('makes no verdict of a difference below 10% at one size', async () => {
    let count = 0;
    const answer = await sweep((size) => (size === 1000 ? [0.9, 0.945][count++ % 2] : 1));
    assert.match(answer.reason, /[12] a little faster/);
    assert.deepEqual([answer.mark, answer.word], ['unclear', 'No clear difference']);
  });

  it('says that a message is a little faster where it is at each size', async () => {
    /** @type {Record<number, number>} */
    const counts = {};
    const answer = await sweep((size) => [0.9, 0.945][(counts[size] = (counts[size] ?? 0) + 1) % 2]);
    assert.deepEqual([answer.mark, answer.verdict], ['same', 'little-faster']);
    assert.match(answer.word, /^A little faster/);
  });

  it('shows a size that failed, with the reason of its library', async () => {
    const answer = await sweep(() => 1, {
      considers: 'socketio',
      fail: ({ binary }) => (binary.length > 999_984 ? 'closed' : undefined),
    });
    assert.deepEqual([answer.mark, answer.word], ['worse', 'Fails at 1 MB']);
    assert.match(answer.reason, /maxHttpBufferSize/);
  });

  it('blames neither for a size at which both fail, and says where only the one of today does', async () => {
    const failLarge = (/** @type {{ binary: Uint8Array }} */ { binary }) =>
      binary.length > 999_984 ? 'closed' : undefined;
    const both = await sweep(() => 0.5, { fail: failLarge, failToo: failLarge });
    assert.deepEqual([both.mark, both.verdict], ['better', 'faster']);
    assert.match(both.reason, /\bAJAX and SockJS\b.* fail at 1 MB\.$/);
    const today = await sweep(() => 0.5, { failToo: failLarge });
    assert.deepEqual([today.mark, today.verdict], ['better', 'faster']);
    assert.match(today.reason, /\bAJAX fails at 1 MB, SockJS\b.* does not\.$/);
  });
});

describe('the answer of the reachability test', () => {
  /** @param {Script} [script] */
  const check = (script) => answerOf(reach, (time) => /** @type {any} */ (createScriptedReach(time, script)));

  it('has the checks that passed', async () => {
    const answer = await check();
    assert.deepEqual([answer.mark, answer.interval], ['better', 'checks passed, 7 not tested']);
    const [passed, all] = String(answer.figure).split(' of ');
    assert.ok(Number(all) > 15 && passed === all, answer.figure);
    assert.match(answer.reason, /^Idle connections stay open for at least 25 s/);
  });

  for (const [what, script, word, reason] of /** @type {[string, Script, string, RegExp][]} */ ([
    ['WebSockets do not open', { upgrade: 'refused' }, 'Does not work', /SockJS connects over xhr-streaming/],
    ['large messages are lost', { maxBytes: 70_000 }, 'Loses large messages', /./],
    ['silent connections are cut', { idleMs: 8000 }, 'Works', /heartbeat/],
  ])) {
    it(`says so where ${what}`, async () => {
      const answer = await check(script);
      assert.equal(answer.word, word);
      assert.match(answer.reason, reason);
      const [passed, all] = String(answer.figure).split(' of ').map(Number);
      assert.ok(passed < all, answer.figure);
    });
  }
});

describe('an answer that predicts nothing', () => {
  it('says what was found on one machine as holding there alone', async () => {
    const answer = await answerOf(inFlight, overPipes({ rttMs: 0.1 }, { rttMs: 0.2 }), { environment: HERE });
    assert.deepEqual([answer.mark, answer.figure, answer.interval], ['none', undefined, undefined]);
    assert.equal(answer.word, 'No prediction');
    assert.match(answer.reason, /^Here: \d[\d.]*x .*; elsewhere /);
  });

  it('says at which distance it was measured, if the users are elsewhere', async () => {
    assert.doesNotMatch((await answerOf(inFlight, overPipes())).reason, /Measured at/);
    assert.match((await answerOf(inFlight, overPipes(), { rttMs: 10 })).reason, /Measured at 90 ms\.$/);
  });
});
