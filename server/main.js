/** The site as a process: its start, and its end. */
import { once } from 'node:events';
import { InvalidInputError } from '../core/base/foreign-text.js';
import { createApp } from './app.js';
import { describeSite, parseConfig } from './config.js';
import { LIMITS } from './http/limits.js';
import { leaveCluster } from './http/node-server.js';
import { writeCompiled } from './compile-cache.js';
import { openStore, StoreError } from './store/index.js';
import { answerPulse } from './pulse.js';
import { fail, tell } from './start-failure.js';
import { createLog, flushLog } from './telemetry/log.js';
import { ownPortOf } from './workers.js';

/** @import { Server } from 'node:http' */
/** @import { AddressInfo } from 'node:net' */

const config = await (async () => parseConfig())().catch(fail);
const log = createLog(config);
const store = await openMigrated().catch(fail);
let isEnding = false;
const { server, ownServer, drain } = await createApp({ config, log, store }).catch((error) => {
  // The store may fail when a secret is written; BASE_PATH may be a path of the site's own.
  if (error instanceof StoreError || error instanceof InvalidInputError) fail(error);
  throw error;
});

/** Opens the store and runs pending migrations. Every worker does so at its start; all except the first find none. */
async function openMigrated() {
  const { dataDir, databaseUrl: url } = config.store;
  const opened = await openStore({ url, dataDir, log });
  const migrations = await opened.migrate();
  if (migrations.length > 0) log.info({ migrations }, 'store migrated');
  return opened;
}

/** @param {Server} listener @param {number} port @param {string | undefined} host */
async function listen(listener, port, host) {
  try {
    listener.listen({ port, host, backlog: LIMITS.backlogCount });
    await once(listener, 'listening');
  } catch (error) {
    const { code = '' } = /** @type {NodeJS.ErrnoException} */ (error);
    /** @type {Record<string, string>} */
    const known = {
      EADDRINUSE: `PORT: expected a free port, got ${port}, which is in use; stop the program that uses it, or choose another`,
      EACCES: `PORT: expected a port that this user may use, got ${port}; choose one of 1024 or more`,
      EADDRNOTAVAIL: `HOST: expected an IP address of this machine, got ${host}; leave it out for all of them`,
      ENOTFOUND: `HOST: expected a name with an IP address, got ${host}; check its spelling`,
    };
    fail(code in known ? { message: known[code] } : error);
  }
}

/** Lets answers finish, and ends the program. */
async function end() {
  if (isEnding) return;
  isEnding = true;
  try {
    await drain();
    await store.close();
    log.info('ended');
    await flushLog();
    await leaveCluster();
  } catch (error) {
    log.fatal({ err: error }, 'drain failed');
    process.exitCode = 1;
    await flushLog();
  }
  process.exit();
}

// The handlers come before it listens: whoever waits for that may send a signal at once.
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  // More than once, as npm passes a Ctrl-C on to a program that has received it already.
  process.on(signal, () => {
    if (!isEnding) log.info({ signal }, 'draining');
    void end();
  });
}

// The state is unknown after an uncaught exception, but answers to other clients are in progress.
process.on('uncaughtException', (error) => {
  log.fatal({ err: error }, 'uncaught exception; draining');
  process.exitCode = 1;
  void end();
});

answerPulse();

// Both listen before anything is reported: until pm2 stops this worker's predecessor, either may get a session's
// requests.
await Promise.all([
  listen(server, config.port, config.host),
  config.workers && ownServer && listen(ownServer, ownPortOf(config.workers), '127.0.0.1'),
]);
// pm2 waits for this before it sends visitors here.
process.send?.('ready');

const { port } = /** @type {AddressInfo} */ (server.address());
export const site = describeSite(config, port);
log.info({ port, ...config.workers }, `SockShootout listens on ${site.url}`);
tell(`SockShootout is ready. Open ${site.url}; Ctrl-C ends it.`);
writeCompiled();
