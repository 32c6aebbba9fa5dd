/**
 * `sockshootout results`: manages the shared runs.
 */
import { StoreError } from '../../server/store/store-error.js';
import { RunError } from '../program/errors.js';
import { EXIT } from '../program/run-program.js';
import { carryOut } from './commands.js';
import { HELP, parseResultsOptions } from './options.js';

/**
 * @param {string[]} args
 * @returns {Promise<number>} the exit code
 */
export async function main(args) {
  const { command, isJson } = parseResultsOptions(args);
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
  // Loaded here, as it takes longer than to explain what the program does, or which argument is wrong.
  const [{ parseConfig }, { openStore }] = await Promise.all([
    import('../../server/config.js'),
    import('../../server/store/index.js'),
  ]);
  const { dataDir, databaseUrl: url } = parseConfig().store;
  try {
    return await openStore({ url, dataDir, mustExist: true });
  } catch (error) {
    throw new RunError(/** @type {Error} */ (error).message);
  }
}
