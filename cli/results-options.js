/** The arguments of `sockshootout results`, checked one by one. */
import { integer, parseField, quote } from '../core/experiment/fields.js';
import { FLAG, parseArguments, TEXT, UsageError } from './program/program.js';

/**
 * @import { Filter } from '../server/store/index.js'
 * @import { readArgs } from './program/program.js'
 * @typedef {ReturnType<typeof readArgs<typeof OPTIONS>>} Values
 * @typedef {ReturnType<typeof parseCommand>} Command
 */

const LIMIT = integer({ parameter: '--limit', label: '', min: 1, max: 1000, default: 50 });
const DAY_MS = 24 * 60 * 60 * 1000;
const MAX_DAYS = 36_500;

export const HELP = `usage: npx sockshootout results COMMAND [options]

Manages the runs that visitors shared on this site. Uses the site's DATA_DIR and DATABASE_URL. The site can keep running.

  list                  list runs, newest first
    --experiment NAME, --transport NAME, --browser NAME, --place NAME, --label TEXT, --server NAME, --valid, --invalid
                        only runs that match all of these
    --limit N           at most N runs, 1 to ${LIMIT.max}; default: ${LIMIT.default}
  export --since DATE   print the runs shared since DATE, oldest first, as one line of JSON each; DATE is ISO 8601, such as
                        2026-11-21 or 2026-11-21T08:00:00Z; the filters of list work here, too
  study LABEL           sum up the runs with a label in a table of places and questions
  show ID               show a run
    --document          print the run's whole document, as JSON
  delete ID             delete a run; needs no delete token
  prune --older-than Nd delete runs that are older than N days, for example 365d
  backup FILE           copy the SQLite database to a new file, while the site is running

Options of all commands
  --json                print JSON instead of text
  --help                print this text
  --                    needed before an ID that begins with -

Exit codes
  0  done
  1  the run does not exist, or the database cannot be used
  2  the arguments are wrong
`;

const OPTIONS = {
  ...{ experiment: TEXT, transport: TEXT, place: TEXT, label: TEXT, server: TEXT, browser: TEXT, limit: TEXT },
  since: TEXT,
  ...{ valid: FLAG, invalid: FLAG, document: FLAG, 'older-than': TEXT, json: FLAG },
  help: { ...FLAG, short: 'h' },
};

const FILTERS = /** @type {const} */ ([
  'experiment', 'transport', 'place', 'label', 'server', 'browser', 'valid', 'invalid',
]); // prettier-ignore

/** The operand of each command, and its own options. */
const COMMANDS = /** @type {const} */ ({
  list: { options: [...FILTERS, 'limit'] },
  export: { options: [...FILTERS, 'since'] },
  study: { operand: 'LABEL', options: [] },
  show: { operand: 'ID', options: ['document'] },
  delete: { operand: 'ID', options: [] },
  prune: { options: ['older-than'] },
  backup: { operand: 'FILE', options: [] },
});

/**
 * @param {string[]} args @param {number} [now] in ms since 1970
 * @returns {{ command: Command | { name: 'help' }, isJson: boolean }} @throws {InvalidInputError} what, expected, got
 */
export function parseResultsOptions(args, now = Date.now()) {
  const { values, positionals } = parseArguments({ args, options: OPTIONS, allowPositionals: true });
  if (values.help) return { command: { name: 'help' }, isJson: false };
  const [name, ...operands] = positionals;
  if (!isCommand(name))
    throw new UsageError(`results: expected one of ${Object.keys(COMMANDS).join(', ')}, got ${quote(name ?? null)}`);
  checkOptions(name, Object.keys(values));
  const operand = parseOperand(name, operands);
  return { command: parseCommand(name, operand, values, now), isJson: values.json ?? false };
}

/** @param {keyof typeof COMMANDS} name @param {string} operand @param {Values} values @param {number} now */
function parseCommand(name, operand, values, now) {
  switch (name) {
    case 'list':
      return { name, filter: parseFilter(values), limit: parseField(values.limit ?? null, LIMIT) };
    case 'export':
      return { name, filter: parseFilter(values), since: parseDate(values.since) };
    case 'study':
      return { name, label: operand.normalize('NFC').trim() };
    case 'show':
      return { name, id: operand, isOfDocument: values.document ?? false };
    case 'delete':
      return { name, id: operand };
    case 'prune':
      return { name, before: new Date(now - parseDays(values['older-than']) * DAY_MS) };
    case 'backup':
      return { name, file: operand };
  }
}

/** @param {string | undefined} name @returns {name is keyof typeof COMMANDS} */
const isCommand = (name) => name !== undefined && Object.hasOwn(COMMANDS, name);

/** @param {keyof typeof COMMANDS} name @param {string[]} given */
function checkOptions(name, given) {
  /** @type {readonly string[]} */
  const own = COMMANDS[name].options;
  const wrong = given.find((option) => option !== 'json' && !own.includes(option));
  if (wrong) throw new UsageError(`--${wrong} is not an option of ${name}`);
}

/** @param {keyof typeof COMMANDS} name @param {string[]} operands @returns empty if the command takes none */
function parseOperand(name, operands) {
  const { operand: expected } = /** @type {{ operand?: string }} */ (COMMANDS[name]);
  const isRight = expected ? operands.length === 1 && operands[0].trim() !== '' : operands.length === 0;
  if (isRight) return operands[0] ?? '';
  throw new UsageError(`${name}: expected ${expected ?? 'no argument'}, got ${quote(operands.join(' '))}`);
}

/** @param {Values} values @returns {Filter} */
function parseFilter({ experiment, transport, place, label, server, browser, valid, invalid }) {
  if (valid && invalid) throw new UsageError('Use only one of --valid and --invalid');
  const filter = { experiment, transport, place, label, server, browser };
  return valid || invalid ? { ...filter, isValid: valid === true } : filter;
}

/** @param {string} [text] */
function parseDays(text = '') {
  const days = Number(/^(\d{1,5})d$/.exec(text)?.[1]);
  if (days >= 1 && days <= MAX_DAYS) return days;
  throw new UsageError(`--older-than: expected days, such as 365d, got ${quote(text)}`);
}

/** @param {string} [text] */
function parseDate(text = '') {
  const date =
    /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d))?$/.test(text) && new Date(text);
  // Date reads 30 February as 2 March.
  const [day] = text.split('T');
  if (date && Number.isFinite(date.getTime()) && new Date(day).toISOString().startsWith(day)) return date;
  throw new UsageError(`--since: expected a date such as 2026-11-21 or 2026-11-21T08:00:00Z, got ${quote(text)}`);
}
