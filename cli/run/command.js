/** The options of `sockshootout run NAME`, and its help: those of its plan, of its client, and of all runs. */
import { Option } from 'commander';
import { transportRowsOf } from '../../core/experiment/plan/packages.js';
import { defaultTransportsOn } from '../../core/net/echo/index.js';
import { labelOf } from '../../core/experiment/answer/labels.js';
import { nodeTransportsOf } from '../net/transports.js';
import { choiceOption, createCommand, fieldOption } from '../program/command.js';
import { slugOf } from './conditions.js';

/**
 * @import { Command } from 'commander'
 * @import { Experiment } from '../../core/experiment/contract.js'
 * @import { Field, Fields, NamesField } from '../../core/experiment/plan/fields.js'
 * @import { NodeClient } from '../clients/index.js'
 */

/** @param {Experiment} experiment @param {NodeClient} client @returns {Command} */
export function createRunCommand(experiment, { options: own, needsPage }) {
  const { name, fields, failsIf, compares } = experiment;
  const where = needsPage
    ? 'Runs on the page of the site in Chromium, because it needs jQuery or XMLHttpRequest.'
    : 'Runs in Node.js, or in Chromium with --browser.';
  const command = createCommand(`npx sockshootout run ${name}`, `${experiment.question}\n${where}`);
  addFields(command.optionsGroup('Plan:'), needsPage ? fields : { ...fields, ...transportsOf(experiment) });
  const presets = Object.keys(presetsOf(experiment));
  if (presets[0])
    command.addOption(
      choiceOption('--preset <name>', 'a plan by name, which the other options override', presets).conflicts('plan'),
    );
  command.option(
    '--plan <link or file>',
    'repeat a plan: a plan link, its query, or the JSON file of a run; the other options override it',
  );
  command.optionsGroup('This experiment:');
  for (const option of own?.list ?? []) command.addOption(option);
  return addCommon(command, {
    browser: needsPage ? undefined : `run on the page of the site in Chromium${describeAdded(experiment)}`,
    conditions: [...(compares ? ["'sockjs slower'"] : []), "'failures>0'", "'invalid'", "'sockjs p50_ms>50'"],
    failure: failsIf ?? 'a message failed, the run is invalid or stopped',
  });
}

/** @param {Experiment} experiment @returns {Record<string, string>} a link's query by name */
export const presetsOf = ({ presets = [] }) =>
  Object.fromEntries(presets.map(({ label, plan }) => [slugOf(label), plan]));

/** Adds the options of fields. @param {Command} command @param {Fields} fields */
export function addFields(command, fields) {
  for (const field of Object.values(fields)) command.addOption(fieldOption(field));
}

/**
 * Adds the options that all runs have, and what the exit codes mean.
 * @param {Command} command
 * @param {{ browser?: string, conditions: readonly string[], failure: string }} differences `browser`: absent if a run
 *   is always in one; `failure`: when the exit code is 1
 * @returns {Command} the same
 */
export const addCommon = (command, { browser, conditions, failure }) =>
  command
    .optionsGroup('Server:')
    .option('--url <url>', 'http://HOST:PORT or https://HOST/PATH; default: a temporary server on this machine')
    .option('--label <text>', 'share the run on that site, in the study of this label')
    .option('--place <name>', 'where it was measured from, with --label')
    .option('--link <json>', 'description of an emulated link, for the document; sockshootout lab run sets it')
    .addOption(new Option('--browser', browser).hideHelp(browser === undefined))
    .optionsGroup('Output:')
    .addOption(new Option('--json', 'print JSON instead of text').conflicts(['csv', 'markdown']))
    .addOption(new Option('--csv', 'print CSV instead of text').conflicts('markdown'))
    .option('--markdown', 'print Markdown instead of text')
    .option('--out <file>', 'write to a file')
    .option(
      '--fail-if <condition...>',
      `exit with 1 if a condition is true, such as ${conditions.join(', ')}; repeatable`,
    )
    .option('-q, --quiet', 'print no progress')
    .helpOption('-h, --help', 'display help for command')
    .addHelpText(
      'after',
      `
Exit codes:
  0  the run is complete
  1  ${failure}, or a --fail-if condition is true; or the run could not be shared
  2  the run could not start

Ctrl-C stops the run and prints what was measured.`,
    );

/**
 * Returns the field of the transports with those that work without a browser, and names the others.
 * @param {Experiment} experiment @returns {{ transports?: Field }}
 */
function transportsOf(experiment) {
  const field = /** @type {NamesField | undefined} */ (experiment.fields.transports);
  if (!field) return {};
  const known = nodeTransportsOf(experiment);
  const names = Object.keys(field.choices);
  const others = names.filter((name) => !known.includes(name));
  const choices = Object.fromEntries(names.filter((name) => known.includes(name)).map((name) => [name, name]));
  const help = others.length > 0 ? `with --browser also ${others.join(', ')}` : field.help;
  const own = defaultTransportsOn('node', transportRowsOf(experiment));
  return { transports: { ...field, choices, help, default: own } };
}

/** @param {Experiment} experiment @returns {string} which default transports only a page has */
function describeAdded(experiment) {
  if (!experiment.fields.transports) return '';
  const known = nodeTransportsOf(experiment);
  const names = defaultTransportsOn('page', transportRowsOf(experiment)).filter((name) => !known.includes(name));
  return names.length > 0 ? `; adds ${names.map(labelOf).join(' and ')}` : '';
}
