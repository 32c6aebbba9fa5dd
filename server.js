import { createApp } from './server/app.js';
import { parseConfig } from './server/config.js';
import { createLog } from './server/log.js';

/**
 * Ends the program with one line that says why.
 *
 * @param {string} message
 * @returns {never}
 */
function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

function readConfig() {
  try {
    return parseConfig();
  } catch (error) {
    return fail(/** @type {Error} */ (error).message);
  }
}

const config = readConfig();
const log = createLog(config);
const { server, drain } = await createApp({ config, log });

/** @type {Record<string, string>} */
const LISTEN_FAILURES = {
  EADDRINUSE: `PORT: ${config.port} is in use; end the program that holds it, or set PORT to another`,
  EACCES: `PORT: ${config.port} needs rights that this user has not; set PORT to 1024 or more`,
  EADDRNOTAVAIL: `HOST: ${config.host} is no address of this machine`,
  ENOTFOUND: `HOST: ${config.host} is not known`,
};
server.once('error', (/** @type {NodeJS.ErrnoException} */ error) =>
  fail(LISTEN_FAILURES[String(error.code)] ?? error.message),
);

server.listen(config.port, config.host, () => {
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  log.info({ port }, `SockShootout listens on http://${config.host ?? 'localhost'}:${port}`);
  // pm2 waits for this before it sends visitors here.
  process.send?.('ready');
});

for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
  process.once(signal, async () => {
    log.info({ signal }, 'draining');
    await drain();
    log.info('ended');
    process.exit(0);
  });
}
