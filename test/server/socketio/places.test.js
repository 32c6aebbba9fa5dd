/** The places that sessions over Socket.IO hold. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { untilTrue } from '../../support/job-client.js';
import { countOpen } from '../../support/metrics.js';
import { openRaw, requestHead, upgradeHead } from '../../support/payload-client.js';
import { sendRaw } from '../../support/raw-http.js';
import {
  messageOf,
  openPolling,
  openSocketioSession,
  POLLING,
  SOCKETIO_PATH,
  upgradeSession,
  WEBSOCKET,
} from '../../support/socketio-session.js';
import { withServer } from '../../support/two-workers.js';
import { openWebSocket } from '../../support/web-socket.js';

describe('the places of sessions over Socket.IO', () => {
  const LIMITS = { sessionCount: 2 };

  it('are one for each that polls, and free after its end', () =>
    withServer({ limits: LIMITS }, async (server) => {
      const sessions = [await openPolling(server.origin), await openPolling(server.origin)];
      await assert.rejects(openPolling(server.origin), /status 503/);
      await assert.rejects(openWebSocket(`ws://127.0.0.1:${server.port}${WEBSOCKET}`), /status 503/);
      for (const { post } of sessions) assert.equal((await post('1')).status, 200);
      assert.equal(await countOpen(server, 'socketio'), 0);
      const again = [await openPolling(server.origin), await openPolling(server.origin)];
      for (const { post } of again) await post('1');
    }));

  it('are one for each after its upgrade, too, and free after its end', () =>
    withServer({ limits: LIMITS }, async (server) => {
      for (let round = 0; round < 3; round++) {
        const session = await (await openPolling(server.origin)).connect();
        const upgraded = await upgradeSession(server.port, session);
        assert.equal(await upgraded.ask(messageOf({ count: 1 })), messageOf({ count: 2 }));
        // There is room for a second, and for no third.
        const second = await openPolling(server.origin);
        await assert.rejects(openPolling(server.origin), /status 503/);
        await second.post('1');
        upgraded.socket.close();
        await upgraded.closed;
        await untilTrue(async () => (await countOpen(server, 'socketio')) === 0);
      }
    }));

  it('are kept by polling where the upgrade finds none, and the session goes on', () =>
    withServer({ limits: { sessionCount: 1 } }, async (server) => {
      const session = await openSocketioSession(`${server.origin}/socket.io`);
      assert.deepEqual(await session.ask({ count: 1 }), { count: 2 });
      assert.equal(session.transport(), 'polling');
      session.close();
      await session.closed;
    }));

  it('are not taken by an upgrade that its client gives up', () =>
    withServer({ limits: LIMITS }, async (server) => {
      const session = await (await openPolling(server.origin)).connect();
      for (let i = 0; i < 5; i++) {
        const path = `ws://127.0.0.1:${server.port}${WEBSOCKET}&sid=${session.sid}`;
        let probing = await openWebSocket(path).catch(() => undefined);
        while (!probing) probing = await openWebSocket(path).catch(() => undefined);
        if (i % 2) assert.equal(await probing.ask('2probe'), '3probe');
        probing.close();
        await probing.closed;
      }
      assert.deepEqual(await session.ask({ count: 1 }), { count: 2 });
      await session.post('1');
    }));

  it('are not taken by handshakes that are refused, each with an answer in our words', () =>
    withServer({ limits: LIMITS }, async (server) => {
      const { sid } = await openPolling(server.origin);
      for (const [method, path, code] of [
        ['GET', '/socket.io/', 'bad-field'],
        ['GET', '/socket.io/?EIO=3&transport=polling', 'bad-field'],
        ['GET', '/socket.io/?transport=polling', 'bad-field'],
        ['GET', `${SOCKETIO_PATH}&EIO=4&transport=polling`, 'bad-field'],
        ['GET', `${SOCKETIO_PATH}&transport=webtransport`, 'bad-field'],
        ['GET', SOCKETIO_PATH, 'bad-field'],
        ['POST', POLLING, 'bad-field'],
        ['GET', `${POLLING}&sid=`, 'no-session'],
        ['GET', `${POLLING}&sid=unknown`, 'no-session'],
        ['POST', `${POLLING}&sid=__proto__`, 'no-session'],
        ['GET', `${POLLING}&sid=${sid}&sid=${sid}`, 'bad-field'],
        ['GET', `${POLLING}&sid=unknown&s%69d=${sid}`, 'bad-field'],
      ]) {
        const response = await fetch(server.origin + path, { method });
        assert.deepEqual([response.status, (await response.json()).error.code], [400, code], `${method} ${path}`);
      }
      const upgrade = await fetch(server.origin + WEBSOCKET);
      assert.deepEqual([upgrade.status, (await upgrade.json()).error.code], [426, 'upgrade-required']);
      for (const path of [`${WEBSOCKET}&sid=unknown`, POLLING, `${WEBSOCKET}&EIO=3`]) {
        assert.match(await sendRaw(server.port, upgradeHead(path)), /^HTTP\/1\.1 400 [^]*\{"error":\{"code"/, path);
      }
      assert.equal(await countOpen(server, 'socketio'), 1);
      assert.equal((await openPolling(server.origin)).opened.upgrades.join(), 'websocket');
    }));

  it('are not passed by where a URL is written so that its parser reads no session’s ID in it', () =>
    withServer({ limits: LIMITS }, async (server) => {
      for (const write of [
        (/** @type {string} */ sid) => `sid=${sid}`,
        (/** @type {string} */ sid) => `x=#&sid=${sid}`,
        (/** @type {string} */ sid) => `sid=${sid}&x=\\#&y`,
      ]) {
        const { sid, post } = await openPolling(server.origin);
        await post('40');
        const target = `${POLLING}&${write(sid)}`;
        const answer = await sendRaw(server.port, `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
        assert.match(answer, /\r\n\r\n40\{/, target);
        assert.equal(await countOpen(server, 'socketio'), 1);
        await post('1');
      }
    }));

  it('are not given while the worker drains: 503', () =>
    withServer({ limits: { idleGraceMs: 60_000, drainMs: 60_000 } }, async (server) => {
      const client = await openRaw(server.port);
      client.send(requestHead('/healthz'));
      await client.received(1);
      const other = await openRaw(server.port);
      other.send(requestHead('/healthz'));
      await other.received(1);
      const drained = server.drain();
      client.send(requestHead(POLLING));
      other.send(upgradeHead(WEBSOCKET));
      await Promise.all([client.closed, other.closed]);
      for (const { text } of [client, other]) assert.match(text(), /HTTP\/1\.1 503 [^]*"draining"/);
      await drained;
    }));
});
