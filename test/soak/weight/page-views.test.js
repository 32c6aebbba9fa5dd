/**
 * What a page costs the server that is in its memory, in times of what an echo over HTTP costs it: both in turns, in one
 * process. Rendered for each visitor, as it once was, it cost 16 times as much.
 */
import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import { once } from 'node:events';
import { it } from 'node:test';
import { median } from '../../../core/base/statistics.js';
import { startMeasuredServer } from '../../support/measured-server.js';

/** @import { IncomingMessage } from 'node:http' */

const MOST_TIMES = 3;
const ROUNDS = 9;
const REQUESTS = 300;

it('a page view costs at most three times the CPU time of an echo', async (context) => {
  const server = await startMeasuredServer({ readMsPerMinute: 1e9 }, [], { onOutput: () => {} });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = async (/** @type {string} */ path) => {
    const sent = request(server.origin + path, { agent, headers: { 'Accept-Encoding': 'gzip, deflate, br' } }).end();
    const [answer] = /** @type {[IncomingMessage]} */ (await once(sent, 'response'));
    assert.equal(answer.statusCode, 200);
    await answer.resume().toArray();
  };
  const costOf = async (/** @type {string} */ path) => {
    const before = await server.cpuMs();
    for (let i = 0; i < REQUESTS; i++) await ask(path);
    return (await server.cpuMs()) - before;
  };
  const ratios = [];
  for (let round = 0; round < ROUNDS; round++) {
    const echo = await costOf('/ajaxecho?count=1');
    ratios.push((await costOf('/')) / echo);
  }
  agent.destroy();
  await server.close();
  const ratio = Number(median(ratios.slice(1)));
  context.diagnostic(`${ratio.toFixed(2)} times`);
  assert.ok(ratio <= MOST_TIMES, `expected at most ${MOST_TIMES} times, got ${ratio.toFixed(2)}`);
});
