/**
 * `sockshootout lab COMMAND` and `npm run lab -- COMMAND`: what one machine can do over an emulated link, and what it can take.
 */
import { createCommand, runSubcommand } from '../cli/program/command.js';
import { runProgram } from '../cli/program/program.js';

/** @import { Subcommand } from '../cli/program/command.js' */

/** @type {Readonly<Record<string, Subcommand>>} */
const COMMANDS = {
  open: {
    summary: 'starts the site behind the link, and prints its URL for your browser',
    run: async (args) => (await import('./commands/open.js')).main(args),
  },
  run: {
    summary: 'measures an experiment over the link',
    run: async (args) => (await import('./commands/run.js')).main(args),
  },
  'field-load': {
    summary: 'sends a site of its own the records of many users, without a link and root',
    run: async (args) => (await import('./commands/field-load.js')).main(args),
  },
};

await runProgram((args) => {
  const command = createCommand(
    'sudo npx sockshootout lab',
    'Emulates a network link between the site and its client on this machine, with the round-trip time, packet loss and bandwidth that you set. Needs Linux and root, for network namespaces; field-load does not.',
  ).addHelpText('after', '\nTo print the options of a command: npx sockshootout lab COMMAND --help');
  return runSubcommand(command, COMMANDS, args.length > 0 ? args : ['--help']);
});
