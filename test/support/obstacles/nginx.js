/**
 * A real nginx with no more than it needs, in which one thing is not as WebSockets or streams want it.
 */
import { withNginx } from '../../../deploy/test/support/nginx.js';

/**
 * @typedef {object} Obstacle each in nginx's words
 * @property {string} upgrade what is passed on of a client's Upgrade header
 * @property {string} timeout of an answer that is silent
 * @property {string} answers how those are treated that are no WebSocket
 * @property {string} tls
 */

/** @type {Obstacle} nothing is in the way; the time is longer than any test */
const USUAL = { upgrade: '$http_upgrade', timeout: '1h', answers: 'proxy_buffering off;', tls: '' };

/** @type {Obstacle} */
export const NO_UPGRADE = { ...USUAL, upgrade: '""' };

/**
 * Nothing that the server says about it counts. Over HTTP/1.1 nginx passes on each chunk; over HTTP/1.0, which it speaks
 * unless it is told otherwise, it waits until a buffer is full.
 *
 * @type {Obstacle}
 */
export const BUFFERING = {
  ...USUAL,
  answers: 'proxy_http_version 1.0; proxy_buffering on; proxy_ignore_headers X-Accel-Buffering;',
};

/** @type {Obstacle} */
export const HTTP2 = { ...USUAL, tls: 'ssl http2; ssl_certificate certificate.pem; ssl_certificate_key key.pem' };

/**
 * Compresses streams, too.
 *
 * @param {{ heeds: boolean, isOverTls: boolean }} options `heeds`: it does not buffer what the server asks it not to; `isOverTls`: and
 *   HTTP/2
 * @returns {Obstacle}
 */
export const compressing = ({ heeds, isOverTls }) => ({
  ...(isOverTls ? HTTP2 : USUAL),
  answers: `gzip on; gzip_types text/event-stream application/x-ndjson; gzip_proxied any; gzip_min_length 0; ${heeds ? '' : 'proxy_ignore_headers X-Accel-Buffering;'}`,
});

/** @param {number} ms @returns {Obstacle} */
export const shortTimeout = (ms) => ({ ...USUAL, timeout: `${ms}ms` });

/**
 * @param {number} serverPort on this machine
 * @param {Obstacle} obstacle
 * @param {(proxy: { origin: string, certificate?: Buffer, certificatePath?: string }) => Promise<unknown>} use
 */
export function withNginxObstacle(serverPort, obstacle, use) {
  const isPlain = obstacle.tls === '';
  return withNginx(
    [],
    ({ port, ...certificate }) =>
      use({
        origin: `${isPlain ? 'http' : 'https'}://127.0.0.1:${port}`,
        ...(isPlain ? {} : certificate),
      }),
    (_site, port) => formatSite({ port, serverPort, ...obstacle }),
  );
}

/** @param {{ port: number, serverPort: number } & Obstacle} options */
function formatSite({ port, serverPort, upgrade, timeout, answers, tls }) {
  return `
map ${upgrade} $obstacle_connection {
    '' '';
    default upgrade;
}
server {
    listen 127.0.0.1:${port} ${tls};
    client_max_body_size 20m;
    proxy_http_version 1.1;
    proxy_set_header Host $http_host;
    proxy_set_header X-Forwarded-For $remote_addr;
    proxy_set_header X-Forwarded-Proto $scheme;
    proxy_set_header X-Forwarded-Host $http_host;
    proxy_set_header Upgrade ${upgrade};
    proxy_set_header Connection $obstacle_connection;
    proxy_read_timeout ${timeout};
    proxy_send_timeout ${timeout};
    # An internal mark: to be passed on as a WebSocket is.
    error_page 418 = @socket;
    location / {
        if ($obstacle_connection) {
            return 418;
        }
        ${answers}
        proxy_pass http://127.0.0.1:${serverPort};
    }
    location @socket {
        proxy_pass http://127.0.0.1:${serverPort};
    }
}
`;
}
