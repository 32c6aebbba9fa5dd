/**
 * `sockshootout lab COMMAND` and `npm run lab -- COMMAND`: what one machine can do over an emulated link.
 */
import { wrongName } from '../cli/program/names.js';
import { EXIT, runProgram } from '../cli/program/program.js';
import { LINK_HELP } from './options.js';

/** @type {Readonly<Record<string, { summary: string, load: () => Promise<{ main: (args: string[]) => Promise<number> }> }>>} */
const COMMANDS = {
  open: {
    summary: 'starts the site behind the link, and prints its URL for your browser',
    load: () => import('./commands/open.js'),
  },
  run: { summary: 'measures an experiment over the link', load: () => import('./commands/run.js') },
};

const HELP = `usage: sudo npx sockshootout lab COMMAND [options]
       sudo npm run lab -- COMMAND [options]

Emulates a network link between the site and its client on this machine, with the round-trip time, packet loss and
bandwidth that you set. Needs Linux and root, for network namespaces.

${Object.entries(COMMANDS)
  .map(([name, { summary }]) => `  ${name.padEnd(6)}${summary}`)
  .join('\n')}

${LINK_HELP}

To print the options of a command: npx sockshootout lab COMMAND --help
`;

/** @param {string[]} args @returns {Promise<number>} the exit code */
async function main([name, ...args]) {
  if (name === undefined || name === '--help' || name === '-h') {
    process.stdout.write(HELP);
    return EXIT.done;
  }
  if (!Object.hasOwn(COMMANDS, name)) throw wrongName('lab', name, Object.keys(COMMANDS));
  return (await COMMANDS[name].load()).main(args);
}

await runProgram(main);
