/** `sockshootout run NAME`: measures an experiment, or all, and prints a report. */
import { formatSeconds } from '../core/base/format.js';
import { findingsOf } from '../core/experiment/report/findings.js';
import { formatPlan } from '../core/experiment/plan/plan-link.js';
import { LOADERS } from '../core/experiments/index.js';
import { loadClient } from './clients/index.js';
import { ALL, findName } from './program/command.js';
import { createProgress } from './program/program.js';
import { parseRunOptions } from './run/options.js';
import { environmentOf, measureInBrowser, measureInNode } from './run/measure.js';
import { CANCELLED, outcomeOf, printOutcome } from './run/outcome.js';

/**
 * @import { Experiment } from '../core/experiment/contract.js'
 * @import { NodeClient } from './clients/index.js'
 * @import { RunOptions } from './run/options.js'
 * @import { Outcome } from './run/outcome.js'
 * @typedef {{ experiment: Experiment, client: NodeClient, options: RunOptions }} Asked
 */

/** @param {string[]} args @returns {Promise<number>} the exit code */
export async function main([given = '--help', ...args]) {
  const name = await findName(given, 'npx sockshootout run');
  if (name === ALL) return (await import('./full-test/index.js')).main(args);
  const [experiment, client] = await Promise.all([LOADERS[name](), loadClient(name)]);
  const options = await parseRunOptions(args, { experiment, client });
  return printOutcome(options, (baseUrl, signal) => measureAt(baseUrl, { experiment, client, options }, signal));
}

/** @param {string} baseUrl @param {Asked} asked @param {AbortSignal} signal @returns {Promise<Outcome>} */
async function measureAt(baseUrl, asked, signal) {
  const { experiment, client, options } = asked;
  const fitted = await client.fitPlan({ baseUrl, plan: options.plan, own: options.own, signal });
  if (!fitted) return CANCELLED;
  const { plan, roundTripMs, text = describeDuration(experiment, plan, roundTripMs) } = fitted;
  checkConditions(plan, asked);
  const progress = createProgress(options.isQuiet);
  const nodeRun = { baseUrl, plan, progress, signal };
  try {
    const other = client.options?.instead?.(nodeRun, options);
    if (other) return await other;
    progress.say(`${experiment.describePlan(plan)} ${text}`.trim());
    const document = await (options.isInBrowser
      ? measureInBrowser(experiment, nodeRun)
      : measureInNode(experiment, client, nodeRun));
    if (options.link) document.environment.link = options.link;
    if (document.trials?.length === 0)
      return document.ending?.kind === 'invalid' ? endedBy(document.ending) : CANCELLED;
    // The local server is gone when this is read, so a link would lead nowhere.
    const repeated = options.baseUrl === undefined ? formatCommand(plan, asked) : undefined;
    return outcomeOf(document, { experiment, options, plan: repeated });
  } finally {
    progress.end();
  }
}

/** @param {{ reason: string }} ending before anything was measured @returns {Outcome} */
const endedBy = ({ reason }) => ({ text: '', listReasons: () => [reason] });

/** @param {any} plan @param {Asked} asked @returns {string} that repeats it */
function formatCommand(plan, { experiment, client, options }) {
  const browser = options.isInBrowser && !client.needsPage ? ' --browser' : '';
  return `npx sockshootout run ${experiment.name}${browser} --plan '?${formatPlan(experiment, plan)}'`;
}

/**
 * @param {Experiment} experiment @param {any} plan @param {number} [roundTripMs] absent: the plan's description has it
 * @returns {string} a sentence; empty if it is not known
 */
function describeDuration({ fullTest }, plan, roundTripMs) {
  if (!fullTest || roundTripMs === undefined) return '';
  return `It takes about ${formatSeconds(fullTest.secondsOf(plan, roundTripMs))}.`;
}

/**
 * Checks the conditions before the measurement: a run without any trial has the same columns as a complete one.
 * @param {any} plan @param {Asked} asked
 */
function checkConditions(plan, { experiment, options: { conditions } }) {
  if (conditions.length === 0) return;
  const document = {
    startedAt: new Date().toISOString(),
    plan,
    environment: environmentOf('http://localhost'),
    trials: [],
    ending: { kind: 'cancelled', reason: '' },
  };
  const findings = findingsOf(experiment, document);
  for (const { condition } of conditions) condition.check(findings);
}
