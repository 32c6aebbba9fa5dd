#!/usr/bin/env node
/**
 * `npm run payload`: a run over sizes from the command line.
 */
import { labelOfCarrier } from '../core/net/transfer/labels.js';
import { payload as payloadKind } from '../core/experiments/payload/index.js';
import { formatSize } from '../core/experiments/payload/format-size.js';
import { describePayloadPlan, trialsOf } from '../core/experiments/payload/plan.js';
import { formatPayloadMarkdown } from '../core/experiments/payload/report.js';
import { measureSpeed } from '../core/experiments/payload/speed.js';
import { cancelOnSignals } from './program/cancel-on-signals.js';
import { createCarriers } from './net/carriers.js';
import { checkWritable } from './program/check-writable.js';
import { UsageError } from './program/errors.js';
import { fitPlan } from './payload/fit-plan.js';
import { formatPayload } from './payload/format.js';
import { measurePayloadDocument } from './payload/measure.js';
import { withOwnServer } from './program/own-server.js';
import { HELP, parsePayloadOptions } from './payload/options.js';
import { createProgress } from './program/progress.js';
import { EXIT, runProgram, writeOutput } from './program/run-program.js';

/**
 * @import { PayloadDocument } from '../core/experiments/payload/document.js'
 * @import { Speed } from '../core/experiments/payload/speed.js'
 * @import { Carrier } from '../core/net/transfer/index.js'
 * @import { PayloadOptions } from './payload/options.js'
 */

/** @type {Record<PayloadOptions['format'], (document: PayloadDocument) => string>} */
const FORMATTERS = {
  text: formatPayload,
  json: (document) => `${JSON.stringify(document)}\n`,
  csv: (document) => payloadKind.formatCsv(document),
  markdown: formatPayloadMarkdown,
};

/**
 * @param {string[]} words
 * @returns {Promise<number>} the exit code
 */
async function main(words) {
  const options = await parsePayloadOptions(words);
  if (!options) {
    process.stdout.write(HELP);
    return EXIT.done;
  }
  const { origin, format, out } = options;
  if (out !== undefined) await checkWritable(out);
  const signal = cancelOnSignals();
  const measure = (/** @type {string} */ site) => measureAt(site, options, signal);
  const document = await (origin === undefined ? withOwnServer(measure) : measure(origin));
  if (!document || document.trials.length === 0) {
    process.stderr.write('Cancelled before the run began.\n');
    return EXIT.failed;
  }
  await writeOutput(FORMATTERS[format](document), out);
  const reason = reasonToFail(document);
  if (reason === undefined) return EXIT.done;
  process.stderr.write(`${reason}\n`);
  return EXIT.failed;
}

/**
 * @param {string} origin
 * @param {PayloadOptions} options
 * @param {AbortSignal} signal
 * @returns {Promise<PayloadDocument | undefined>} absent where it was cancelled before it began
 * @throws {UsageError} where no server answers, or nothing fits the budget
 */
async function measureAt(origin, { plan: wanted, budget, isInBrowser, isQuiet }, signal) {
  const carriers = await createCarriers(origin, isInBrowser ? ['fetch'] : undefined);
  const speed = await lookAtSpeed(carriers.fetch, { origin, signal });
  if (!speed) return undefined;
  const { plan, words } = fitPlan(wanted, { speed, budget });
  const trials = trialsOf(plan);
  const blocks = trials[trials.length - 1].block + 1;
  const progress = createProgress({ stream: process.stderr, blocks, trialsPerBlock: trials.length / blocks, isQuiet });
  progress.say(`${describePayloadPlan(plan)} ${words}`);
  try {
    if (!isInBrowser) return await measurePayloadDocument({ plan, origin, carriers, progress, signal });
    const { measurePayloadInBrowser } = await import('./program/measure-in-browser.js');
    return await measurePayloadInBrowser({ plan, origin, signal });
  } finally {
    progress.end();
  }
}

/**
 * @param {Carrier} carrier
 * @param {{ origin: string, signal: AbortSignal }} options
 * @returns {Promise<Speed | undefined>} absent where it was cancelled
 */
async function lookAtSpeed(carrier, { origin, signal }) {
  try {
    return await measureSpeed({ carrier, now: () => performance.now(), signal });
  } catch (error) {
    if (signal.aborted) return undefined;
    const { message } = /** @type {Error} */ (error);
    throw new UsageError(`--url: expected a SockShootout at ${origin}, got no payload from there: ${message}`);
  }
}

/**
 * @param {PayloadDocument} document
 * @returns {string | undefined} a sentence; absent where every message was answered
 */
function reasonToFail({ trials, ending }) {
  if (ending) return ending.reason;
  const failed = trials.filter(({ failure }) => failure);
  if (failed.length === 0) return undefined;
  const [{ size, direction, transport, failure }] = failed;
  return `${failed.length} of ${trials.length} messages failed, the first ${formatSize(size)} ${direction} by ${labelOfCarrier(transport)}: ${failure?.message}`;
}

await runProgram(main);
