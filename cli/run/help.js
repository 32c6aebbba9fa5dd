import { LOADERS } from '../../core/experiments/index.js';
import { presetsOf } from './options.js';
import { COLUMN, formatOptions } from './plan-options.js';

/**
 * @import { Experiment } from '../../core/experiment/contract.js'
 * @import { Only } from './only/index.js'
 */

const EXIT_CODES = `Ends with 0 when all is measured; with 1 where a message failed, the run is invalid or was cancelled, or a --fail-if is met;
with 2 where it cannot begin. Ctrl-C ends the run and keeps what was measured.
`;

export const HELP = `usage: npx sockshootout run EXPERIMENT [options]

Measures one of these:
  ${Object.keys(LOADERS).join('\n  ')}

npx sockshootout run EXPERIMENT --help prints the options.
`;

/**
 * @param {Experiment} experiment
 * @param {Only} only
 * @returns {string}
 */
export function formatHelp(experiment, only) {
  const { name, label, fields } = experiment;
  const presets = Object.keys(presetsOf(experiment, only));
  return `usage: npx sockshootout run ${name} [options]

${label}. ${only.needsPage ? 'Measures in a Chromium, on the page of the site, as it needs jQuery or XMLHttpRequest.' : 'Measures from Node.js, or in a browser.'}

Plan
${formatOptions(fields)}
${presets.length > 0 ? `${line('--preset NAME', `one of ${presets.join(', ')}`)}\n` : ''}${line('--plan LINK|FILE', 'repeats the plan of a link, of its query, or of a run’s JSON; the options above change it')}
${only.help ? `\nOnly here\n${only.help}\n` : ''}
Where
${line('--url URL', 'the site: http://HOST:PORT or https://HOST; by default a server of its own, on this machine')}
${only.needsPage ? '' : `${line('--browser', 'measures in a Chromium, on the page of the site, with AJAX and XHR')}\n`}
Result
${line('--json, --csv, --markdown', 'prints that instead of text')}
${line('--out FILE', 'writes it to that file')}
${line('--fail-if CONDITION', `ends with 1 where it is met; may be given again: ${examplesOf(only)}`)}
${line('--quiet', 'no progress')}
${line('--help', '')}

${EXIT_CODES}`;
}

/** @param {Only} only */
const examplesOf = ({ parseCondition }) =>
  `${parseCondition ? "'sockjs slower', " : ''}'failures>0', 'invalid', 'sockjs p50_ms>50'`;

/**
 * @param {string} option
 * @param {string} text
 */
export function line(option, text) {
  const given = `  ${option}`;
  return (given.length < COLUMN ? given.padEnd(COLUMN) : `${given}\n${' '.repeat(COLUMN)}`) + text;
}
