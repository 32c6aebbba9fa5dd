import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, request } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { ownerOf } from '../../server/workers.js';
import '../support/lean.js';
import { openPm2 } from '../support/pm2.js';
import { openSocketioSession } from '../support/socketio-session.js';
import { openSession } from '../support/sockjs-session.js';

/** @import { Pm2Site } from '../support/pm2.js' */

const WORKERS = 3;
/** No multiple of the workers': at each round pm2 gives a session's request to another than before. */
const POLLED_SESSIONS = 7;

/** pino's number for it. */
const INFO = 30;
const SOCKETIO_TRANSPORTS = [['polling'], ['polling', 'websocket'], ['websocket']];
const SOCKETIO_VISITS = 7;
const FALLBACKS = ['xhr-streaming', 'eventsource', 'xhr-polling'];

/** @param {string} transport @param {number} worker @returns {string} the id of a session that this worker owns */
function createSessionId(transport, worker) {
  for (let i = 0; ; i++) {
    const id = `${transport}${i}`;
    if (ownerOf(id, WORKERS) === worker) return id;
  }
}

describe('ecosystem.config.js', () => {
  /** @type {Pm2Site} */
  let site;
  let webSocketCount = 0;
  before(async () => {
    site = await openPm2({ workers: WORKERS });
  });
  after(() => site?.close());

  it('starts a worker per WORKERS, and waits until all are ready', async () => {
    // They answer at once: pm2 start came back only when each had said that it listens.
    for (let worker = 0; worker < WORKERS; worker++) {
      const own = `http://127.0.0.1:${site.port + 1 + worker}`;
      assert.equal(JSON.parse(await getText(`${own}/ajaxecho?whoami=1`)).worker, worker);
      assert.equal(JSON.parse(await getText(`${own}/readyz`)).status, 'ready');
    }
  });

  it('carries every SockJS transport over the workers without a proxy, and gathers their metrics', async () => {
    const { origin } = site;
    /** @param {string} transport @param {string} [sessionId] @returns {Promise<number>} the worker that answers */
    const useSession = async (transport, sessionId) => {
      const { ask, close } = await openSession(`${origin}/echo`, transport, sessionId);
      for (const count of [1, 2, 3]) assert.deepEqual(await ask({ count }), { count: count + 1 });
      const { worker } = await ask({ whoami: true });
      close();
      return worker;
    };
    for (const transport of FALLBACKS) {
      const owners = Array.from({ length: WORKERS }, (_, worker) => worker);
      const answerers = owners.map((owner) => useSession(transport, createSessionId(transport, owner)));
      assert.deepEqual(await Promise.all(answerers), owners, transport);
    }
    // A WebSocket stays where it came in, and each worker gets one sooner or later.
    const answerers = new Set();
    while (answerers.size < WORKERS) {
      answerers.add(await useSession('websocket'));
      webSocketCount++;
    }

    const metrics = await getText(`${origin}/metrics`);
    for (let worker = 0; worker < WORKERS; worker++) {
      assert.match(metrics, new RegExp(`^nodejs_eventloop_lag_seconds{.*worker="${worker}".*} `, 'm'));
    }
    for (const [transport, count] of [['websocket', webSocketCount], ...FALLBACKS.map((name) => [name, WORKERS])]) {
      const echoes = [...metrics.matchAll(/^sockshootout_echoes_total\{(.*)\} (\d+)$/gm)]
        .filter(([, labels]) => labels.includes(`transport="sockjs ${transport}"`))
        .reduce((sum, [, , value]) => sum + Number(value), 0);
      assert.equal(echoes, 4 * Number(count), String(transport));
    }
  });

  it('carries Socket.IO over the workers without a proxy, by each of its transports', async () => {
    const answerers = new Set();
    // pm2 gives each connection to the next worker: most requests, and most upgrades, come in at others than the owner.
    for (const transports of SOCKETIO_TRANSPORTS) {
      const visits = Array.from({ length: SOCKETIO_VISITS }, async () => {
        const session = await openSocketioSession(`${site.origin}/socket.io`, { transports });
        if (transports.length > 1) await session.upgraded;
        for (const count of [1, 2, 3]) assert.deepEqual(await session.ask({ count }), { count: count + 1 });
        answerers.add((await session.ask({ whoami: true })).worker);
        session.close();
        await session.closed;
      });
      await Promise.all(visits);
    }
    assert.equal(answerers.size, WORKERS);
  });

  it('has a session’s requests that come in at the shared port reach its owner, but for the workers’ own', async () => {
    const { origin, port } = site;
    /** @param {string} action */
    const postToAll = (action) =>
      Array.from({ length: POLLED_SESSIONS }, (_, id) => startPost(`${origin}/echo/000/session${id}/${action}`));
    /** @param {{ answer: Promise<[number | undefined, string]> }[]} posts */
    const answersOf = (posts) => Promise.all(posts.map(({ answer }) => answer));

    assert.deepEqual(await answersOf(postToAll('xhr')), Array(POLLED_SESSIONS).fill([200, 'o\n']));
    // pm2 gives each worker the next connection, so of three to one session some come in at others than the owner.
    for (let round = 0; round < WORKERS; round++) {
      const statuses = (await answersOf(postToAll('close'))).map(([status]) => status);
      assert.deepEqual(statuses, Array(POLLED_SESSIONS).fill(404));
    }

    // A visitor who leaves meanwhile is no failure: the log shows none.
    const polls = postToAll('xhr');
    const leaves = polls.map(({ answer }) => assert.rejects(answer, { code: 'ECONNRESET' }));
    // What each worker answers now, it got after the polls.
    for (let worker = 0; worker < WORKERS; worker++) await getText(`http://127.0.0.1:${port + 1 + worker}/readyz`);
    for (const { leave } of polls) leave();
    await Promise.all(leaves);
  });

  it('lets the workers drain, and has logged each session and no failure', async () => {
    const { pm2, list, readLogs } = site;
    await pm2('stop', 'sockshootout');
    const ends = (await list()).map(({ pm2_env: { status, exit_code } }) => [status, exit_code]);
    assert.deepEqual(ends, Array(WORKERS).fill(['stopped', 0]));

    const log = await readLogs();
    const sessionCount = webSocketCount + FALLBACKS.length * WORKERS + POLLED_SESSIONS;
    assert.equal(log.filter(({ msg }) => msg === 'sockjs session').length, sessionCount);
    const socketioCount = SOCKETIO_TRANSPORTS.length * SOCKETIO_VISITS;
    assert.equal(log.filter(({ msg }) => msg === 'socketio session').length, socketioCount);
    assert.deepEqual(
      log.filter(({ level }) => level > INFO),
      [],
    );
  });
});

/**
 * Over a connection of its own.
 *
 * @param {string} url
 */
function startPost(url) {
  const req = request(url, { method: 'POST', agent: false }).end();
  /** @returns {Promise<[number | undefined, string]>} */
  const readAnswer = async () => {
    const [res] = await once(req, 'response');
    let text = '';
    for await (const chunk of res) text += chunk;
    return [res.statusCode, text];
  };
  return { answer: readAnswer(), leave: () => req.destroy() };
}

/**
 * Over a connection that is closed at once: a worker that drains would leave it a moment to be used again.
 *
 * @param {string} url
 */
async function getText(url) {
  const [res] = await once(get(url, { agent: false }), 'response');
  let text = '';
  for await (const chunk of res) text += chunk;
  return text;
}
