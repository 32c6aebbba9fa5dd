/**
 * The command line's words, checked one by one; what needs a look at the plan's transports is checked later.
 */
import { parseField } from '../../core/experiment/fields.js';
import { FIELDS, PRESETS } from '../../core/experiments/shootout/plan.js';
import { parseCondition } from '../program/fail-if.js';
import { UsageError } from '../program/errors.js';
import { formatOptions, givenOf, optionsOf } from '../program/plan-options.js';
import { FLAG, readWords, TEXT } from '../program/read-words.js';

/**
 * @import { IntegerField } from '../../core/experiment/fields.js'
 * @import { Condition } from '../program/fail-if.js'
 */

const { payloadBytes, seed } = FIELDS;

export const HELP = `usage: npm run shootout -- --url URL [options]

Measures from here to the SockShootout at URL, and prints the answer in words, with all that it rests on.

  --url URL             the site: http://HOST:PORT or https://HOST
  --plan LINK|FILE      repeats the plan of a link, of a link's query, or of a run's JSON
  --transports A,B,...  by default fetch,websocket,sockjs; with --browser ajax,xhr,websocket,sockjs
  --preset NAME         ${Object.keys(PRESETS).join(', ')}; by default standard
${formatOptions({ payloadBytes, seed })}
  --browser             measures in a Chromium, on the site's own page, AJAX and XHR included
  --json, --csv, --markdown
                        prints that instead of a text
  --out FILE            writes it there instead
  --fail-if 'TRANSPORT WORD'
                        ends with 1 where TRANSPORT is same, faster, slower or unclear against the baseline
                        (ajax, else fetch); may be given again
  --quiet               no progress
  --help

Ends with 0 when all is measured; with 1 where the run gives no verdict, or a --fail-if holds; with 2 where it could not
begin. Ctrl-C ends the run and keeps what was measured.
`;

const FORMATS = /** @type {const} */ (['json', 'csv', 'markdown']);

/**
 * @typedef {object} Options
 * @property {boolean} isHelp
 * @property {string} origin of the site
 * @property {string} [plan] a link, its query, or a file's name
 * @property {string} [transports] with commas
 * @property {keyof typeof PRESETS} preset
 * @property {number} [payloadBytes]
 * @property {number} [seed]
 * @property {typeof FORMATS[number] | 'text'} format
 * @property {string} [out] a file's name
 * @property {boolean} isInBrowser
 * @property {Condition[]} conditions
 * @property {boolean} isQuiet
 */

/**
 * @param {string[]} words
 * @returns {Options}
 * @throws {UsageError | RangeError} what, expected, got
 */
export function parseOptions(words) {
  const values = parseWords(words);
  if (values.help) return { ...NONE, isHelp: true };
  if (values.plan !== undefined && values.preset !== undefined) {
    throw new UsageError('--preset: expected none beside --plan, which fixes blocks and iterations');
  }
  const given = givenOf(values, { payloadBytes, seed });
  return {
    ...NONE,
    origin: parseOrigin(values.url),
    plan: values.plan,
    transports: values.transports,
    preset: parsePreset(values.preset ?? 'standard'),
    payloadBytes: parseOptional(given.payload, { ...payloadBytes, parameter: '--payload' }),
    seed: parseOptional(given.seed, { ...seed, parameter: '--seed' }),
    format: parseFormat(values),
    out: values.out,
    isInBrowser: values.browser ?? false,
    conditions: (values['fail-if'] ?? []).map(parseCondition),
    isQuiet: values.quiet ?? false,
  };
}

/** @type {Options} */
const NONE = {
  isHelp: false,
  origin: '',
  preset: 'standard',
  format: 'text',
  isInBrowser: false,
  conditions: [],
  isQuiet: false,
};

/** @param {string[]} words */
function parseWords(words) {
  return readWords(words, {
    url: TEXT,
    plan: TEXT,
    transports: TEXT,
    preset: TEXT,
    ...optionsOf({ payloadBytes, seed }),
    json: FLAG,
    csv: FLAG,
    markdown: FLAG,
    out: TEXT,
    browser: FLAG,
    'fail-if': { ...TEXT, multiple: true },
    quiet: { ...FLAG, short: 'q' },
    help: { ...FLAG, short: 'h' },
  });
}

/** @param {string} [text] */
export function parseOrigin(text) {
  const wrong = new UsageError(
    `--url: expected http://HOST:PORT or https://HOST, and no more, got ${text ? `“${text}”` : 'nothing'}`,
  );
  if (!text || !URL.canParse(text)) throw wrong;
  const { protocol, origin, href } = new URL(text);
  if (!['http:', 'https:'].includes(protocol) || href !== `${origin}/`) throw wrong;
  return origin;
}

/** @param {string} preset */
function parsePreset(preset) {
  const known = Object.keys(PRESETS);
  if (known.includes(preset)) return preset;
  throw new UsageError(`--preset: expected one of ${known.join(', ')}, got “${preset}”`);
}

/**
 * @param {string | undefined} text
 * @param {IntegerField} field
 */
function parseOptional(text, field) {
  return text === undefined ? undefined : parseField(text, field);
}

/** @param {Partial<Record<typeof FORMATS[number], boolean>>} values */
export function parseFormat(values) {
  const chosen = FORMATS.filter((format) => values[format]);
  if (chosen.length <= 1) return chosen[0] ?? 'text';
  throw new UsageError(
    `Expected at most one of --json, --csv and --markdown, got ${chosen.map((format) => `--${format}`).join(' and ')}`,
  );
}
