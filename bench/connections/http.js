import { once } from 'node:events';
import { connect } from 'node:net';
import { createWaiter } from './waiter.js';

/** @import { Connection } from './burst.js' */

/** What Chromium sends with the page's own requests. A server that looks at headers pays for all of them. */
const BROWSER_HEADERS = [
  'Connection: keep-alive',
  'sec-ch-ua-platform: "Linux"',
  'X-Requested-With: XMLHttpRequest',
  'User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/147.0.0.0 Safari/537.36',
  'Accept: application/json, text/javascript, */*; q=0.01',
  'sec-ch-ua: "Chromium";v="147", "Not.A/Brand";v="8"',
  'sec-ch-ua-mobile: ?0',
  'Sec-Fetch-Site: same-origin',
  'Sec-Fetch-Mode: cors',
  'Sec-Fetch-Dest: empty',
  'Accept-Encoding: gzip, deflate, br, zstd',
  'Accept-Language: en-US,en;q=0.9',
];

/**
 * A keep-alive connection that asks `/ajaxecho?count=N`. It is a bare socket: a client on node:http needs several times
 * the CPU of the server it asks, which would then wait most of the time.
 *
 * @param {number} port
 * @returns {Promise<Connection>}
 */
export async function openHttp(port) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await once(socket, 'connect');
  const headers = [`Host: 127.0.0.1:${port}`, ...BROWSER_HEADERS, `Referer: http://127.0.0.1:${port}/ajaxtest`];
  const afterTarget = ` HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`;
  const waiter = createWaiter(socket);
  let text = '';

  socket.setEncoding('latin1');
  socket.on('data', (chunk) => {
    text += chunk;
    const headLength = text.indexOf('\r\n\r\n') + 4;
    const bodyLength = Number(/\r\nContent-Length: (\d+)\r\n/i.exec(text)?.[1]);
    if (headLength < 4 || text.length < headLength + bodyLength) return;
    const body = text.slice(headLength);
    text = '';
    waiter.resolve(JSON.parse(body).count);
  });

  return {
    exchange(count) {
      socket.write(`GET /ajaxecho?count=${count}${afterTarget}`);
      return waiter.next();
    },
    close: () => socket.destroy(),
  };
}
