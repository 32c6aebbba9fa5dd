#!/usr/bin/env node
/** `npx sockshootout COMMAND`: the command line. Without a command it starts the site. */
import { readFileSync } from 'node:fs';
import { LOADERS } from '../core/experiments/index.js';
import { EXIT, runProgram, UsageError } from './program/program.js';

/**
 * @typedef {object} Command
 * @property {string} name
 * @property {string} summary
 * @property {boolean} [isPlain] it takes no options, only settings
 * @property {() => Promise<{ main?: (args: string[]) => Promise<number> }>} load a program without
 *   `main` runs when it is loaded, and sets its own exit code
 */

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

/** What people want who have just installed the package. */
const DEFAULT = 'serve';

/** @type {readonly Command[]} */
const COMMANDS = [
  {
    name: 'run',
    summary: 'measures an experiment, such as shootout: AJAX compared with SockJS',
    load: () => import('./run/index.js'),
  },
  {
    name: 'load',
    summary: 'measures how many requests per second a server answers',
    load: () => import('./load/index.js'),
  },
  { name: DEFAULT, summary: 'starts the site; this is the default command', load: () => import('./serve.js') },
  {
    name: 'results',
    summary: 'lists, shows, sums up, exports, deletes and backs up shared runs',
    load: () => import('./results.js'),
  },
  { name: 'lab', summary: 'measures over an emulated network link', load: () => import('../lab/index.js') },
  {
    name: 'nginx',
    summary: 'prints an nginx configuration for the site',
    load: () => import('../deploy/nginx/render.js'),
  },
  {
    name: 'migrate',
    summary: 'prepares the database for this release',
    isPlain: true,
    load: () => import('../deploy/migrate.js'),
  },
];

/** The options that may stand in place of a command. All other options belong to the default command. */
const OWN_OPTIONS = ['--help', '-h', '--version'];

const HELP = `usage: npx sockshootout [COMMAND] [options]

Measures what SockJS and WebSocket gain over AJAX, and serves the site that does so in a browser.

${COMMANDS.map(({ name, summary }) => `  ${name.padEnd(10)}${summary}`).join('\n')}

Experiments: ${Object.keys(LOADERS).join(', ')}; all: several for one decision

To print the options of a command: npx sockshootout COMMAND --help; the version: npx sockshootout --version
`;

/** @param {string[]} given @returns {Promise<number | undefined>} the exit code; absent if the command sets it */
async function main(given) {
  const isCommand = given.length > 0 && (!given[0].startsWith('-') || OWN_OPTIONS.includes(given[0]));
  const [name, ...args] = isCommand ? given : [DEFAULT, ...given];
  if (name === '--help' || name === '-h') {
    process.stdout.write(HELP);
    return EXIT.done;
  }
  if (name === '--version') {
    process.stdout.write(`${version}\n`);
    return EXIT.done;
  }
  const command = COMMANDS.find((one) => one.name === name);
  if (!command) {
    const { wrongName } = await import('./program/names.js');
    throw wrongName(
      'sockshootout',
      name,
      COMMANDS.map((one) => one.name),
    );
  }
  if (command.isPlain && args.length > 0) return explainPlain(command, args);
  // The script then sees the arguments as if it had been started directly.
  process.argv.splice(2, Infinity, ...args);
  return (await command.load()).main?.(args);
}

/** @param {Command} command @param {string[]} args @returns {number} the exit code */
function explainPlain({ name, summary }, args) {
  const wrong = args.find((arg) => arg !== '--help' && arg !== '-h');
  if (wrong) throw new UsageError(`${name}: expected no options, got “${wrong}”`);
  process.stdout.write(
    `usage: npx sockshootout ${name}\n\nThis command ${summary}. Settings are environment variables: see docs/configuration.md.\n`,
  );
  return EXIT.done;
}

await runProgram(main);
