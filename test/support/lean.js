/**
 * Imported for its effects by tests of servers: they wait for no disk, and for nothing when they are done.
 */
import { statfsSync } from 'node:fs';
import { createRequire } from 'node:module';

const MEMORY = '/dev/shm';
const ENOUGH_BYTES = 1024 ** 3;

// A store waits for the disk at each transaction, and all tests have the same disk. Where a machine has a folder in memory
// and room there, os.tmpdir() names it from here on.
if (hasRoom(MEMORY)) process.env.TMPDIR = MEMORY;

// sockjs-client gives up on /info after 8 s. Where all files of a process wait for two busy cores that is not long.
createRequire(import.meta.url)('sockjs-client/lib/info-receiver.js').timeout = 60_000;

// sockjs-node keeps a session for 5 s after its end, and by that the process. Its timers run as ever while a server listens.
const { Session } = createRequire(import.meta.url)('sockjs/lib/transport.js');
const timers = new WeakMap();
Object.defineProperty(Session.prototype, 'to_tref', {
  get() {
    return timers.get(this);
  },
  set(timer) {
    timers.set(this, timer?.unref());
  },
});

/** @param {string} folder */
function hasRoom(folder) {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= ENOUGH_BYTES;
  } catch {
    return false;
  }
}
