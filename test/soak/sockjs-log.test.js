/**
 * What a client can bring about with each of its requests fills no log.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
import { spawnServer } from '../support/server.js';

const ERROR = 50;
const SESSION = '/echo/000/session';

describe('the log of a server whose clients send SockJS what it cannot read', () => {
  /** @type {ReturnType<typeof spawnServer>} */
  let server;
  /** @type {string} */
  let origin;
  /** @type {{ level: number, msg: string }[]} */
  const lines = [];
  before(async () => {
    server = spawnServer();
    origin = await server.origin((line) => lines.push(JSON.parse(line)));
    await (await fetch(`${origin}${SESSION}/xhr`, { method: 'POST' })).text();
  });
  after(() => server.stop());

  /** @param {string} action @param {string} type @param {string} body */
  const send = (action, type, body) =>
    fetch(`${origin}${SESSION}/${action}`, { method: 'POST', headers: { 'Content-Type': type }, body });

  it('has no line of an unknown content type, which is answered as SockJS answers it', async () => {
    for (let i = 0; i < 20; i++) {
      for (const action of ['jsonp_send', 'xhr_send']) {
        const response = await send(action, `application/x-${i}`, '["{\\"count\\":1}"]');
        assert.deepEqual([response.status, await response.text()], [500, 'Payload expected.']);
      }
    }
    for (let i = 0; i < 20; i++) assert.equal((await send('xhr_send', 'text/plain', '{"__proto__":null}')).status, 500);
    // All that was to be logged is in the log, once the server has ended.
    server.child.kill('SIGTERM');
    await once(server.child, 'close');
    const errors = lines.filter(({ level }) => level >= ERROR);
    assert.ok(lines.length > 0 && errors.length <= 1, JSON.stringify(errors));
    assert.ok(errors.every(({ msg }) => !msg.includes('content-type')));
  });
});
