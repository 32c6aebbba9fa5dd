import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { describe, it } from 'node:test';
import { ask, eventsOf, LONG, make, RUN, untilTrue } from '../../support/job-client.js';
import { openRaw, requestHead } from '../../support/payload-client.js';
import { messageOf, openPackets } from '../../support/socketio-session.js';
import { openSession } from '../../support/sockjs-session.js';
import { withServer } from '../../support/two-workers.js';
import { openWebSocket } from '../../support/web-socket.js';

/** @import { Server } from 'node:http' */

describe('a server with limits for jobs', () => {
  it('limits the jobs that clients wait for, by any delivery method, and frees their places afterwards', () =>
    withServer({ env: { TRUST_PROXY: '1' }, limits: { waitingJobCount: 3 } }, async ({ origin, port }) => {
      const { id } = await make(origin, LONG);
      const controller = new AbortController();
      const stream = await fetch(`${origin}/job/events?ids=${id},${id}`, { signal: controller.signal });
      const headers = { 'X-Forwarded-For': '192.0.2.1' };
      const socket = await openWebSocket(`ws://127.0.0.1:${port}/ws/job?${LONG}`, { headers });

      const refused = [`/job/${id}?wait=25000`, `/job/events?ids=${id}`];
      for (const target of refused) {
        const { status, answer } = await ask(origin + target);
        assert.deepEqual([status, answer.error.code], [503, 'busy'], target);
      }
      await assert.rejects(openWebSocket(`ws://127.0.0.1:${port}/ws/job`), /status 503/);
      const shared = await openWebSocket(`ws://127.0.0.1:${port}/ws/jobs`);
      assert.equal(JSON.parse(await shared.ask('{}')).error.code, 'busy');
      // A client that polls does not wait.
      assert.equal((await ask(`${origin}/job/${id}`)).status, 200);

      assert.equal(stream.status, 200);
      controller.abort();
      socket.close();
      await untilTrue(async () => JSON.parse(await shared.ask(`{"min":600000,"max":600000}`)).complete === false);
      await untilTrue(async () => (await ask(`${origin}/job/${id}?wait=1`)).status === 200);
      shared.close();
    }));

  it('limits sockets and streams of jobs apart from those of the echoes', () =>
    withServer({ limits: { jobSessionCount: 2, sessionCount: 1 } }, async ({ origin, port }) => {
      const { id } = await make(origin, LONG);
      const controller = new AbortController();
      await fetch(`${origin}/job/events?ids=${id}`, { signal: controller.signal });
      const shared = await openWebSocket(`ws://127.0.0.1:${port}/ws/jobs`);
      const socketioPath = '/socket.io/jobs/?EIO=4';
      for (const socketPath of ['/ws/job', '/ws/jobs', '/jobs/websocket', `${socketioPath}&transport=websocket`]) {
        await assert.rejects(openWebSocket(`ws://127.0.0.1:${port}${socketPath}`), /status 503/, socketPath);
      }
      assert.equal((await ask(`${origin}/job/events?ids=${id}`)).status, 503);
      assert.equal((await ask(`${origin}/jobs/000/abc/xhr`, { method: 'POST' })).status, 503);
      assert.equal((await ask(`${origin}${socketioPath}&transport=polling`)).status, 503);

      const echo = await openWebSocket(`ws://127.0.0.1:${port}/ws`);
      await assert.rejects(openWebSocket(`ws://127.0.0.1:${port}/ws`), /status 503/);
      controller.abort();
      for (const socket of [shared, echo]) socket.close();
    }));

  it('frees waits, streams and open requests when a connection breaks before all was answered', () =>
    withServer({ limits: { jobSessionCount: 5, waitingJobCount: 10 } }, async ({ origin, port }) => {
      const { id } = await make(origin, `${LONG}&trial=${RUN}`);
      const done = await make(origin, 'min=0&max=0');
      const statuses = () =>
        Promise.all(
          [`events?ids=${done.id}`, `${id}?wait=1`].map(async (rest) => (await ask(`${origin}/job/${rest}`)).status),
        );
      const openCount = async () => JSON.parse((await ask(`${origin}/traffic/${RUN}`)).text).workers[0].openCount;
      const clients = await Promise.all(Array.from({ length: 6 }, () => openRaw(port)));
      for (const [i, { send }] of clients.entries())
        send(requestHead(i < 3 ? `/job/events?ids=${id}` : `/job/${id}?wait=25000`));
      await untilTrue(async () => (await openCount()) === 6);
      assert.deepEqual(await statuses(), [429, 429]);
      for (const { socket } of clients) socket.destroy();
      await untilTrue(async () => (await openCount()) === 0);
      assert.deepEqual(await statuses(), [200, 200]);
    }));

  it('counts news that is not sent among the payload in flight, and frees its room afterwards', () =>
    withServer({ limits: { payloadBytesInFlight: 40_000 } }, async ({ origin, port }) => {
      const news = 'min=0&max=0&bytes=50000';
      const { id } = await make(origin, news);
      for (const target of [`/job/${id}`, `/job/${id}?wait=1`]) {
        const { status, answer } = await ask(origin + target);
        assert.deepEqual([status, answer.error.code], [503, 'busy'], target);
      }
      await assert.rejects(ask(`${origin}/job/events?ids=${id}`));
      const single = await openWebSocket(`ws://127.0.0.1:${port}/ws/job?${news}`);
      const shared = await openWebSocket(`ws://127.0.0.1:${port}/ws/jobs`);
      const session = await openSession(`${origin}/jobs`, 'xhr-streaming');
      shared.socket.send('{"min":0,"max":0,"bytes":50000}');
      await session.send('{"min":0,"max":0,"bytes":50000}');
      for (const { closed } of [single, shared, session]) assert.equal((await closed).code, 1013);

      const smaller = await openWebSocket(`ws://127.0.0.1:${port}/ws/jobs`);
      for (let i = 0; i < 5; i++) {
        assert.equal(JSON.parse(await smaller.ask('{"min":0,"max":0,"bytes":30000}')).complete, false);
        assert.equal((await smaller.next()).length, 30_000);
      }
      smaller.close();
      const other = await make(origin, 'min=0&max=0&bytes=30000');
      await untilTrue(async () => (await ask(`${origin}/job/${other.id}`)).status === 200);
      assert.match((await ask(`${origin}/metrics`)).text, /^sockshootout_payload_bytes_in_flight\{.*\} 0$/m);
    }));

  it('closes a socket whose client does not read its news, and keeps no more of it than there is room for', () =>
    withServer({ limits: { payloadBytesInFlight: 1_000_000 } }, async ({ origin, port }) => {
      const inFlight = async () =>
        Number(/^sockshootout_payload_bytes_in_flight\{.*\} (\d+)$/m.exec((await ask(`${origin}/metrics`)).text)?.[1]);
      const shared = await openWebSocket(`ws://127.0.0.1:${port}/ws/jobs`);
      shared.socket.pause();
      // More than the buffers of a connection hold.
      for (let i = 0; i < 250; i++) shared.socket.send('{"min":100,"max":100,"bytes":64000}');
      await untilTrue(async () => {
        const bytes = await inFlight();
        assert.ok(bytes <= 1_000_000, String(bytes));
        return bytes > 0;
      });
      await untilTrue(async () => (await inFlight()) === 0);
      shared.socket.resume();
      // It may have had no time to read why.
      assert.ok([1006, 1013].includes((await shared.closed).code));
    }));

  it('limits the bytes of the news that one socket waits for', () =>
    withServer({ limits: { payloadBytes: 100_000 } }, async ({ port }) => {
      const shared = await openWebSocket(`ws://127.0.0.1:${port}/ws/jobs`);
      const news = '{"min":600000,"max":600000,"bytes":50000}';
      const answers = [];
      for (let i = 0; i < 3; i++) answers.push(JSON.parse(await shared.ask(news)).error?.code);
      assert.deepEqual(answers, [undefined, undefined, 'busy']);
      assert.equal(JSON.parse(await shared.ask('{}')).complete, false);
      shared.close();
    }));

  it('limits the jobs that one connection waits for, so that others have room', () =>
    withServer({ limits: { connectionWaitCount: 3 } }, async ({ origin, port }) => {
      const { id } = await make(origin, LONG);
      const statusOf = async (/** @type {number} */ count) => {
        const client = await openRaw(port);
        client.send(requestHead(`/job/events?ids=${Array(count).fill(id)}`));
        await client.received(1);
        client.socket.destroy();
        return client.text().slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length);
      };
      assert.deepEqual([await statusOf(3), await statusOf(4)], ['200', '503']);
    }));

  it('answers long polls, ends streams and closes sockets with 1001 when it drains', () =>
    withServer({ limits: { idleGraceMs: 0, drainMs: 600_000 } }, async ({ origin, port, drain, server }) => {
      const made = await make(origin, LONG);
      const agent = new Agent({ keepAlive: true });
      const longPoll = request(`${origin}/job/${made.id}?wait=25000`, { agent }).end();
      const stream = fetch(`${origin}/job/events?ids=${made.id}`);
      const sockets = await Promise.all(
        [`/ws/job?${LONG}`, '/ws/jobs'].map((target) => openWebSocket(`ws://127.0.0.1:${port}${target}`)),
      );
      const session = await openSession(`${origin}/jobs`, 'xhr-streaming');
      const packets = await openPackets(port, { path: '/socket.io/jobs/?EIO=4' });
      assert.match(await packets.ask(messageOf('{"min":600000,"max":600000}')), /complete/);
      assert.equal(JSON.parse(await sockets[1].ask('{"min":600000,"max":600000}')).complete, false);
      await stream;
      await untilTrue(async () => (await count(server)) >= 5);

      const drained = drain();
      const [answered] = await once(longPoll, 'response');
      const [body] = await once(answered, 'data');
      assert.deepEqual([answered.headers.connection, JSON.parse(String(body))], ['close', made]);
      assert.deepEqual(eventsOf(await (await stream).text()), []);
      for (const { closed } of [...sockets, session, packets]) assert.equal((await closed).code, 1001);
      await drained;
      agent.destroy();
    }));
});

/** @param {Server} server */
function count(server) {
  return new Promise((resolve, reject) =>
    server.getConnections((error, connections) => (error ? reject(error) : resolve(connections))),
  );
}
