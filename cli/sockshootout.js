#!/usr/bin/env node
/** `npx sockshootout COMMAND`: the command line. Without a command it starts the site. */
import { readFileSync } from 'node:fs';
import { LOADERS } from '../core/experiments/index.js';
import { createCommand, runSubcommand } from './program/command.js';
import { runProgram } from './program/program.js';
import { keepCompiled } from '../server/compile-cache.js';

/** @import { Subcommand } from './program/command.js' */

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

/** What people want who have just installed the package. */
const DEFAULT = 'serve';

/** @type {Readonly<Record<string, Subcommand>>} */
const COMMANDS = {
  run: {
    summary: 'measures an experiment, such as shootout: AJAX compared with SockJS',
    run: async (args) => (await import('./run.js')).main(args),
  },
  page: {
    summary: 'says what your page polls, and what push would save, from a HAR file',
    run: async (args) => (await import('./page.js')).main(args),
  },
  load: {
    summary: 'measures how many requests per second a server answers',
    run: async (args) => (await import('./load/index.js')).main(args),
  },
  [DEFAULT]: {
    summary: 'starts the site; this is the default command',
    run: async (args) => (await import('./serve.js')).main(args),
  },
  results: {
    summary: 'lists, shows, sums up, exports, deletes and backs up shared runs',
    run: async (args) => (await import('./results.js')).main(args),
  },
  study: {
    summary: 'makes a study of the users of your own pages, and prints the line of HTML for them',
    run: async (args) => (await import('./study.js')).main(args),
  },
  lab: { summary: 'measures over an emulated network link', run: async () => void (await import('../lab/index.js')) },
  nginx: {
    summary: 'prints an nginx configuration for the site',
    run: async () => void (await import('../deploy/nginx/render.js')),
  },
  migrate: {
    summary: 'prepares the database for this release; its settings are environment variables: docs/configuration.md',
    isPlain: true,
    run: async () => void (await import('../deploy/migrate.js')),
  },
};

/** The options that may stand in place of a command. All other options belong to the default command. */
const OWN_OPTIONS = ['--help', '-h', '--version'];

keepCompiled();
await runProgram((given) => {
  const isDefault = given.length === 0 || (given[0].startsWith('-') && !OWN_OPTIONS.includes(given[0]));
  const args = isDefault ? [DEFAULT, ...given] : given;
  const command = createCommand(
    'npx sockshootout',
    'Measures what SockJS and WebSocket gain over AJAX, and serves the site that does so in a browser.',
  )
    .usage('[COMMAND] [options]')
    .version(version, '--version', 'print the version')
    .addHelpText(
      'after',
      `
Experiments: ${Object.keys(LOADERS).join(', ')}; all: several for one decision

To print the options of a command: npx sockshootout COMMAND --help`,
    );
  // The script then sees the arguments as if it had been started directly.
  process.argv.splice(2, Infinity, ...args.slice(1));
  return runSubcommand(command, COMMANDS, args);
});
