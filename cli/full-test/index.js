/** `sockshootout run all`: measures several experiments, and prints the one decision that follows from them. */
import { openRun } from '../../core/experiment/run/open-run.js';
import { EXPERIMENTS } from '../../core/experiments/all.js';
import { fullTest } from '../../core/full-test/all.js';
import { withDigest } from '../../core/full-test/digest.js';
import { createFullTest } from '../../core/full-test/index.js';
import { describeDuration, secondsOf } from '../../core/experiment/run/duration.js';
import { linkOf, membersOf } from '../../core/full-test/plan.js';
import { probeEcho } from '../net/probe.js';
import { measureInBrowser, measureInNode } from '../run/measure.js';
import { CANCELLED, outcomeOf, printOutcome } from '../run/outcome.js';
import { parseFullTestOptions } from './options.js';
import { formatSeconds } from '../../core/base/format.js';
import { InvalidInputError, visible } from '../../core/base/foreign-text.js';
import { describeError } from '../../core/experiment/run/faults.js';
import { describeFailures, summarizeParts } from '../../core/full-test/score.js';
import { runFullTest } from '../../core/full-test/run.js';
import { ExchangeError } from '../../core/net/exchange-error.js';
import { loadClient } from '../clients/index.js';
import { createProgress, RunError } from '../program/program.js';

/**
 * @import { EmulatedLink } from '../../core/experiment/run/emulated-link.js'
 * @import { FullTestPlan, PlannedPart } from '../../core/full-test/plan.js'
 * @import { Outcome } from '../run/outcome.js'
 * @import { FullTestOptions } from './options.js'
 * @import { Situation } from '../../core/experiment/plan/situation.js'
 * @import { FullTestDocument, Part } from '../../core/full-test/schema.js'
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
    process.stderr.write(`${plan.parts.length} tests in Chromium, ${duration}\n`);
  }
  const document = await (isInBrowser
    ? measureInBrowser({ ...fullTest, linkPath: linkOf }, { plan, baseUrl, signal })
    : measureParts(plan, { baseUrl, roundTripMs, signal, isQuiet }));
  if (!document) return CANCELLED;
  if (link) setLink(document, link);
  // The local server is gone when this is read, so a link would lead nowhere.
  const repeated = options.baseUrl === undefined ? formatCommand(plan, isInBrowser) : undefined;
  const experiment = withDigest(createFullTest(EXPERIMENTS, { distancesMs: options.distancesMs }));
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

/** @typedef {{ baseUrl: string, signal: AbortSignal, isQuiet: boolean }} PartRun of a part */

/** The maximum length of a reason: a document has one line for it. */
const MAX_REASON = 500;

/**
 * Measures the parts of a full test in Node.js, one after the other.
 * @param {FullTestPlan} plan @param {PartRun & { roundTripMs: number }} run `roundTripMs`: over HTTP
 * @returns {Promise<FullTestDocument | undefined>} absent if it was stopped before anything was measured
 * @throws {RunError} if no part could be measured
 */
async function measureParts(plan, { roundTripMs, ...run }) {
  const progress = createProgress(run.isQuiet);
  const titles = titlesOf(plan.parts, roundTripMs);
  /** @type {Part[]} */
  const parts = [];
  const document = await runFullTest(plan, {
    signal: run.signal,
    describe: describeFault,
    onStart: (index) => progress.say(titles[index]),
    onEnd: (_, part) => parts.push(part),
    measure: (part, signal) => measurePart(part, { ...run, situation: plan.situation, signal }),
  });
  if (document || run.signal.aborted) return document;
  throw new RunError(describeFailures(summarizeParts({ parts }, EXPERIMENTS)).join(' '));
}

/**
 * @param {readonly PlannedPart[]} parts @param {number} roundTripMs over HTTP
 * @returns {string[]} such as 'test 1 of 2: Being notified, about 9 s; 14 s left'
 */
export const titlesOf = (parts, roundTripMs) =>
  parts.map((part, i) => {
    const about = formatSeconds(secondsOf([part], roundTripMs));
    const left = i < parts.length - 1 ? `; ${formatSeconds(secondsOf(parts.slice(i), roundTripMs))} left` : '';
    return `test ${i + 1} of ${parts.length}: ${part.experiment.fullTest.question}, about ${about}${left}`;
  });

/** @param {PlannedPart} part @param {PartRun & { situation: Situation }} run @returns {Promise<any>} its document @throws {RunError} if it is empty */
async function measurePart({ experiment, plan }, { isQuiet, ...run }) {
  // Each part has a progress of its own, which begins with 0%.
  const progress = createProgress(isQuiet);
  try {
    const client = await loadClient(experiment.name);
    const document = await measureInNode(experiment, client, { ...run, plan, progress });
    if (!run.signal.aborted || document.trials?.length !== 0) return document;
    throw new RunError('Stopped before anything was measured.');
  } finally {
    progress.end();
  }
}

/** @param {any} error @returns {string} why a part failed; a fault of the program is printed whole, too */
function describeFault(error) {
  if (error instanceof ExchangeError) return describeError(error);
  if (!(error instanceof InvalidInputError)) process.stderr.write(`${error.stack}\n`);
  return visible(error.message).slice(0, MAX_REASON);
}
