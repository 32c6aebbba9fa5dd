/**
 * SockJS sessions that a page opens. The functions run in the page, so they use nothing from here.
 */

import { fileURLToPath } from 'node:url';

/** @import { Page } from 'playwright-core' */

/**
 * @typedef {object} Visit one session
 * @property {string} transport what it really got
 * @property {number} worker that it was on
 * @property {number[]} counts that it was answered
 */

/**
 * Opens sessions side by side, lets each ask several times, and closes them.
 *
 * @param {Page} page of the site, with SockJS
 * @param {{ transport: string, sessionCount: number, messageCount: number }} options
 * @returns {Promise<Visit[]>}
 */
export async function visitFromPage(page, options) {
  await page.waitForFunction(() => window.SockJS);
  return page.evaluate(({ transport, sessionCount, messageCount }) => {
    const visit = () =>
      new Promise((resolve, reject) => {
        const socket = new window.SockJS('/echo', null, { transports: transport, timeout: 120_000 });
        /** @type {any[]} */
        const answers = [];
        const ask = () =>
          socket.send(JSON.stringify(answers.length ? { count: answers.length - 1 } : { whoami: true }));
        socket.onopen = ask;
        socket.onmessage = ({ data }) => {
          answers.push(JSON.parse(data));
          if (answers.length <= messageCount) {
            ask();
            return;
          }
          const [{ worker }, ...echoes] = answers;
          resolve({
            transport: /** @type {any} */ (socket).transport,
            worker,
            counts: echoes.map(({ count }) => count),
          });
          socket.close();
        };
        socket.onclose = ({ code, reason }) => reject(new Error(`${transport}: closed: ${code} ${reason}`));
      });
    return Promise.all(Array.from({ length: sessionCount }, visit));
  }, options);
}

/** Socket.IO's client as its package has it for pages; it defines `io`. */
export const SOCKETIO_SCRIPT = fileURLToPath(import.meta.resolve('socket.io-client/dist/socket.io.js'));

/**
 * As {@link visitFromPage}, over Socket.IO with its defaults.
 *
 * @param {Page} page of the site, with {@link SOCKETIO_SCRIPT}
 * @param {{ sessionCount: number, messageCount: number }} options
 * @returns {Promise<{ visits: Visit[], protocols: string[] }>} `protocols`: of all its requests but the WebSockets
 */
export function visitOverSocketio(page, options) {
  return page.evaluate(async ({ sessionCount, messageCount }) => {
    const visit = async () => {
      const socket = /** @type {any} */ (window).io(location.origin, { forceNew: true, reconnection: false });
      const { engine } = socket.io;
      await new Promise((resolve, reject) => {
        engine.on('upgrade', resolve);
        for (const event of ['connect_error', 'disconnect']) socket.on(event, reject);
      });
      const ask = (/** @type {object} */ value) =>
        new Promise((resolve) => {
          socket.once('message', resolve);
          socket.emit('message', value);
        });
      const { worker } = await ask({ whoami: true });
      const counts = [];
      for (let count = 0; count < messageCount; count++) counts.push((await ask({ count })).count);
      const transport = engine.transport.name;
      socket.off('disconnect');
      socket.disconnect();
      return { transport, worker, counts };
    };
    const visits = await Promise.all(Array.from({ length: sessionCount }, visit));
    const entries = /** @type {PerformanceResourceTiming[]} */ (performance.getEntriesByType('resource'));
    const own = entries.filter(({ name }) => new URL(name).pathname.startsWith('/socket.io/'));
    return { visits, protocols: [...new Set(own.map(({ nextHopProtocol }) => nextHopProtocol))] };
  }, options);
}

/**
 * Opens sessions that echo three times and then wait; whenever one is closed it is opened anew, as a careful page does.
 * `window.sessions` is what they went through.
 *
 * @param {Page} page
 * @param {string[]} transports one per session
 */
export async function keepSessions(page, transports) {
  // The page loads it while its visitor reads.
  await page.waitForFunction(() => window.SockJS);
  await page.evaluate((names) => {
    /** @type {KeptSession[]} */
    const sessions = names.map((transport) => ({ transport, echoCounts: [], closes: [] }));
    Object.assign(window, { sessions });
    for (const session of sessions) {
      const open = () => {
        const opening = session.echoCounts.push(0) - 1;
        const socket = new window.SockJS('/echo', null, { transports: session.transport, timeout: 120_000 });
        const ask = () => socket.send('{"count":1}');
        socket.onopen = ask;
        socket.onmessage = () => {
          if (++session.echoCounts[opening] < 3) ask();
        };
        socket.onclose = ({ code, reason }) => {
          session.closes.push({ code, reason });
          open();
        };
      };
      open();
    }
  }, transports);
  await sessionsWait(page, 1);
}

/**
 * @typedef {object} KeptSession
 * @property {string} transport
 * @property {number[]} echoCounts one for each time that it was opened
 * @property {{ code: number, reason: string }[]} closes
 */

/**
 * Waits until every kept session has been opened so often, and has its echoes.
 *
 * @param {Page} page
 * @param {number} times
 * @returns {Promise<KeptSession[]>}
 */
export async function sessionsWait(page, times) {
  await page.waitForFunction(
    (count) =>
      /** @type {any} */ (window).sessions.every(
        (/** @type {KeptSession} */ { echoCounts }) => echoCounts.length >= count && echoCounts.at(-1) === 3,
      ),
    times,
    { timeout: 300_000 },
  );
  return page.evaluate(() => /** @type {any} */ (window).sessions);
}
