#!/usr/bin/env node
/**
 * `npm run results`: the saved runs, for the operator.
 */
import { stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { parseConfig } from '../server/config.js';
import { openStore, StoreError } from '../server/store/index.js';
import { RunError } from './errors.js';
import { formatSavedRun, formatSavedRuns } from './format-saved-runs.js';
import { HELP, parseResultsOptions } from './results-options.js';
import { EXIT, runProgram } from './run-program.js';

/**
 * What a command says: as a text, and as the value that --json prints.
 *
 * @typedef {{ text: string | Uint8Array, value?: unknown }} Answer `value` is absent where the text is JSON already
 * @typedef {import('../server/store/index.js').Store} Store
 */

/**
 * @param {Exclude<import('./results-options.js').Command, { name: 'help' }>} command
 * @param {Store} store
 * @returns {Promise<Answer>}
 * @throws {RunError} where there is no such run
 */
async function carryOut(command, store) {
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
      return { text: `Deleted what was saved before ${before}: ${count}\n`, value: { before, deletedCount: count } };
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
  return { text: formatSavedRun(run), value: run };
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
    if (code === 'EEXIST') throw new RunError(`backup: expected a FILE that is not there yet, got “${file}”`);
    throw new RunError(message);
  }
}

/** @param {string} id */
function noSuchRun(id) {
  return new RunError(`Expected the id of a saved run, got “${id}”`);
}

/**
 * @param {string[]} words
 * @returns {Promise<number>} the exit code
 */
async function main(words) {
  const { command, isJson } = parseResultsOptions(words);
  if (command.name === 'help') {
    process.stdout.write(HELP);
    return EXIT.done;
  }
  const store = await open();
  try {
    const { text, value } = await carryOut(command, store);
    process.stdout.write(isJson && value !== undefined ? `${JSON.stringify(value, null, 1)}\n` : text);
    return EXIT.done;
  } catch (error) {
    // It names the file, and what to do.
    throw error instanceof StoreError ? new RunError(error.message) : error;
  } finally {
    await store.close();
  }
}

/** Does not migrate: that is for the release that serves. */
async function open() {
  const { dataDir, databaseUrl: url } = parseConfig().store;
  try {
    return await openStore({ url, dataDir, mustExist: true });
  } catch (error) {
    throw new RunError(/** @type {Error} */ (error).message);
  }
}

await runProgram(main);
