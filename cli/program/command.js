/**
 * How the programs declare commands, options and help: with commander, whose refusals become UsageErrors of one line. Finds
 * experiments by the names that they have on the command line, and in the addresses of their pages.
 */
import { Command, CommanderError, Option } from 'commander';
import { integer, parseField, quote } from '../../core/experiment/plan/fields.js';
import { UsageError } from './program.js';
import { LOADERS, PAGE_NAMES } from '../../core/experiments/index.js';

/**
 * @import { Field } from '../../core/experiment/plan/fields.js'
 * @typedef {Record<string, any>} Values by option, in camel case
 *
 * @typedef {object} Subcommand
 * @property {string} summary
 * @property {boolean} [isPlain] it takes no options, only settings
 * @property {(args: string[]) => Promise<number | void>} run loads it, and returns the exit code; nothing if it sets it
 */

/**
 * Creates a command that throws its errors, and prints none.
 * @param {string} name all that is typed before its arguments @param {string} description @returns {Command}
 */
export const createCommand = (name, description) =>
  new Command(name)
    .description(description)
    .helpCommand(false)
    .configureOutput({ writeErr() {} })
    .exitOverride();

/**
 * @param {Command} command which prints its help if it is asked to @param {readonly string[]} args
 * @returns {Values} @throws {UsageError | CommanderError} the latter if the help was printed
 */
export function parseArguments(command, args) {
  try {
    const values = command.parse(args, { from: 'user' }).opts();
    const flags = new Set(['-h', '--help', ...command.options.flatMap(({ short, long }) => [short, long])]);
    flags.delete(undefined);
    // Commander would write to a file of the name --json.
    const empty = command.options.find((option) => flags.has(values[option.attributeName()]));
    if (empty) command.error(`option '${empty.flags}' argument missing`);
    return values;
  } catch (error) {
    throw error instanceof CommanderError && error.exitCode > 0 ? refusalOf(command, error) : error;
  }
}

/** @param {Command} command @param {CommanderError} error @returns {UsageError} */
function refusalOf(command, { code, message }) {
  const { args, commands } = command;
  const [what, hint] = message.replace(/^error: /, '').split('\n');
  const meant = hint ? `. ${hint.slice(1, -1)}` : '';
  if (code === 'commander.excessArguments')
    return new UsageError(`${what.slice(0, -1)}: ${quote(args.at(-1) ?? null)}`);
  if (code !== 'commander.unknownCommand' && code !== 'commander.help') return new UsageError(what + meant);
  const names = commands.map((one) => one.name()).join(', ');
  const name = command.name().replace(/^(sudo )?npx (sockshootout )?/, '');
  return new UsageError(`${name}: expected one of ${names}, got ${quote(args[0] ?? null)}${meant}`);
}

/**
 * Runs the subcommand that comes first, with the arguments after its name.
 * @param {Command} command @param {Readonly<Record<string, Subcommand>>} subcommands @param {string[]} args
 * @returns {Promise<number | void>} the exit code; nothing if the subcommand sets it
 */
export async function runSubcommand(command, subcommands, args) {
  /** @type {Subcommand | undefined} */
  let chosen;
  for (const [name, subcommand] of Object.entries(subcommands)) {
    const { summary, isPlain } = subcommand;
    const described = command
      .command(name)
      .description(summary)
      .action(() => void (chosen = subcommand));
    if (!isPlain) described.helpOption(false).allowUnknownOption().allowExcessArguments();
  }
  parseArguments(command.enablePositionalOptions(), args);
  return chosen?.run(args.slice(1));
}

/**
 * Declares an option whose value is one of some names.
 * @param {string} flags @param {string} description @param {readonly string[]} names @returns {Option}
 */
export function choiceOption(flags, description, names) {
  const option = new Option(flags, description).choices(names);
  const { long, parseArg: take } = option;
  return option.argParser((name, /** @type {any} */ before) => {
    if (names.includes(name)) return take?.(name, before);
    throw new UsageError(`${long}: expected one of ${names.join(', ')}, got ${quote(name)}`);
  });
}

/**
 * Declares an option whose value is a whole number.
 * @param {string} name @param {string} description @param {{ min?: number, max: number, default?: number }} bounds
 * @returns {Option}
 */
export function integerOption(name, description, { min = 1, ...bounds }) {
  const field = integer({ parameter: `--${name}`, label: '', min, ...bounds });
  return new Option(`--${name} <n>`, `${description}; ${min} to ${bounds.max}`)
    .argParser((text) => parseField(text, field))
    .default(bounds.default);
}

/**
 * Declares the option of a plan's field. Its value stays a text, which is checked with the whole plan.
 * @param {Field} field @returns {Option}
 */
export function fieldOption(field) {
  const { type, label, help, default: value, unit = 'n' } = field;
  const choices = 'choices' in field ? Object.keys(field.choices).join(', ') : '';
  const name = { names: 'a,b', choice: 'name', integers: `${unit},${unit}`, integer: unit }[type].toLowerCase();
  const what = [
    choices && `${type === 'names' ? 'any' : 'one'} of ${choices}`,
    help ?? (choices ? '' : label.toLowerCase()),
    value === undefined ? '' : `default: ${value}`,
  ];
  return new Option(`--${optionOf(field)} <${name}>`, what.filter(Boolean).join('; '));
}

/** @param {Field} field @returns {string} its option's name */
export const optionOf = ({ option, parameter }) => option ?? parameter;

/** @param {Field} field @returns {string} its option's name among the values, where that of two words has no dash */
export const attributeOf = (field) => fieldOption(field).attributeName();

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
