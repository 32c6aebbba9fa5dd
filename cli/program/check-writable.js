import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import path from 'node:path';
import { UsageError } from './errors.js';

/**
 * @param {string} file given as --out
 * @throws {UsageError} before anything is measured for it
 */
export async function checkWritable(file) {
  try {
    await access(path.dirname(file), constants.W_OK);
  } catch {
    throw new UsageError(`--out: expected a file in a folder that can be written to, got “${file}”`);
  }
}
