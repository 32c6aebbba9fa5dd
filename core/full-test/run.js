/** Runs the parts of a full test, one after the other: a part that fails, or is skipped, is a line and not an end. */
import { describeError } from '../experiment/run/faults.js';
import { SCHEMA } from './schema.js';

/**
 * @import { Situation } from '../experiment/plan/situation.js'
 * @import { PlannedPart } from './plan.js'
 * @import { FullTestDocument, Part } from './schema.js'
 * @typedef {object} RunOptions
 * @property {(part: PlannedPart, signal: AbortSignal) => Promise<any>} measure returns the part's document
 * @property {AbortSignal} signal stops all, with an Ending as its reason
 * @property {(error: any) => string} [describe] why a part failed, in sentences; default: as pages do
 * @property {(index: number, skip: () => void) => void} [onStart]
 * @property {(index: number, part: Part) => void} [onEnd]
 */

const SKIPPED = Object.freeze({ kind: 'cancelled', reason: 'Skipped.' });
const NOT_REACHED = Object.freeze({ kind: 'stopped', reason: 'The full test was stopped before it.' });

/**
 * @param {{ situation: Situation, parts: readonly PlannedPart[] }} plan @param {RunOptions} options
 * @returns {Promise<FullTestDocument | undefined>} absent if no part was measured
 */
export async function runFullTest({ situation, parts: planned }, options) {
  const startedAt = new Date().toISOString();
  /** @type {Part[]} */
  const parts = [];
  for (const [index, part] of planned.entries()) {
    const made = await runPart(part, { ...options, index });
    parts.push(made);
    options.onEnd?.(index, made);
  }
  return createDocument({ situation, startedAt, parts });
}

/** @param {PlannedPart} part @param {RunOptions & { index: number }} options @returns {Promise<Part>} */
async function runPart(part, { measure, signal, describe = describeError, onStart, index }) {
  const { name: experiment } = part.experiment;
  if (signal.aborted) return { experiment, missing: NOT_REACHED };
  const skipping = new AbortController();
  onStart?.(index, () => skipping.abort(SKIPPED));
  try {
    const document = await measure(part, AbortSignal.any([signal, skipping.signal]));
    // What was measured until then says nothing that the visitor wants to know.
    return skipping.signal.aborted ? skipped(experiment) : { experiment, document };
  } catch (error) {
    if (skipping.signal.aborted) return skipped(experiment);
    if (signal.aborted) return { experiment, missing: { kind: 'stopped', reason: signal.reason.reason } };
    return { experiment, missing: { kind: 'failed', reason: describe(error) } };
  }
}

/** @param {string} experiment @returns {Part} */
const skipped = (experiment) => ({ experiment, missing: { kind: 'skipped', reason: SKIPPED.reason } });

/**
 * @param {Omit<FullTestDocument, 'schema' | 'environment'>} measured
 * @returns {FullTestDocument | undefined} absent if no part has a run
 */
function createDocument({ situation, startedAt, parts }) {
  const first = parts.find(({ document }) => document);
  if (!first) return undefined;
  // How busy the client was differs from part to part.
  const { environment } = first.document;
  const shared = { ...environment, lag: undefined, hasOtherTab: undefined };
  return { schema: SCHEMA, startedAt, situation, environment: shared, parts };
}
