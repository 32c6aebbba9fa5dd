/** `sockshootout run all`: measures several experiments, and prints the one decision that follows from them. */
import { openRun } from '../../core/experiment/open-run.js';
import { EXPERIMENTS } from '../../core/experiments/all.js';
import { fullTest } from '../../core/full-test/all.js';
import { createFullTest } from '../../core/full-test/index.js';
import { describeDuration, linkOf, membersOf } from '../../core/full-test/plan.js';
import { probeEcho } from '../net/probe.js';
import { measureInBrowser } from '../run/measure.js';
import { CANCELLED, outcomeOf, printOutcome } from '../run/outcome.js';
import { measureParts } from './measure.js';
import { parseFullTestOptions } from './options.js';

/**
 * @import { EmulatedLink } from '../../core/experiment/emulated-link.js'
 * @import { FullTestPlan } from '../../core/full-test/plan.js'
 * @import { Outcome } from '../run/outcome.js'
 * @import { FullTestOptions } from './options.js'
 */

/** @param {string[]} args @returns {Promise<number>} the exit code */
export async function main(args) {
  const members = membersOf(EXPERIMENTS);
  const options = await parseFullTestOptions(args, members);
  return printOutcome(options, (baseUrl, signal) => measureAt(baseUrl, options, signal));
}

/** @param {string} baseUrl @param {FullTestOptions} options @param {AbortSignal} signal @returns {Promise<Outcome>} */
async function measureAt(baseUrl, options, signal) {
  const roundTripMs = await probeEcho({ baseUrl, plan: {}, signal });
  if (roundTripMs === undefined) return CANCELLED;
  const plan = options.planAt(roundTripMs);
  const { isInBrowser, isQuiet, link } = options;
  if (isInBrowser && !isQuiet) {
    const duration = describeDuration(plan.parts, roundTripMs);
    process.stderr.write(`${plan.parts.length} tests in Chromium, about ${duration}\n`);
  }
  const document = await (isInBrowser
    ? measureInBrowser({ ...fullTest, linkPath: linkOf }, { plan, baseUrl, signal })
    : measureParts(plan, { baseUrl, roundTripMs, signal, isQuiet }));
  if (!document) return CANCELLED;
  if (link) setLink(document, link);
  // The local server is gone when this is read, so a link would lead nowhere.
  const repeated = options.baseUrl === undefined ? formatCommand(plan, isInBrowser) : undefined;
  const experiment = createFullTest(EXPERIMENTS, { distancesMs: options.distancesMs });
  return outcomeOf(document, { experiment, options, plan: repeated });
}

/** @param {any} document @param {EmulatedLink} link over which it and its parts were measured */
function setLink(document, link) {
  const { parts } = openRun(fullTest, document);
  for (const { environment } of [document, ...parts.map(({ document: own }) => own)]) environment.link = link;
}

/** @param {FullTestPlan} plan @param {boolean} isInBrowser @returns {string} the command that repeats it */
const formatCommand = (plan, isInBrowser) =>
  `npx sockshootout run all${isInBrowser ? ' --browser' : ''} --plan '${linkOf(plan)}'`;
