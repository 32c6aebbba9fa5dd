/**
 * Starts the release of this file beside the running one, and requests its pages: a release that does not start, or has
 * a broken view, or wrong settings, must not replace one that works.
 *
 * usage: node deploy/try-release.js [PLACE...]   addresses of the running release, which it will release
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { endChild, readUntil } from '../cli/program/child.js';
import { ask, checkFree, listPlaces, originOf } from './places.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PATHS = ['/healthz', '/readyz', '/', '/ajaxtest', '/socktest'];
const START_LIMIT_MS = 20_000;

try {
  const places = listPlaces();
  await tryPages(places[0].host);
  const heldPorts = process.argv.slice(2).map((place) => Number(place.split(':').at(-1)));
  await checkFree(places.filter(({ port }) => !heldPorts.includes(port)));
} catch (error) {
  process.stderr.write(`${/** @type {Error} */ (error).message}\n`);
  process.exitCode = 1;
}

/** @param {string | undefined} host */
async function tryPages(host) {
  // It listens on any free port.
  const env = { ...process.env, PORT: '0', LOG_LEVEL: 'info' };
  const server = spawn(process.execPath, ['server.js'], { cwd: ROOT, env });
  try {
    const readPort = (/** @type {string} */ line) => /"port":(\d+)/.exec(line)?.[1];
    const port = Number(await readUntil(server, readPort, { limitMs: START_LIMIT_MS }));
    for (const path of PATHS) await ask(originOf({ host, port }) + path);
  } finally {
    await endChild(server);
  }
}
