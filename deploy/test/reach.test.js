/**
 * Does it work from here? Each obstacle is named, by the command line and by the page in a real Chromium; and where there is
 * none, none is.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { parsePlan } from '../../core/experiment/plan/plan-link.js';
import { loadClient } from '../../cli/clients/index.js';
import { createProgress } from '../../cli/program/program.js';
import { measureInNode, measureOnPage } from '../../cli/run/measure.js';
import { reach } from '../../core/experiments/reach/index.js';
import { launchBrowser } from '../../test/support/browser.js';
import { holdsOnce } from '../../test/support/attempts.js';
import { OBSTACLE_NAMES, withObstacle } from '../../test/support/obstacles/index.js';
import { runProgram } from '../../test/support/program.js';
import { factsOf } from '../../test/support/reach-facts.js';
import { openServer } from '../../test/support/server.js';
import { requireNginx, withNginx } from './support/nginx.js';

/**
 * @import { TestContext } from 'node:test'
 * @import { Browser } from 'playwright-core'
 * @import { ReachDocument } from '../../core/experiments/reach/schema.js'
 * @import { ObstacleName, Path } from '../../test/support/obstacles/index.js'
 * @import { ReachFacts } from '../../test/support/reach-facts.js'
 * @import { TestServer } from '../../test/support/server.js'
 */

/** The last of the silences is too long for the short timeout, by as much as a busy machine may need. */
const CUT_MS = 3500;
const PLAN = 'silences=200,1000,5000&heartbeat=500&blocks=2&idle=0&seed=7';
const WEB_SOCKET_CHECKS = [
  'binary',
  'size-64k',
  'size-1m',
  'silence 200',
  'silence 1000',
  'silence 5000',
  'heartbeat',
  'latency websocket',
];

/** At a time. */
const PAGES = 4;

/** @type {TestServer} */
let server;
/** @type {Browser} */
let browser;
before(async () => {
  await requireNginx();
  [server, browser] = await Promise.all([
    // All of them are one visitor.
    openServer({ env: { TRUST_PROXY: '1' } }),
    launchBrowser({ args: ['--ignore-certificate-errors'] }),
  ]);
});
after(async () => {
  await browser?.close();
  await server?.close();
});

/** @typedef {(path: Path) => Promise<ReachDocument>} Run */

/** As the command line does. @type {Run} */
const runInNode = (path) => (path.certificatePath ? runCommand(path) : runHere(path));

/** @type {Run} */
async function runHere({ origin }) {
  const client = await loadClient('reach');
  const plan = parsePlan(reach, new URLSearchParams(PLAN), { seed: 7 });
  const { signal } = new AbortController();
  return measureInNode(reach, client, { baseUrl: origin, plan, progress: createProgress(true), signal });
}

/** In a process of its own, as Node.js reads certificates at its start. @type {Run} */
async function runCommand({ origin, certificatePath }) {
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: certificatePath };
  const args = ['run', 'reach', '--url', origin, '--plan', `?${PLAN}`, '--json', '--quiet'];
  const { out, err } = await runProgram('cli/sockshootout.js', args, { env });
  assert.ok(out, err);
  return JSON.parse(out);
}

/** @type {Run} */
const runPage = ({ origin }) =>
  measureOnPage(browser, reach, { baseUrl: origin, plan: parsePlan(reach, new URLSearchParams(PLAN), { seed: 7 }) });

/** @type {Record<string, { run: Run, isPage: boolean }>} */
const CLIENTS = {
  'the command line': { run: runInNode, isPage: false },
  'the page': { run: runPage, isPage: true },
};

/** @type {(facts: ReachFacts) => void} */
const checkNone = ({ works, failed, idle }) => {
  assert.deepEqual([works, failed], [true, []]);
  assert.deepEqual([idle?.cutMs, Number(idle?.livedMs) >= 5000], [undefined, true]);
};

/** @type {Record<ObstacleName, (facts: ReachFacts, isPage: boolean) => void>} */
const CHECKS = {
  none: checkNone,

  'no-upgrade'({ works, failed, untested, trialOf }, isPage) {
    assert.deepEqual([works, failed], [false, ['upgrade', 'sockjs websocket']]);
    for (const name of ['text', ...WEB_SOCKET_CHECKS]) assert.ok(untested.includes(name), name);
    const { seen, answered } = trialOf('upgrade');
    assert.deepEqual([seen?.plainCount, seen?.upgradeCount], [1, 0]);
    // A page cannot know.
    assert.equal(answered?.status, isPage ? undefined : 426);
    assert.equal(trialOf('fallback').protocol, 'xhr-streaming');
  },

  buffering({ works, failed, checkOf, trialOf }) {
    assert.equal(works, true);
    for (const name of ['events', 'stream']) {
      const { result, trial, arrival } = checkOf(name);
      assert.deepEqual([result, trial?.failure, arrival?.batchCount], ['fail', undefined, 1]);
    }
    assert.ok(failed.includes('sockjs xhr-streaming') && failed.includes('sockjs eventsource'), String(failed));
    const others = failed.filter((name) => !/^(events|stream|sockjs .*(streaming|eventsource|htmlfile))$/.test(name));
    assert.deepEqual(others, []);
    assert.equal(trialOf('fallback').protocol, 'websocket');
  },

  'idle-cut'({ works, failed, idle, trialOf }) {
    assert.deepEqual([works, failed], [true, ['silence 5000']]);
    const { failure, livedMs = 0, closeCode } = trialOf('silence 5000');
    assert.deepEqual([failure?.outcome, closeCode], ['closed', 1006]);
    assert.ok(livedMs > 1000 && livedMs < 5000, `${livedMs} ms`);
    assert.equal(idle?.isExact, true);
  },

  reset({ works, failed, trialOf }) {
    assert.equal(works, false);
    const { failure, livedMs = 0, seen } = trialOf('text');
    assert.deepEqual([failure?.outcome, seen?.openCount, seen?.closeCode], ['closed', 1, 1006]);
    assert.ok(livedMs < 5000, `${livedMs} ms`);
    assert.equal(trialOf('fallback').protocol, 'websocket');
    assert.deepEqual(
      failed.filter((name) => name !== 'sockjs websocket'),
      ['text', 'fallback', 'fallback-default'],
    );
  },

  'no-binary'({ works, failed, trialOf }) {
    assert.deepEqual([works, failed], [true, ['binary']]);
    const { failure, seen } = trialOf('binary');
    assert.deepEqual([failure?.outcome, seen?.binaryCount], ['timeout', 0]);
  },

  swallow({ works, failed, trialOf }) {
    assert.deepEqual([works, failed], [false, ['text', 'sockjs websocket', 'fallback', 'fallback-default']]);
    const { failure, roundTripMs, seen } = trialOf('text');
    assert.deepEqual([failure?.outcome, roundTripMs?.length, seen?.textCount], ['timeout', 1, 1]);
    assert.equal(trialOf('fallback').protocol, 'websocket');
  },

  http2(facts, isPage) {
    checkNone(facts);
    assert.equal(facts.trialOf('http').protocol, isPage ? 'h2' : 'http/1.1');
    assert.equal(facts.trialOf('upgrade').seen?.httpVersion, '1.1');
  },
};

/**
 * Where the machine stands still for a second, a stream looks batched, and where it does for longer, a run gives up: such a
 * run is made once more.
 * @param {TestContext} t @param {() => Promise<ReachDocument>} run @param {(facts: ReachFacts) => void} check
 */
const checkRun = (t, run, check) =>
  holdsOnce(
    t,
    async () => {
      try {
        check(factsOf(await run()));
      } catch (error) {
        return String(error);
      }
    },
    2,
  );

for (const [client, { run, isPage }] of Object.entries(CLIENTS)) {
  // Most of the time is waiting; but pages that are too many wait for each other.
  describe(`${client} behind an obstacle`, { concurrency: isPage ? PAGES : true }, () => {
    for (const name of OBSTACLE_NAMES) {
      it(`${name} names it, and nothing else`, (t) => {
        const check = (/** @type {ReachFacts} */ facts) => CHECKS[name](facts, isPage);
        return withObstacle(name, server.port, (path) => checkRun(t, () => run(path), check), { cutMs: CUT_MS });
      });
    }
  });
}

describe('the page behind the nginx of npm run nginx', () => {
  it('names no obstacle', (t) =>
    withNginx(['--upstream', `127.0.0.1:${server.port}`], ({ port, ...certificate }) =>
      checkRun(t, () => runPage({ origin: `https://127.0.0.1:${port}`, ...certificate }), checkNone),
    ));
});
