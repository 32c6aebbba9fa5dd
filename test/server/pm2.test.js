import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { describe, it } from 'node:test';
import { ownerOf } from '../../server/workers.js';
import { withPm2 } from '../support/pm2.js';
import { openSession } from '../support/sockjs-session.js';

const WORKERS = 3;
/** pino's number for it. */
const INFO = 30;
const NODE_TRANSPORTS = ['websocket', 'xhr-streaming', 'eventsource', 'xhr-polling'];

describe('ownerOf', () => {
  it('is the same wherever it is asked, and shares sessions out evenly', () => {
    const counts = [0, 0, 0, 0];
    for (let i = 0; i < 4000; i++) counts[ownerOf(`session${i}`, 4)]++;
    // A fair die of four sides falls outside this range in 4000 throws once in more than a million times.
    assert.ok(
      counts.every((count) => count > 860 && count < 1140),
      String(counts),
    );
    assert.equal(ownerOf('abcdefgh', 1), 0);
  });
});

describe('ecosystem.config.js', () => {
  it('starts a worker per WORKERS, waits until all are ready, carries every SockJS transport over them without a proxy, gathers their metrics, and lets them drain', () =>
    withPm2({ workers: WORKERS }, async ({ pm2, list, origin, port }) => {
      // They answer at once: pm2 start came back only when each had said that it listens.
      for (let worker = 0; worker < WORKERS; worker++) {
        const own = `http://127.0.0.1:${port + 1 + worker}`;
        assert.equal((await (await fetch(`${own}/ajaxecho?whoami=1`)).json()).worker, worker);
        assert.equal((await fetch(`${own}/readyz`)).status, 200);
      }

      for (const transport of NODE_TRANSPORTS) {
        const sessions = await Promise.all(Array.from({ length: 10 }, () => openSession(`${origin}/echo`, transport)));
        for (const session of sessions) {
          for (const count of [1, 2, 3]) assert.deepEqual(await session.ask({ count }), { count: count + 1 });
        }
        const answerers = new Set();
        for (const session of sessions) answerers.add((await session.ask({ whoami: true })).worker);
        assert.ok(answerers.size > 1, `${transport}: ten sessions on worker ${[...answerers]} alone`);
        for (const session of sessions) session.close();
      }

      const metrics = await (await fetch(`${origin}/metrics`)).text();
      for (let worker = 0; worker < WORKERS; worker++) {
        assert.match(metrics, new RegExp(`^nodejs_eventloop_lag_seconds{.*worker="${worker}".*} `, 'm'));
      }
      for (const transport of NODE_TRANSPORTS) {
        const echoes = [...metrics.matchAll(/^sockshootout_echoes_total\{(.*)\} (\d+)$/gm)]
          .filter(([, labels]) => labels.includes(`transport="sockjs ${transport}"`))
          .reduce((sum, [, , count]) => sum + Number(count), 0);
        assert.equal(echoes, 40, transport);
      }

      await pm2('stop', 'sockshootout');
      const ends = (await list()).map(({ pm2_env: { status, exit_code } }) => [status, exit_code]);
      assert.deepEqual(ends, Array(WORKERS).fill(['stopped', 0]));
    }));
});

describe('a session’s requests that come in at the shared port', () => {
  it('reach its owner, but for the workers’ own; a visitor who leaves is no failure', () =>
    withPm2({ workers: 2 }, async ({ pm2, origin, readLogs }) => {
      for (const sessionId of ['one', 'two', 'three', 'four']) {
        /** @param {string} action */
        const post = (action) => startPost(`${origin}/echo/000/${sessionId}/${action}`);
        assert.deepEqual(await post('xhr').answer, [200, 'o\n']);
        // pm2 gives every worker the next connection, so one of two comes in at the worker that is not the owner.
        assert.deepEqual([(await post('close').answer)[0], (await post('close').answer)[0]], [404, 404]);

        // SockJS refuses the poll that reaches it as the second: then the other one has reached it, too.
        const polls = [post('xhr'), post('xhr')];
        const [refused, text] = await Promise.race(
          polls.map(({ answer }, index) => answer.then(([, body]) => [index, body])),
        );
        assert.equal(text, 'c[2010,"Another connection still open"]\n');
        const left = polls[1 - Number(refused)];
        left.leave();
        await assert.rejects(left.answer, { code: 'ECONNRESET' });
      }
      await pm2('stop', 'sockshootout');
      const failures = (await readLogs()).filter(({ level }) => level > INFO);
      assert.deepEqual(failures, []);
    }));
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
