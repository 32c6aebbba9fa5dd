/**
 * pm2's cluster alone, with no proxy to keep a session's requests together: every transport, from a real browser.
 * (From Node: test/soak/pm2.test.js.)
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { launchBrowser } from '../../test/support/browser.js';
import { withPm2 } from '../../test/support/pm2.js';
import { openTab } from '../../test/support/tab.js';
import { SOCKETIO_SCRIPT, visitFromPage, visitOverSocketio } from './support/page-sessions.js';

const WORKERS = 3;

/** Over HTTP/1.1 a browser has six connections to a site, and each of these holds one while another sends. */
const SESSIONS_AT_ONCE = 4;
const ROUNDS = 3;

const MESSAGE_COUNT = 3;
const TRANSPORTS = [
  'websocket',
  'xhr-streaming',
  'eventsource',
  'xhr-polling',
  'iframe-eventsource',
  'iframe-xhr-polling',
  'jsonp-polling',
];

describe('pm2’s cluster alone', () => {
  it('carries every SockJS transport, Socket.IO, AJAX and a native WebSocket from Chromium', () =>
    withPm2({ workers: WORKERS }, async ({ origin }) => {
      const browser = await launchBrowser();
      try {
        const { page, press, rows, idleAfter } = await openTab(browser, `${origin}/socktest`);
        for (const transport of TRANSPORTS) {
          const options = { transport, sessionCount: SESSIONS_AT_ONCE, messageCount: MESSAGE_COUNT };
          for (let round = 0; round < ROUNDS; round++) {
            const seen = (await visitFromPage(page, options)).map((visit) => [visit.transport, ...visit.counts]);
            assert.deepEqual(seen, Array(SESSIONS_AT_ONCE).fill([transport, 1, 2, 3]));
          }
        }
        await page.addInitScript({ path: SOCKETIO_SCRIPT });
        await page.reload();
        for (let round = 0; round < ROUNDS; round++) {
          const options = { sessionCount: SESSIONS_AT_ONCE, messageCount: MESSAGE_COUNT };
          const { visits } = await visitOverSocketio(page, options);
          const seen = visits.map((visit) => [visit.transport, ...visit.counts]);
          assert.deepEqual(seen, Array(SESSIONS_AT_ONCE).fill(['websocket', 1, 2, 3]));
        }
        const answer = await page.evaluate(
          () =>
            new Promise((resolve, reject) => {
              const socket = new WebSocket(`${location.origin.replace('http', 'ws')}/ws`);
              socket.onopen = () => socket.send('{"count":7}');
              socket.onmessage = ({ data }) => resolve(data);
              socket.onerror = reject;
            }),
        );
        assert.equal(answer, '{"count":6}');

        await page.goto(`${origin}/ajaxtest`);
        await press('100');
        await press('Measure');
        await idleAfter(1);
        const [cells] = await rows();
        assert.deepEqual([cells[0], cells[7], cells[8]], ['100', '100', '0']);
      } finally {
        await browser.close();
      }
    }));
});
