/**
 * A copy of the site's sources, for tests that add something to them.
 */
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

const COPIED = ['core', 'cli', 'public', 'server', 'views', 'server.js', 'package.json', 'package-lock.json'];

/** @returns {Promise<string>} the folder, which has its packages from here */
export async function copySite() {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'sockshootout-'));
  await Promise.all(COPIED.map((name) => cp(name, path.join(folder, name), { recursive: true })));
  await symlink(path.resolve('node_modules'), path.join(folder, 'node_modules'));
  return folder;
}

/** @param {string} folder */
export const removeCopy = (folder) => rm(folder, { recursive: true, force: true });
