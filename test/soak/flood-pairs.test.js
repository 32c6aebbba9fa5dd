/**
 * Every path at which the server takes sockets, under every flood.
 */
import { after, before, describe, it } from 'node:test';
import { FLOOD_KINDS } from '../support/flood.js';
import { checkFlood, openWatchedServer } from '../support/flood-checks.js';
import { listSocketPaths } from '../support/socket-paths.js';

/** @import { WatchedServer } from '../support/flood-checks.js' */

/** @type {WatchedServer} */
let watched;
before(async () => {
  watched = await openWatchedServer();
});
after(() => watched.server.close());

for (const path of await listSocketPaths()) {
  describe(`the socket at ${path.example}`, () => {
    for (const kind of FLOOD_KINDS) {
      for (const reads of [true, false]) {
        it(`handles ${kind} of a client that ${reads ? 'reads' : 'does not read'} bit by bit`, () =>
          checkFlood(watched, { path, kind, reads }));
      }
    }
  });
}
