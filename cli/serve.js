/** `sockshootout serve`: starts the site, in this process or in several. Its options are settings with shorter names. */
import { InvalidInputError } from '../core/base/foreign-text.js';
import { describeSite, parseConfig } from '../server/config.js';
import { createCommand, parseArguments } from './program/command.js';
import { UsageError } from './program/program.js';

/**
 * @import { Config } from '../server/config.js'
 * @import { Values } from './program/command.js'
 */

/** The setting of each option. */
const SETTINGS = Object.freeze({ port: 'PORT', host: 'HOST', data: 'DATA_DIR', workers: 'WORKERS' });

const createServe = () =>
  createCommand(
    'npx sockshootout serve',
    'Starts the site, and prints its address and the folder of the shared runs. Ctrl-C stops it. `npx sockshootout` does the same.',
  )
    .option('--port <n>', 'port to listen on; default: 8000')
    .option('--host <name>', 'host name or address to listen on; default: all interfaces')
    .option('--data <path>', 'folder of the shared runs, created if missing; default: data, in the current folder')
    .option('--workers <n>', 'number of processes that share the port; default: 1')
    .addHelpText(
      'after',
      `
These options override PORT, HOST, DATA_DIR and WORKERS. All other settings are environment variables: see docs/configuration.md.
The log has one line of JSON per event, by default only warnings and errors. LOG_LEVEL=info adds requests.`,
    );

/** @param {string[]} args @returns {Promise<number | undefined>} the exit code; the site sets its own */
export async function main(args) {
  const values = parseArguments(createServe(), args);
  // People who start the site by hand read the log in a terminal, where a line per request hides the address.
  process.env.LOG_LEVEL ||= 'warn';
  for (const [option, setting] of Object.entries(SETTINGS)) {
    const value = values[option];
    // An empty setting means the default, but an empty option comes from a script's unset variable: with --host, the site would
    // listen everywhere.
    if (value === '')
      throw new UsageError(`--${option}: expected a value, got none; leave the option out for the default`);
    if (value !== undefined) process.env[setting] = value;
  }
  // Checked here, once: each worker would print the same error.
  const areSeveral = Number(process.env.WORKERS) > 1;
  const config = parseSettings({ ...process.env, ...(areSeveral && { NODE_APP_INSTANCE: '0' }) }, values);
  const site = areSeveral ? await startSeveral(config) : (await import('../server.js')).site;
  if (site) {
    process.stdout.write(`SockShootout: ${site.url}\nShared runs:  ${site.data}\nTo stop it, press Ctrl-C.\n`);
  }
  return undefined;
}

/**
 * @param {NodeJS.ProcessEnv} env @param {Values} values of the options @returns {Config}
 * @throws {UsageError} that names an option where it was given, and else its setting
 */
function parseSettings(env, values) {
  try {
    return parseConfig(env);
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    const given = Object.entries(SETTINGS).filter(([option]) => values[option] !== undefined);
    const message = given.reduce(
      (text, [option, setting]) => text.replace(new RegExp(`^${setting}: `, 'm'), `--${option}: `),
      error.message,
    );
    throw new UsageError(message, { cause: error });
  }
}

/** @param {Config} config @returns {Promise<{ url: string, data: string } | undefined>} absent if the workers end instead */
async function startSeveral(config) {
  const { startWorkers } = await import('../server/cluster.js');
  return (await startWorkers(config)) ? describeSite(config, config.port) : undefined;
}
