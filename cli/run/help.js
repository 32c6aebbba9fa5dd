/** The help of `sockshootout run`: which experiments there are, and the options of each. */
import { defaultTransportsOn } from '../../core/net/echo/index.js';
import { labelOf } from '../../core/experiment/labels.js';
import { nodeTransportsOf } from '../net/transports.js';
import { optionOf, presetsOf } from './options.js';

/**
 * @import { Experiment } from '../../core/experiment/contract.js'
 * @import { Field } from '../../core/experiment/fields.js'
 * @import { NodeClient } from '../clients/index.js'
 */

/** What takes the place of an experiment's name for a full test. */
export const ALL = 'all';

/** The column in which the explanations begin. */
const COLUMN = 24;

/** @param {Experiment} experiment */
const questionOf = ({ label, intro = label, question = intro }) => question;

/**
 * @param {Experiment} fullTest @param {readonly Experiment[]} experiments
 * @returns {string} the help without an experiment
 */
export const formatOverview = (fullTest, experiments) => `usage: npx sockshootout run EXPERIMENT [options]

Measures one experiment, or several for one decision, and prints a report:
${[{ ...fullTest, name: ALL }, ...experiments].map((one) => `  ${one.name.padEnd(12)}${questionOf(one)}`).join('\n')}

To print its options: npx sockshootout run EXPERIMENT --help
`;

/** @param {Experiment} experiment @param {NodeClient} client @returns {string} */
export function formatHelp(experiment, { options }) {
  const { name, fields, needsPage, failureRule, answersOf } = experiment;
  const presets = Object.keys(presetsOf(experiment));
  return `usage: npx sockshootout run ${name} [options]

${questionOf(experiment)}
${needsPage ? 'Runs on the page of the site in Chromium, because it needs jQuery or XMLHttpRequest.' : 'Runs in Node.js, or in Chromium with --browser.'}

Plan
${Object.values(needsPage ? fields : { ...fields, ...transportsOf(experiment) })
  .map(formatField)
  .join('\n')}
${presets.length > 0 ? `${line('--preset NAME', `one of ${presets.join(', ')}`)}\n` : ''}${line('--plan LINK|FILE', 'repeat a plan: a plan link, its query, or the JSON file of a run; the options above override it')}
${options ? `\nThis experiment\n${options.help}\n` : ''}
${formatCommon({
  browser: needsPage ? undefined : `run on the page of the site in Chromium${describeAdded(experiment)}`,
  conditions: [...(answersOf ? ["'sockjs slower'"] : []), "'failures>0'", "'invalid'", "'sockjs p50_ms>50'"],
  failure: failureRule?.words ?? 'a message failed, the run is invalid or stopped',
})}`;
}

/**
 * Explains the options that all runs have, and the exit codes.
 * @param {{ browser?: string, conditions: readonly string[], failure: string }} differences `browser`: absent if a run
 *   is always in one; `failure`: when the exit code is 1
 */
export const formatCommon = ({ browser, conditions, failure }) => `Server
${line('--url URL', 'http://HOST:PORT or https://HOST/PATH; default: a temporary server on this machine')}
${line('--label TEXT', 'share the run on that site, in the study of this label')}
${line('--place NAME', 'where it was measured from, with --label')}
${line('--link JSON', 'description of an emulated link, for the document; sockshootout lab run sets it')}
${browser ? `${line('--browser', browser)}\n` : ''}
Output
${line('--json, --csv, --markdown', 'print this format instead of text')}
${line('--out FILE', 'write to a file')}
${line('--fail-if CONDITION', `exit with 1 if the condition is true; repeatable; such as ${conditions.join(', ')}`)}
${line('--quiet', 'print no progress')}
${line('--help', 'print this text')}

Exit codes
  0  the run is complete
  1  ${failure}, or a --fail-if condition is true; or the run could not be shared
  2  the run could not start
Ctrl-C stops the run and prints what was measured.
`;

/**
 * Returns the field of the transports with those that work without a browser, and names the others.
 * @param {Experiment} experiment @returns {{ transports?: Field }}
 */
function transportsOf(experiment) {
  const field = /** @type {any} */ (experiment.fields.transports);
  if (!field) return {};
  const known = nodeTransportsOf(experiment);
  const names = Object.keys(field.choices);
  const others = names.filter((name) => !known.includes(name));
  const choices = Object.fromEntries(names.filter((name) => known.includes(name)).map((name) => [name, name]));
  const help = others.length > 0 ? `with --browser also ${others.join(', ')}` : field.help;
  const own = defaultTransportsOn('node', experiment.transportRows);
  return { transports: { ...field, choices, help, default: own } };
}

/** @param {Experiment} experiment @returns {string} which default transports only a page has */
function describeAdded(experiment) {
  if (!experiment.fields.transports) return '';
  const known = nodeTransportsOf(experiment);
  const names = defaultTransportsOn('page', experiment.transportRows).filter((name) => !known.includes(name));
  return names.length > 0 ? `; adds ${names.map(labelOf).join(' and ')}` : '';
}

/** @param {Field} field @returns {string} a line, or two */
export function formatField(field) {
  const { type, label, help, default: value } = field;
  const choices =
    'choices' in field ? `${type === 'names' ? 'any' : 'one'} of ${Object.keys(field.choices).join(', ')}` : '';
  const what = [choices, help ?? (choices ? '' : label.toLowerCase())].filter(Boolean).join('; ');
  const defaultText = value === undefined ? '' : `default: ${value}`;
  const text = [what, defaultText].filter(Boolean).join(type === 'names' ? `;\n${' '.repeat(COLUMN)}` : '; ');
  return line(`--${optionOf(field)} ${argumentOf(field)}`, text);
}

/** @param {Field} field */
function argumentOf({ type, unit = 'n' }) {
  if (type === 'names') return 'A,B,...';
  if (type === 'choice') return 'NAME';
  return `${unit.toUpperCase()}${type === 'integers' ? ',...' : ''}`;
}

/** @param {string} option @param {string} text */
export function line(option, text) {
  const given = `  ${option}`;
  return (given.length < COLUMN ? given.padEnd(COLUMN) : `${given}\n${' '.repeat(COLUMN)}`) + text;
}
