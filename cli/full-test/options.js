/** The arguments of `sockshootout run all`: the visitor's situation, the tests, and the options of all runs. */
import { createSeed } from '../../core/base/random.js';
import { BASELINES } from '../../core/experiment/answer/compare.js';
import { listOf } from '../../core/base/format.js';
import { parseField, SEED } from '../../core/experiment/plan/fields.js';
import { SITUATION_FIELDS } from '../../core/experiment/plan/situation.js';
import { fullTest } from '../../core/full-test/all.js';
import { DISTANCES } from '../../core/full-test/distances.js';
import { isFullTestLink, parseFullTest, testsField } from '../../core/full-test/plan.js';
import { NODE_TRANSPORTS, nodeTransportsOf } from '../net/transports.js';
import { createCommand, parseArguments } from '../program/command.js';
import { UsageError } from '../program/program.js';
import { addCommon, addFields } from '../run/command.js';
import * as options from '../run/options.js';

/**
 * @import { FullTestPlan, Member, PlannedPart } from '../../core/full-test/plan.js'
 * @import { Command } from 'commander'
 * @import { Values } from '../program/command.js'
 * @import { CommonOptions } from '../run/options.js'
 * @typedef {(roundTripMs: number) => FullTestPlan} PlanAt `roundTripMs`: over HTTP
 * @typedef {CommonOptions & { isInBrowser: boolean, planAt: PlanAt, distancesMs: readonly number[] }} FullTestOptions
 */

const { uses: USES, considers: CONSIDERS } = SITUATION_FIELDS;
const NODE_BASELINES = BASELINES.filter((name) => NODE_TRANSPORTS.includes(name));
const NODE_CANDIDATES = Object.keys(CONSIDERS.choices).filter((name) => NODE_TRANSPORTS.includes(name));

/** The figures of a full test have no names for conditions. */
const WITHOUT_FIGURES = Object.freeze({ answers: [], report: { tables: [{ columns: [], rows: [] }] } });

/** @param {readonly Member[]} members @returns the fields of its options, in the order of the help */
export const fieldsOf = (members) => ({
  ...SITUATION_FIELDS,
  distances: DISTANCES,
  uses: {
    ...USES,
    default: undefined,
    help: `${USES.help}; default: ${NODE_BASELINES[0]}, or ${USES.default} with --browser`,
  },
  tests: { ...testsField(members), help: `what is measured; default: ${describeDefault(members)}` },
  seed: { ...SEED, help: 'sets the random order of trials; a plan that is repeated has its own' },
});

/** @param {readonly Member[]} members @returns {string} the tests that are measured if none are chosen */
function describeDefault(members) {
  const extra = members.filter(({ fullTest: { isExtra } }) => isExtra).map(({ name }) => name);
  return `all that the situation is about, but not ${listOf(extra)}`;
}

/** @param {readonly Member[]} members @returns {Command} */
export function createFullTestCommand(members) {
  const { question, failsIf } = fullTest;
  const what = 'Measures several experiments, one after the other. Runs in Node.js, or in Chromium with --browser.';
  const command = createCommand('npx sockshootout run all', `${question}\n${what}`).optionsGroup('Your situation:');
  addFields(command, fieldsOf(members));
  command.option(
    '--plan <link or file>',
    'repeat a full test: its link, or the JSON file of one; options of the situation make new plans',
  );
  return addCommon(command, {
    browser: 'run on the page of the site in Chromium',
    conditions: ["'failures>0'", "'invalid'"],
    failure: String(failsIf),
  });
}

/**
 * @param {string[]} args @param {readonly Member[]} members @returns {Promise<FullTestOptions>}
 * @throws {InvalidInputError | CommanderError} what, expected, got; the latter if the help was printed
 */
export async function parseFullTestOptions(args, members) {
  const values = parseArguments(createFullTestCommand(members), args);
  const isInBrowser = Boolean(values.browser);
  const common = await options.parseCommon(values, fullTest);
  for (const { condition } of common.conditions) condition.check(WITHOUT_FIGURES);
  const planAt = await parsePlan(values, { members, isInBrowser });
  const distancesMs = options.namingOptions([DISTANCES], () => parseField(values.distances ?? null, DISTANCES));
  return { ...common, isInBrowser, planAt, distancesMs };
}

/**
 * @param {Values} values @param {{ members: readonly Member[], isInBrowser: boolean }} measured
 * @returns {Promise<PlanAt>} which throws no more
 */
async function parsePlan({ plan: link, ...values }, { members, isInBrowser }) {
  const { tests, seed: seedField } = fieldsOf(members);
  const query = link === undefined ? new URLSearchParams() : await readQuery(link);
  const given = options.setGiven(query, values, SITUATION_FIELDS);
  // The plans in a link are made for its situation.
  if (given.length > 0) for (const { name } of members) query.delete(name);
  given.push(...options.setGiven(query, values, { tests }));
  if (!isInBrowser && !query.has(USES.parameter)) query.set(USES.parameter, NODE_BASELINES[0]);
  return options.namingOptions([...given, seedField], () => {
    const seed = parseField(values.seed ?? null, { ...seedField, default: createSeed() });
    const planAt = (/** @type {number} */ roundTripMs) => parseFullTest(query, members, { roundTripMs, seed });
    // What is wrong is so at any distance, and refused before the server is probed.
    const { situation, parts } = planAt(0);
    if (isInBrowser) return planAt;
    options.checkNode([situation.uses], { parameter: 'uses', known: NODE_BASELINES, option: 'uses' });
    options.checkNode([situation.considers], { parameter: 'considers', known: NODE_CANDIDATES, option: 'considers' });
    parts.forEach(checkPart);
    return planAt;
  });
}

/** @param {string} link @returns {Promise<URLSearchParams>} */
async function readQuery(link) {
  const query = await options.readPlanQuery(link, fullTest, isFullTestLink);
  if (isFullTestLink(query)) return query;
  throw new UsageError('--plan: expected a link of a full test, got a link without one');
}

/** @param {PlannedPart} part @throws {UsageError} if a repeated plan has what Node.js cannot measure */
function checkPart({ experiment, plan: { transports = [] } }) {
  options.checkNode(transports, { parameter: experiment.name, known: nodeTransportsOf(experiment) });
}
