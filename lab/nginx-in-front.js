/**
 * Our nginx before a server, with TLS and HTTP/2: what `npm run nginx -- --local` writes, at one end of a link.
 */
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLocalSite } from '../deploy/nginx/local.js';
import { parseOptions } from '../deploy/nginx/options.js';
import { requireTools, runCommand } from './command.js';

const PORT = 8443;
const STOP_LIMIT_MS = 5000;
const STOP_LOOK_MS = 20;

/**
 * @template T
 * @param {object} options
 * @param {string} options.address where it listens
 * @param {number} options.serverPort of the server, on the same machine
 * @param {(argv: string[]) => string[]} options.command the command that runs a program there
 * @param {(origin: string, certificate: string) => Promise<T>} use nobody vouches for the certificate of the origin (PEM)
 * @returns {Promise<T>} what `use` gives
 */
export async function withNginxInFront({ address, serverPort, command }, use) {
  await requireTools(['nginx', 'openssl']);
  const folder = await mkdtemp(path.join(os.tmpdir(), 'sockshootout-nginx-'));
  try {
    const words = ['--local', '--folder', folder, '--listen', `${address}:${PORT}`];
    const site = parseOptions([...words, '--upstream', `127.0.0.1:${serverPort}`]);
    if (!site) throw new TypeError('Expected options of a local nginx, got none');
    const { startCommand, stopCommand } = await createLocalSite(site, folder);
    // It comes back once it listens.
    await runCommand(command(['sh', '-c', startCommand]));
    try {
      return await use(`https://${address}:${PORT}`, await readFile(site.certificate, 'utf8'));
    } finally {
      await runCommand(command(['sh', '-c', stopCommand]));
      await ended(folder);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** @param {string} folder */
async function ended(folder) {
  // Its last act is to remove the file with its id.
  for (let waitedMs = 0; waitedMs < STOP_LIMIT_MS; waitedMs += STOP_LOOK_MS) {
    if (!existsSync(path.join(folder, 'nginx.pid'))) return;
    await sleep(STOP_LOOK_MS);
  }
  throw new Error(`nginx in ${folder}: expected to end within ${STOP_LIMIT_MS} ms`);
}
