/** `sockshootout serve`: starts the site in this process. Its options are settings, by a shorter name. */
import { FLAG, readArgs, TEXT, UsageError } from './program/program.js';

export const HELP = `usage: npx sockshootout serve [options]

Starts the site, prints its address and the folder of its data, and stops with Ctrl-C. \`npx sockshootout\` does the same.

  --port N      port to listen on; default: 8000
  --host NAME   host name or address to listen on; default: all interfaces
  --data PATH   folder of the shared runs, created if missing; default: data, in the current folder
  --help        print this text

These are the settings PORT, HOST and DATA_DIR. All other settings are environment variables: see docs/configuration.md.
The log has one JSON line per event, and only warnings by default; LOG_LEVEL=info shows requests, too.
`;

/** The setting of each option. */
const SETTINGS = Object.freeze({ port: 'PORT', host: 'HOST', data: 'DATA_DIR' });

/** @param {string[]} args @returns {Promise<number | undefined>} the exit code of the help; the site sets its own */
export async function main(args) {
  const { help, ...values } = readArgs(args, { port: TEXT, host: TEXT, data: TEXT, help: { ...FLAG, short: 'h' } });
  if (help) {
    process.stdout.write(HELP);
    return 0;
  }
  // Those who start a service by hand read a terminal.
  process.env.LOG_LEVEL ||= 'warn';
  for (const [option, setting] of Object.entries(SETTINGS)) {
    const value = values[/** @type {keyof typeof SETTINGS} */ (option)];
    // As a setting it is the default, but here a script's variable is unset, and the site would listen everywhere.
    if (value === '') throw new UsageError(`--${option}: expected a value, got none; leave it out for the default`);
    if (value !== undefined) process.env[setting] = value;
  }
  const { site } = await import('../server.js');
  process.stdout.write(`SockShootout: ${site.url}\nShared runs:  ${site.data}\nTo stop it, press Ctrl-C.\n`);
  return undefined;
}
