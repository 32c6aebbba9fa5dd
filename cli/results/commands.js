/**
 * What each command of `sockshootout results` does and prints.
 */
import { stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { findExperiment } from '../../core/experiments/all.js';
import { openDocument } from '../../core/experiment/documents/contradictions.js';
import { RunError } from '../program/errors.js';
import { formatSavedRun, formatSavedRuns } from './format.js';

/**
 * @import { SavedRun, Store } from '../../server/store/index.js'
 * @import { Command } from './options.js'
 */

/**
 * What a command prints: text, and the value that --json prints.
 *
 * @typedef {{ text: string | Uint8Array, value?: unknown }} Answer `value` is absent where the text is JSON already
 */

/**
 * @param {Exclude<Command, { name: 'help' }>} command
 * @param {Store} store
 * @returns {Promise<Answer>}
 * @throws {RunError} where there is no such run
 */
export async function carryOut(command, store) {
  switch (command.name) {
    case 'list': {
      const runs = await store.list(command);
      return { text: formatSavedRuns(runs), value: runs };
    }
    case 'show':
      return command.isOfDocument ? { text: await readDocument(store, command.id) } : showRun(store, command.id);
    case 'delete': {
      if ((await store.delete(command.id)) !== 'deleted') throw noSuchRun(command.id);
      return { text: `Deleted ${command.id}\n`, value: { deleted: command.id } };
    }
    case 'prune': {
      const before = command.before.toISOString();
      const count = await store.prune(command.before);
      return {
        text: `Deleted runs that were shared before ${before}: ${count}\n`,
        value: { before, deletedCount: count },
      };
    }
    case 'backup': {
      await backUp(store, command.file);
      const { size } = await stat(command.file);
      return { text: `Wrote ${command.file}: ${size} bytes\n`, value: { file: command.file, sizeBytes: size } };
    }
  }
}

/**
 * @param {Store} store
 * @param {string} id
 */
async function showRun(store, id) {
  const run = await store.get(id);
  if (!run) throw noSuchRun(id);
  return { text: formatSavedRun(run, listMarks(run, await readDocument(store, id))), value: run };
}

/**
 * @param {SavedRun} run
 * @param {Uint8Array} json its document
 * @returns {string[]} its contradictions
 */
function listMarks({ experiment, savedAt }, json) {
  const document = JSON.parse(Buffer.from(json).toString());
  const isKnown = document.schema === findExperiment(experiment)?.schema;
  return isKnown ? openDocument(document, { nowMs: Date.parse(savedAt) }).marks : [];
}

/**
 * @param {Store} store
 * @param {string} id
 * @returns {Promise<Uint8Array>} as it was before it was compressed
 */
async function readDocument(store, id) {
  const document = await store.getDocument(id);
  if (!document) throw noSuchRun(id);
  return promisify(gunzip)(document);
}

/**
 * @param {Store} store
 * @param {string} file
 */
async function backUp(store, file) {
  try {
    await store.backup(file);
  } catch (error) {
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
    if (code === 'EEXIST') throw new RunError(`backup: expected a new FILE, got “${file}”, which exists`);
    throw new RunError(message);
  }
}

/** @param {string} id */
function noSuchRun(id) {
  return new RunError(`Expected the ID of a shared run, got “${id}”`);
}
