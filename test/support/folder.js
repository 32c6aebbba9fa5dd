import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

/**
 * Makes a folder, and removes it in the end.
 *
 * @param {(folder: string) => Promise<unknown>} use
 */
export async function withFolder(use) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'sockshootout-'));
  try {
    await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
