import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { WebSocket } from 'ws';
import { measurement } from '../../../../core/experiments/stream/measure.js';
import { openSocket } from '../../../../core/net/channel/index.js';
import { planOf } from '../../../support/streams.js';
import { withServer } from '../../../support/two-workers.js';

/** @import { StreamClient } from '../../../../core/net/stream/index.js' */

/**
 * Measures two blocks by a method whose first stream is refused: a request as by a server that restarts, a message as one that asks for
 * too little.
 * @param {string} origin @param {string} method
 */
async function measureFailingOnce(origin, method) {
  const plan = planOf(`methods=${method}&today=${method}&pieces=5&rate=0&blocks=2`);
  let askedCount = 0;
  /** @type {any} */
  const given = { baseUrl: origin, protocol: () => 'http/1.1' };
  /** @type {StreamClient} */
  const client = {
    ...given,
    fetch: async (url, init) => (askedCount++ === 0 ? new Response('{}', { status: 503 }) : fetch(url, init)),
    openSocket(kind, path) {
      const socket = openSocket(kind, origin + path, { library: WebSocket });
      const send = socket.send.bind(socket);
      socket.send = (text) =>
        send(askedCount++ === 0 ? JSON.stringify({ ...JSON.parse(String(text)), pieces: 0 }) : text);
      return socket;
    },
  };
  const readTraffic = async () => assert.fail();
  const options = { plan, createClient: () => client, readTraffic, now: () => performance.now() };
  const shared = measurement.open?.(options);
  const trials = [];
  for (const planned of measurement.trialsOf(plan))
    trials.push(await measurement.runTrial(planned, { ...options, shared, progress: { completedCount: 0 } }));
  shared?.close();
  return { trials, askedCount };
}

describe('a run of streams', () => {
  for (const method of ['fetch', 'ws-open'])
    it(`warms ${method} up again where its warm-up failed, and measures nothing before`, () =>
      withServer({}, async ({ origin }) => {
        const { trials, askedCount } = await measureFailingOnce(origin, method);
        assert.deepEqual(
          trials.map((trial) => [trial?.streams[0].atMs.length, trial?.streams[0].failure?.outcome]),
          [
            [0, 'rejected'],
            [5, undefined],
          ],
        );
        // The warm-up that failed, another one, and the trial.
        assert.equal(askedCount, 3);
        assert.equal(trials[1]?.keptSetUpMs !== undefined, method === 'ws-open');
      }));
});
