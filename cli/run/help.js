import { LOADERS } from '../../core/experiments/index.js';
import { optionOf, presetsOf } from './options.js';

/**
 * @import { Experiment } from '../../core/experiment/contract.js'
 * @import { Field } from '../../core/experiment/fields.js'
 * @import { Only } from './only/index.js'
 */

/** Where the explanations begin. */
const COLUMN = 24;

const EXIT_CODES = `Exit codes
  0  the run is complete
  1  a message failed, the run is invalid or stopped, or a --fail-if condition is true
  2  the run could not start
Ctrl-C stops the run and prints what was measured.
`;

export const HELP = `usage: npx sockshootout run EXPERIMENT [options]

Measures one experiment:
  ${Object.keys(LOADERS).join('\n  ')}

To print the options of an experiment: npx sockshootout run EXPERIMENT --help
`;

/** @param {Experiment} experiment @param {Only} only @returns {string} */
export function formatHelp(experiment, only) {
  const { name, label, fields } = experiment;
  const presets = Object.keys(presetsOf(experiment, only));
  return `usage: npx sockshootout run ${name} [options]

${label}. ${only.needsPage ? 'Runs on the page of the site in Chromium, because it needs jQuery or XMLHttpRequest.' : 'Runs in Node.js, or in Chromium with --browser.'}

Plan
${Object.values(fields).map(formatField).join('\n')}
${presets.length > 0 ? `${line('--preset NAME', `one of ${presets.join(', ')}`)}\n` : ''}${line('--plan LINK|FILE', 'repeat a plan: a link, its query, or a JSON file of a run; the options above override it')}
${only.help ? `\nThis experiment\n${only.help}\n` : ''}
Server
${line('--url URL', 'http://HOST:PORT or https://HOST; default: a temporary server on this machine')}
${line('--link JSON', 'the emulated link to it, for the document; from sockshootout lab run')}
${only.needsPage ? '' : `${line('--browser', 'run on the page of the site in Chromium; adds AJAX and XHR')}\n`}
Output
${line('--json, --csv, --markdown', 'print this format instead of text')}
${line('--out FILE', 'write to a file')}
${line('--fail-if CONDITION', `exit with 1 if the condition is true; repeatable: ${only.parseCondition ? "'sockjs slower', " : ''}'failures>0', 'invalid', 'sockjs p50_ms>50'`)}
${line('--quiet', 'print no progress')}
${line('--help', 'print this text')}

${EXIT_CODES}`;
}

/** @param {Field} field */
function formatField(field) {
  const { type, label, help, default: value } = field;
  const choices =
    'choices' in field ? `${type === 'names' ? '' : 'one '}of ${Object.keys(field.choices).join(', ')}` : '';
  const given = `  --${optionOf(field)} ${argumentOf(field)}`.padEnd(COLUMN);
  const what = [choices, help ?? (choices ? '' : label.toLowerCase())].filter(Boolean).join('; ');
  const usual = value === undefined ? '' : `default: ${value}`;
  return given + [what, usual].filter(Boolean).join(type === 'names' ? `;\n${' '.repeat(COLUMN)}` : '; ');
}

/** @param {Field} field */
function argumentOf({ type, unit = 'n' }) {
  if (type === 'names') return 'A,B,...';
  if (type === 'choice') return 'NAME';
  return `${unit.toUpperCase()}${type === 'integers' ? ',...' : ''}`;
}

/** @param {string} option @param {string} text */
function line(option, text) {
  const given = `  ${option}`;
  return (given.length < COLUMN ? given.padEnd(COLUMN) : `${given}\n${' '.repeat(COLUMN)}`) + text;
}
