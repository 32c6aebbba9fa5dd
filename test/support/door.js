/**
 * A door to a site, on a port of its own, which can be shut: to its visitor that is a server that goes away and comes back.
 */
import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/** @import { AddressInfo, Server, Socket } from 'node:net' */

const HOST = '127.0.0.1';

/** @param {string} request @returns {boolean} whether it asks for a WebSocket */
export const isUpgrade = (request) => /^upgrade: websocket\r$/im.test(request);

/**
 * @param {string} origin of the site behind it
 * @param {object} [options]
 * @param {number} [options.answerMs] how long each answer takes longer: a page that sends the next message at once makes
 *   thousands in a second, and Playwright hears of each, so that what a test asks of that page waits behind them
 * @param {(request: string) => boolean} [options.refuses] a connection for what the visitor sends
 */
export async function openDoor(origin, { answerMs = 0, refuses = () => false } = {}) {
  const behind = { host: HOST, port: Number(new URL(origin).port) };
  /** @type {Set<Socket>} */
  const sockets = new Set();
  let port = 0;
  /** @type {Server | undefined} */
  let listener;

  /** @param {Socket} visitor */
  function admit(visitor) {
    const site = connect(behind);
    const ends = [visitor, site];
    for (const socket of ends) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        // What is on its way arrives before the end does.
        later(() => ends.forEach((end) => end.destroy()));
      });
    }
    visitor.on('data', (data) => {
      if (refuses(data.toString('latin1'))) visitor.destroy();
      else site.write(data);
    });
    site.on('data', (data) => later(() => visitor.write(data)));
  }

  /** In the order in which they come. @param {() => void} pass */
  const later = (pass) => void setTimeout(pass, answerMs);

  const door = {
    get origin() {
      return `http://${HOST}:${port}`;
    },
    async open() {
      listener = createServer(admit).listen(port, HOST);
      await once(listener, 'listening');
      port = /** @type {AddressInfo} */ (listener.address()).port;
    },
    /** Breaks every connection; no other can be made. */
    async shut() {
      if (!listener?.listening) return;
      const closed = once(listener, 'close');
      listener.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
  await door.open();
  return door;
}
