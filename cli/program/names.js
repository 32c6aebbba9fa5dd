/** The experiments by the names that they have on the command line, and in the addresses of their pages. */
import { LOADERS, PAGE_NAMES } from '../../core/experiments/index.js';
import { createCommand, parseArguments } from './command.js';

/** What takes the place of an experiment's name for a full test. */
export const ALL = 'all';

/**
 * @param {string} given such as 'in-flight' or 'inflight' @param {string} command that it was given to
 * @returns {Promise<string>} the experiment's name, or `ALL`
 * @throws {UsageError} what was expected, what was given, and which was meant; after `--help`, which lists them, a
 *   CommanderError
 */
export async function findName(given, command) {
  if (given === ALL || Object.hasOwn(LOADERS, given)) return given;
  if (Object.hasOwn(PAGE_NAMES, given)) return PAGE_NAMES[given];
  const [{ EXPERIMENTS }, { fullTest }] = await Promise.all([
    import('../../core/experiments/all.js'),
    import('../../core/full-test/all.js'),
  ]);
  const overview = createCommand(command, 'Measures one experiment, or several for one decision, and prints a report.')
    .usage('EXPERIMENT [options]')
    .addHelpText('after', `\nTo print its options: ${command} EXPERIMENT --help`);
  for (const { name: one, question } of [{ ...fullTest, name: ALL }, ...EXPERIMENTS])
    overview.command(one).description(question);
  // It is none of these, so this prints the help, or refuses it.
  parseArguments(overview, [given]);
  return given;
}
