/**
 * What visitors notice of a reload, and of a worker that dies.
 */
import assert from 'node:assert/strict';
import { Agent, get } from 'node:http';
import { describe, it } from 'node:test';
import { withPm2 } from '../../test/support/pm2.js';
import { openSocketioSession } from '../../test/support/socketio-session.js';
import { openSession } from '../../test/support/sockjs-session.js';

const WORKERS = 2;
const REQUESTS_PER_SECOND = 100;
/** By Socket.IO's transports. */
const SOCKETIO_SESSIONS = { websocket: 10, polling: 10 };
const SESSIONS = { websocket: 20, 'xhr-streaming': 10, eventsource: 10, 'xhr-polling': 10 };
/** For what hangs, as the next one: on a busy machine an answer may take seconds, and is one all the same. */
const BACK_LIMIT_MS = 300_000;
const RELOADS = 3;
const SEQUENTIAL_CLIENTS = 4;
const ANSWER_LIMIT_MS = 120_000;

/**
 * Asks at a steady rate, half of it over connections that are kept, half over new ones.
 *
 * @param {string} origin
 */
function startLoad(origin) {
  const kept = new Agent({ keepAlive: true });
  /** @type {Promise<string>[]} */
  const outcomes = [];
  const timer = setInterval(() => {
    const count = outcomes.length;
    outcomes.push(ask(`${origin}/ajaxecho?count=${count}`, count % 2 === 0 ? kept : false, count));
  }, 1000 / REQUESTS_PER_SECOND);
  return {
    /** @returns {Promise<Record<string, number>>} how many requests ended how */
    async stop() {
      clearInterval(timer);
      /** @type {Record<string, number>} */
      const counts = {};
      for (const outcome of await Promise.all(outcomes)) counts[outcome] = (counts[outcome] ?? 0) + 1;
      kept.destroy();
      return counts;
    },
  };
}

/**
 * @param {string} url
 * @param {Agent | false} agent
 * @param {number} count
 * @returns {Promise<string>} ok, or what was wrong
 */
function ask(url, agent, count) {
  return new Promise((resolve) => {
    get(url, { agent, signal: AbortSignal.timeout(ANSWER_LIMIT_MS) }, async (res) => {
      let text = '';
      for await (const chunk of res) text += chunk;
      resolve(text === `{"count":${count + 1}}` ? 'ok' : `${res.statusCode} ${text}`);
    }).on('error', (error) => resolve(String(error)));
  });
}

/**
 * Asks one request after the other, each over a new connection that ends with it: between two of them a worker has
 * nothing open.
 *
 * @param {string} origin
 */
function startSequentialLoad(origin) {
  /** @type {Record<string, number>} */
  const counts = {};
  let isOver = false;
  const visit = async () => {
    for (let count = 0; !isOver; count++) {
      const outcome = await ask(`${origin}/ajaxecho?count=${count}`, false, count);
      counts[outcome] = (counts[outcome] ?? 0) + 1;
    }
  };
  const visits = Promise.all(Array.from({ length: SEQUENTIAL_CLIENTS }, visit));
  return {
    /** @returns {Promise<Record<string, number>>} how many requests ended how */
    async stop() {
      isOver = true;
      await visits;
      return counts;
    },
  };
}

/** @param {string} origin */
function openSessions(origin) {
  const transports = Object.entries(SESSIONS).flatMap(([transport, count]) => Array(count).fill(transport));
  return Promise.all(transports.map((transport) => openSession(`${origin}/echo`, transport)));
}

/** @param {string} origin */
function openSocketioSessions(origin) {
  const all = Object.entries(SOCKETIO_SESSIONS).flatMap(([transport, count]) => Array(count).fill([transport]));
  return Promise.all(all.map((transports) => openSocketioSession(`${origin}/socket.io`, { transports })));
}

// At once, each with a pm2 of its own: they wait for workers that end and start.
describe('two workers of pm2', { concurrency: true }, () => {
  describe('a reload', { concurrency: true }, () => {
    it('under 100 requests a second fails none, and tells each of 70 sessions, which then come back', (t) =>
      withPm2({ workers: WORKERS }, async ({ pm2, list, origin }) => {
        const before = (await list()).map(({ pid }) => pid);
        const sessions = await openSessions(origin);
        const overSocketio = await openSocketioSessions(origin);
        const load = startLoad(origin);
        const disconnects = Promise.all(overSocketio.map(({ closed }) => closed));
        const closes = Promise.all(sessions.map(({ closed }) => closed));

        await pm2('reload', 'sockshootout');
        const codes = (await closes).map(({ code }) => code);
        const reasons = (await disconnects).map(({ reason }) => reason);
        const back = [...(await openSessions(origin)), ...(await openSocketioSessions(origin))];
        for (const session of back) assert.deepEqual(await session.ask({ count: 1 }), { count: 2 });
        const counts = await load.stop();
        for (const session of back) session.close();

        t.diagnostic(
          `requests: ${JSON.stringify(counts)}; sessions closed with 1001: ${codes.filter((code) => code === 1001).length} of ${codes.length}`,
        );
        assert.deepEqual(Object.keys(counts), ['ok']);
        assert.deepEqual(codes, Array(50).fill(1001));
        assert.deepEqual(reasons, Array(20).fill('io server disconnect'));
        const after = (await list()).map(({ pid }) => pid);
        assert.ok(
          after.every((pid) => !before.includes(pid)),
          'every worker is a new one',
        );
      }));

    it('fails no request where no session is open and each comes over a new connection; the log has every worker’s end', (t) =>
      withPm2({ workers: WORKERS }, async ({ pm2, readLogs, origin }) => {
        const load = startSequentialLoad(origin);
        for (let reload = 0; reload < RELOADS; reload++) await pm2('reload', 'sockshootout');
        const counts = await load.stop();
        t.diagnostic(`requests over ${RELOADS} reloads: ${JSON.stringify(counts)}`);
        assert.deepEqual(Object.keys(counts), ['ok']);

        const lines = await readLogs();
        for (const end of ['draining', 'ended']) {
          assert.equal(lines.filter(({ msg }) => msg === end).length, RELOADS * WORKERS, end);
        }
      }));
  });

  describe('a worker that is killed', () => {
    it('comes back, and only its own sessions notice', (t) =>
      withPm2({ workers: WORKERS }, async ({ list, port }) => {
        // At the workers' own ports, as a proxy that keeps sessions together does it.
        const [own, others] = await Promise.all([1, 2].map((next) => openSessions(`http://127.0.0.1:${port + next}`)));
        const [victim] = (await list()).filter(({ pm2_env }) => pm2_env.NODE_APP_INSTANCE === 0);
        process.kill(victim.pid, 'SIGKILL');

        // In Node sockjs-client never learns that a streaming request broke off; in a browser it does.
        const noticing = own.filter(({ transport }) => transport !== 'xhr-streaming');
        await Promise.all(noticing.map(({ closed }) => closed));
        for (const session of others) assert.deepEqual(await session.ask({ count: 1 }), { count: 2 });
        t.diagnostic(`${noticing.length} sessions on the killed worker ended, ${others.length} on the other went on`);

        await untilHealthy(`http://127.0.0.1:${port + 1}/healthz`);
        for (const session of [...own, ...others]) session.close();
      }));
  });
});

/** @param {string} url */
async function untilHealthy(url) {
  const limit = Date.now() + BACK_LIMIT_MS;
  for (;;) {
    const isBack = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isBack) return;
    assert.ok(Date.now() < limit, `${url} came back`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
