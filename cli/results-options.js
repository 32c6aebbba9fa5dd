/** The arguments of `sockshootout results`, checked one by one. */
import { Option } from 'commander';
import { capitalize } from '../core/base/format.js';
import { quote } from '../core/experiment/plan/fields.js';
import { createCommand, integerOption, parseArguments } from './program/command.js';
import { UsageError } from './program/program.js';

/**
 * @import { Command } from 'commander'
 * @import { Filter } from '../server/store/index.js'
 * @import { Values } from './program/command.js'
 * @typedef {{ name: 'list', filter: Filter, limit: number } | { name: 'export', filter: Filter, since: Date } |
 *   { name: 'study', label: string } | { name: 'show', id: string, isOfDocument: boolean } | { name: 'delete', id: string } |
 *   { name: 'prune', before: Date } | { name: 'backup', file: string }} Asked
 */

const DAY_MS = 24 * 60 * 60 * 1000;
const MAX_DAYS = 36_500;

/**
 * @param {string[]} args @param {number} [now] in ms since 1970
 * @returns {{ command: Asked, isJson: boolean }}
 * @throws {InvalidInputError | CommanderError} what, expected, got; the latter if the help was printed
 */
export function parseResultsOptions(args, now = Date.now()) {
  /** @type {Asked | undefined} */
  let asked;
  const results = createCommand(
    'npx sockshootout results',
    "Manages the runs that visitors shared on this site. Uses the site's DATA_DIR and DATABASE_URL. The site can keep running.",
  )
    .configureHelp({ showGlobalOptions: true })
    .option('--json', 'print JSON instead of text')
    .addHelpText(
      'after',
      `
An ID that begins with - needs -- before it.

To print the options of a command: npx sockshootout results COMMAND --help

Exit codes:
  0  done
  1  the run does not exist, or the database cannot be used
  2  the arguments are wrong`,
    );
  addCommands(results, { ask: (one) => void (asked = one), now });
  // In the list of commands a clause, on its own page a sentence.
  for (const command of results.commands) {
    const clause = command.description();
    command.summary(clause).description(`${capitalize(clause)}.`);
  }
  const { json: isJson = false } = parseArguments(results, args);
  return { command: /** @type {Asked} */ (asked), isJson };
}

/**
 * Adds what can be done with runs.
 * @param {Command} results @param {{ ask: (one: Asked) => void, now: number }} options `ask` gets what was asked; `now`: ms since 1970
 */
function addCommands(results, { ask, now }) {
  addFilters(results.command('list').description('lists runs, newest first'))
    .addOption(integerOption('limit', 'at most this many runs', { max: 1000, default: 50 }))
    .action(({ limit, ...values }) => ask({ name: 'list', filter: filterOf(values), limit }));
  addFilters(
    results.command('export').description('prints the runs since a date, oldest first, as one line of JSON each'),
  )
    .requiredOption('--since <date>', 'in ISO 8601, such as 2026-11-21 or 2026-11-21T08:00:00Z', parseDate)
    .action(({ since, ...values }) => ask({ name: 'export', filter: filterOf(values), since }));
  results
    .command('study')
    .description('sums up the runs with a label in a table of places and questions')
    .argument('<label>', '', parseName)
    .action((label) => ask({ name: 'study', label: label.normalize('NFC').trim() }));
  results
    .command('show')
    .description('shows a run')
    .argument('<id>', '', parseName)
    .option('--document', "print the run's whole document, as JSON")
    .action((id, { document: isOfDocument = false }) => ask({ name: 'show', id, isOfDocument }));
  results
    .command('delete')
    .description('deletes a run; needs no delete token')
    .argument('<id>', '', parseName)
    .action((id) => ask({ name: 'delete', id }));
  results
    .command('prune')
    .description('deletes old runs')
    .requiredOption('--older-than <days>', 'such as 365d', parseDays)
    .action(({ olderThan }) => ask({ name: 'prune', before: new Date(now - olderThan * DAY_MS) }));
  results
    .command('backup')
    .description('copies the SQLite database to a new file, while the site is running')
    .argument('<file>', '', parseName)
    .action((file) => ask({ name: 'backup', file }));
}

/** Adds the options that filter runs; a run must match all. @param {Command} command @returns {Command} the same */
function addFilters(command) {
  for (const name of ['experiment', 'transport', 'browser', 'place', 'label', 'server'])
    command.option(`--${name} <${name === 'label' ? 'text' : 'name'}>`, `only runs with this ${name}`);
  return command
    .addOption(new Option('--valid', 'only valid runs').conflicts('invalid'))
    .option('--invalid', 'only invalid runs');
}

/** @param {Values} values of the filters @returns {Filter} */
const filterOf = ({ valid, invalid, ...filter }) =>
  valid || invalid ? { ...filter, isValid: valid === true } : filter;

/** @param {string} text of an argument */
function parseName(text) {
  if (text.trim() !== '') return text;
  throw new UsageError(`results: expected a text, got ${quote(text)}`);
}

/** @param {string} text */
function parseDays(text) {
  const days = Number(/^(\d{1,5})d$/.exec(text)?.[1]);
  if (days >= 1 && days <= MAX_DAYS) return days;
  throw new UsageError(`--older-than: expected days, such as 365d, got ${quote(text)}`);
}

/** @param {string} text */
function parseDate(text) {
  const date =
    /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d))?$/.test(text) && new Date(text);
  // Date reads 30 February as 2 March.
  const [day] = text.split('T');
  if (date && Number.isFinite(date.getTime()) && new Date(day).toISOString().startsWith(day)) return date;
  throw new UsageError(`--since: expected a date such as 2026-11-21 or 2026-11-21T08:00:00Z, got ${quote(text)}`);
}
