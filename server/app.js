/**
 * One server: the echo endpoints on node:http itself, behind the gate, and Express for everything else. SockJS answers
 * beneath Express, so AJAX must, too, or the site would measure Express.
 */
import { setFlagsFromString } from 'node:v8';
import { loadAssets } from './assets.js';
import { createAt, requireOwnBasePath } from './base-path.js';
import { createEndpoints } from './endpoints/index.js';
import { onFailure } from './http/boundary.js';
import { watchConnections } from './http/connections.js';
import { Gate } from './http/gate.js';
import { createFieldRecords } from './field/records.js';
import { findFieldScript } from './field/script.js';
import { createFieldStudies } from './field/studies.js';
import { createUsersReader } from './field/users.js';
import { createIdentity } from './http/identity.js';
import { LIMITS } from './http/limits.js';
import { closeGently } from './http/node-server.js';
import { openHttpServer } from './http-server.js';
import { pathsOf } from './paths.js';
import { createArchive } from './saved-runs/archive.js';
import { createDocuments } from './saved-runs/documents.js';
import { createSite } from './site.js';
import { createTurnQueue, FRAME_WORK } from './http/turns.js';
import { Metrics } from './telemetry/metrics.js';
import { createTraffic } from './telemetry/traffic.js';
import { createRelayMark, createVisitorOf } from './workers.js';

/**
 * @import { Server } from 'node:http'
 * @import { Logger } from 'pino'
 * @import { Config } from './config.js'
 * @import { Limits } from './http/limits.js'
 * @import { ServedPath } from './paths.js'
 * @import { Documents } from './saved-runs/documents.js'
 * @import { Store } from './store/index.js'
 *
 * @typedef {(answer: () => void) => void} DelayAnswer calls it, now or later
 */

/**
 * Creates the servers of one worker.
 * @param {{ config: Config, log: Logger, store: Store, delayAnswer?: DelayAnswer, limits?: Partial<Limits>, clock?: () =>
 *   Date, documents?: Documents }} options
 *   `store`: opened and migrated; its opener closes it after the drain; `limits`: those that differ from the defaults;
 *   `clock`: the time at which runs are saved; `delayAnswer`: delays the answers of `/ajaxecho` and SockJS, for tests with
 *   a known truth; `documents`: what reads documents, by default a thread of its own, closed by the drain
 * @throws {Error} where BASE_PATH is below a path of the site's own
 * @returns {Promise<{ server: Server, ownServer?: Server, paths: readonly ServedPath[], drain(): Promise<void> }>} `server`:
 *   at the port that all workers share, not listening yet; `ownServer`: at this worker's own port; `paths`: all that are
 *   answered; `drain` accepts no more, closes every session (1001), lets answers finish, and ends the rest at the limit
 */
export async function createApp({
  config,
  log,
  store,
  limits: otherLimits,
  clock,
  delayAnswer,
  documents = createDocuments({ clock, limits: { ...LIMITS, ...otherLimits } }),
}) {
  // When many objects of a kind survive the start, V8 may allocate all further ones among those that last. There each keeps its
  // request alive for long: 7 of 24 processes on Node 20 spent 1.5 to 1.8 times the CPU on an echo.
  setFlagsFromString('--no-allocation-site-pretenuring');
  const { workers } = config;
  const limits = { ...LIMITS, ...otherLimits };
  const { secret: given } = config.jobs;
  // Workers and servers with the same secret accept each other's job IDs.
  const readSecret = given === undefined ? store.getSecret('jobs') : Buffer.from(given);
  const [assets, secret] = await Promise.all([loadAssets(), readSecret]);
  const metrics = new Metrics({ worker: config.server.worker });
  let isDraining = false;
  const isReady = () => !isDraining;
  const turns = createTurnQueue(limits.allFramesPerTurn * FRAME_WORK);
  const relayMark = createRelayMark({ secret, workers });
  const visitorOf = createVisitorOf({ relayMark, trustProxy: config.trustProxy });
  const identity = createIdentity(config);
  const { allowedOrigins } = config;
  const gate = new Gate({ allowedOrigins, identity, isReady, limits, metrics, turns, visitorOf });
  const traffic = createTraffic({ limits, visitorOf, countSocketEchoes: () => metrics.socketEchoCount() });
  const at = createAt(config.basePath);
  const common = { at, gate, identity, isReady, limits, metrics, traffic, turns, relayMark, visitorOf, log };
  const sockjsUrl = at(assets.url('vendor/sockjs.js'));
  const { endpointAt, closeAll, paths } = createEndpoints({
    ...common,
    config,
    jobSecret: secret,
    delayAnswer,
    sockjsUrl,
  });
  const archive = createArchive({ store, clock });
  const field = {
    fieldRecords: createFieldRecords({ store, clock }),
    fieldStudies: createFieldStudies({ store, clock }),
    fieldScript: findFieldScript(assets),
    usersReader: createUsersReader(store),
  };
  const site = createSite({ ...common, ...field, config, assets, store, archive, documents });
  const stopReporting = onFailure((error) => {
    metrics.refused('internal');
    log.error({ err: error }, 'a request or a listener of a client failed');
  });

  const allPaths = [...paths, ...pathsOf(site.router)];
  requireOwnBasePath(config.basePath, allPaths);
  const openServer = () => openHttpServer({ ...common, basePath: config.basePath, endpointAt, site: site.listen });
  const server = openServer();
  const ownServer = workers && openServer();
  watchConnections(server, { ...common, isBehindProxy: config.trustProxy > 0 });
  return {
    server,
    ownServer,
    paths: allPaths,
    async drain() {
      isDraining = true;
      closeAll();
      await Promise.all([server, ownServer].map((one) => one && closeGently(one, limits)));
      await documents.close();
      stopReporting();
    },
  };
}
