import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as waitMs } from 'node:timers/promises';
import SockJS from 'sockjs-client';
import * as valibot from 'valibot';
import { createDocumentCheck, DocumentError, KINDS, kindOf } from '../../../core/documents/index.js';
import { toDocument as toClassicDocument } from '../../../core/experiments/classic-export.js';
import { runClassic } from '../../../core/experiments/classic.js';
import { toDocument as toCountdownDocument } from '../../../core/experiments/countdown-export.js';
import { runCountdown } from '../../../core/experiments/countdown.js';
import { measureFixedRate, SCHEMA as FIXED_RATE } from '../../../core/experiments/fixed-rate.js';
import { measureDepths, SCHEMA as IN_FLIGHT } from '../../../core/experiments/in-flight.js';
import { measureDocument } from '../../../core/measure-document.js';
import { measureResult } from '../../../core/measure-result.js';
import { createFetch } from '../../../core/transports/fetch.js';
import { createSockjs } from '../../../core/transports/sockjs.js';
import { openServer } from '../../support/server.js';

const now = () => performance.now();
const environment = { userAgent: 'Node.js test', isCrossOriginIsolated: false };
const startedAt = '2026-11-21T07:00:00.000Z';
const { signal } = new AbortController();
const check = createDocumentCheck(valibot);

/**
 * A document of each experiment, as it was measured just now over a real server.
 *
 * @param {string} origin
 * @returns {Promise<Record<string, any>>}
 */
async function measureAll(origin) {
  const transports = {
    fetch: createFetch({ url: `${origin}/ajaxecho` }),
    sockjs: createSockjs({ library: SockJS, url: `${origin}/echo` }),
  };
  const names = Object.keys(transports);
  const own = { url: `${origin}/`, ...environment };
  const common = { now, signal, environment: own, statusUrl: `${origin}/status` };
  const shootoutPlan = { transports: names, blocks: 6, iterations: 3, warmUpCount: 1, payloadBytes: 0, seed: 1 };
  const depthPlan = { transports: names, depths: [1, 4], blocks: 2, seed: 2 };
  const ratePlan = { transports: names, ratePerSecond: 500, messages: 20, blocks: 3, seed: 3 };
  const sleepUntil = async (/** @type {number} */ atMs) => {
    if (atMs > now()) await waitMs(atMs - now());
  };
  const classic = await runClassic({
    transport: { ...transports.fetch, name: 'ajax' },
    now,
    iterations: 5,
    clickedAtMs: now(),
  });
  const countdown = await runCountdown({ transport: createFetch({ url: `${origin}/xhr` }), now, iterations: 5 });
  countdown.trial.transport = 'xhr';
  const once = { startedAt, wasHidden: false };
  return {
    shootout: await measureResult({ ...common, plan: shootoutPlan, transports }),
    'in-flight': await measureDocument({
      ...common,
      schema: IN_FLIGHT,
      plan: depthPlan,
      measure: () => measureDepths({ plan: depthPlan, transports, now, signal }),
    }),
    'fixed-rate': await measureDocument({
      ...common,
      schema: FIXED_RATE,
      plan: ratePlan,
      measure: () => measureFixedRate({ plan: ratePlan, transports, now, signal, sleepUntil }),
    }),
    countdown: toCountdownDocument({
      environment: own,
      choice: { iterations: 5, kind: 'xhr' },
      tests: [{ ...countdown, ...once }],
    }),
    classic: toClassicDocument({ transport: 'ajax', environment: own, runs: [{ ...classic, ...once }] }),
  };
}

/** @type {Record<string, number>} */
const SAMPLE_COUNTS = { shootout: 36, 'in-flight': 128, 'fixed-rate': 240, countdown: 5, classic: 5 };

describe('the document of each experiment', () => {
  /** @type {import('../../support/server.js').TestServer} */
  let server;
  /** @type {Record<string, any>} */
  let documents;
  before(async () => {
    server = await openServer({ env: { SERVER_LOCATION: 'Köln' } });
    documents = JSON.parse(JSON.stringify(await measureAll(server.origin)));
  });
  after(() => server.close());

  for (const { experiment } of KINDS) {
    it(`${experiment}: is taken as it was measured, told in short, and has a line of CSV for each sample`, () => {
      const document = documents[experiment];
      const { kind, document: checked } = check(document);
      assert.equal(kind.experiment, experiment);
      assert.deepEqual(checked, document);
      const digest = kind.digest(document);
      const { sampleCount, failureCount, isValid, server: name, location, headline } = digest;
      assert.deepEqual(
        { sampleCount, failureCount, isValid, name, location },
        { sampleCount: SAMPLE_COUNTS[experiment], failureCount: 0, isValid: true, name: 'test', location: 'Köln' },
      );
      assert.ok(headline.length > 0);
      assert.equal(kind.formatCsv(document).split('\r\n').length, 1 + SAMPLE_COUNTS[experiment] + 1);
    });
  }

  /** @type {[string, string, (document: any) => void, RegExp][]} experiment, what, spoil, what is said */
  const wrongs = [
    ['in-flight', 'a trial left out', ({ trials }) => trials.pop(), /^trials: expected those of its plan/],
    ['in-flight', 'trials of another order', ({ trials }) => trials.reverse(), /^trials: /],
    ['in-flight', 'answers left out', ({ trials }) => { trials[0].endedAtMs.pop(); trials[0].roundTripMs.pop(); }, /^trials: /],
    ['in-flight', 'answers before others', ({ trials }) => trials[0].endedAtMs.reverse(), /^trials: /],
    ['in-flight', 'depths without 1', ({ plan }) => plan.depths.shift(), /^plan\.depths: expected 1/],
    ['fixed-rate', 'a slow message left out', ({ trials }) => takeOut(openOf(trials)), /^trials: .*sent, failed or missed/],
    ['fixed-rate', 'a plan that gives way', ({ trials }) => (openOf(trials).samples.plannedAtMs[5] += 10), /^trials: /],
    ['fixed-rate', 'a message sent before its time', ({ trials }) => takeBack(openOf(trials)), /^trials: /],
    ['fixed-rate', 'a loop that is neither', ({ trials }) => (trials[0].loop = 'half'), /^trials\.0\.loop: /],
    ['fixed-rate', 'a transport twice', ({ plan }) => (plan.transports = ['sockjs', 'sockjs']), /^plan\.transports: expected each/],
    ['in-flight', 'more open than its depth', ({ trials }) => (longestOf(trials).roundTripMs[6] += 1e4), /^trials: /],
    ['in-flight', 'a restart that it does not tell', restart, /^ending: expected one, as this run is not valid/],
    ['fixed-rate', 'a restart that it does not tell', restart, /^ending: expected one/],
    ['fixed-rate', 'a back-to-back trial without samples', ({ trials }) => empty(trials), /^trials: /],
    ['shootout', 'a restart that it does not tell', restart, /^ending: expected one/],
    ['shootout', 'a slow message left out', ({ trials }) => takeOut(trials[0]), /^trials: .*a sample or a failure/],
    ['shootout', 'a message before the last answer', ({ trials }) => trials[0].samples.sentAtMs.reverse(), /^trials\.0\.samples: expected messages/],
    ['shootout', 'a time beyond a day', ({ trials }) => (trials[0].setUpMs = 1e9), /^trials\.0\.setUpMs: /],
    ['shootout', 'a name that is too long', ({ statusBefore }) => (statusBefore.server = 'x'.repeat(501)), /^statusBefore\.server: /],
    ['shootout', 'an ending of two lines', (document) => (document.ending = { kind: 'cancelled', reason: 'a\nb' }), /^ending\.reason: expected text of one line/],
    ['countdown', 'a test by AJAX', ({ tests }) => (tests[0].trial.transport = 'ajax'), /^tests\.0: expected a test by xhr/],
    ['countdown', 'no test', ({ tests }) => tests.pop(), /^tests: /],
    ['countdown', 'a mean', (document) => (document.means = []), /^means: expected no such field/],
    ['classic', 'a run that is not whole', ({ runs }) => takeOut(runs[0].trial), /^runs\.0: expected a run by AJAX/],
    ['classic', 'a click after the start', ({ runs }) => (runs[0].clickedAtMs += 1e6), /^runs\.0: /],
    ['classic', 'a run by another transport', (document) => (document.transport = 'sockjs'), /^runs\.0: expected a run by SockJS/],
    ['shootout', 'preflights of text', (document) => (document.preflight = { firstMs: ['1'], secondMs: [] }), /^preflight\.firstMs\.0: /],
  ]; // prettier-ignore
  for (const [experiment, what, spoil, expected] of wrongs) {
    it(`${experiment}: is refused with ${what}`, () => {
      const document = structuredClone(documents[experiment]);
      spoil(document);
      assert.throws(
        () => check(document),
        (/** @type {Error} */ error) => error instanceof DocumentError && expected.test(error.message),
      );
    });
  }

  it('is not known by a name that no experiment has', () => {
    assert.equal(kindOf('pigeons'), undefined);
    assert.throws(() => check({ schema: 'sockshootout/pigeons/1' }), /^RangeError: schema: expected one of /);
  });
});

/** @param {any[]} trials */
const openOf = (trials) => trials.find(({ loop }) => loop === 'open');

/** Takes the second sample out of a trial. @param {{ samples: Record<string, number[]> }} trial */
function takeOut({ samples }) {
  for (const list of Object.values(samples)) list.splice(1, 1);
}

/** Lets a message leave a millisecond before it is due. @param {{ samples: Record<string, number[]> }} trial */
function takeBack({ samples: { plannedAtMs, sentAtMs } }) {
  sentAtMs[5] = plannedAtMs[5] - 1;
}

/** @param {any[]} trials */
const longestOf = (trials) => trials.find(({ depth }) => depth > 1);

/** Another process answers under the worker's number afterwards. @param {any} document */
function restart({ statusAfter }) {
  statusAfter.workers[0].startedAt = '2026-11-21T07:00:00.000Z';
}

/** @param {any[]} trials */
function empty(trials) {
  const { samples } = trials.find(({ loop }) => loop === 'closed');
  for (const list of Object.values(samples)) list.length = 0;
}
