/** The document of a classic page's runs, those of 2012. */
import { fromDocument } from './export.js';
import { formatClassic, MAX_RUNS, measurement } from './measure.js';
import { labelOf } from '../../net/echo/labels.js';
import { digestOfLone, isEnded } from '../../experiment/lone-trials.js';
import { formatTrialsCsv } from '../../experiment/trials.js';

/**
 * @import { Digest, Problem } from '../../experiment/contract.js'
 * @import { Fields, Valibot } from '../../experiment/documents/fields.js'
 * @import { ClassicDocument } from './export.js'
 */

/** @param {Valibot} v @param {Fields} fields */
export function schemaOf(v, { time, ms, reading, environment, trial, ending }) {
  return v.strictObject({
    schema: v.literal(measurement.schema),
    transport: v.picklist(['ajax', 'sockjs']),
    coldSetUpMs: v.optional(ms),
    environment,
    runs: v.pipe(
      v.array(
        v.strictObject({
          startedAt: time,
          wasHidden: v.boolean(),
          clickedAtMs: reading,
          trial,
          ending: v.optional(ending),
        }),
      ),
      v.minLength(1),
      v.maxLength(MAX_RUNS),
    ),
  });
}

/** @param {ClassicDocument} document @returns {Problem | undefined} */
export function problemOf({ transport, runs }) {
  const index = runs.findIndex(
    ({ clickedAtMs, trial, ending }) =>
      trial.transport !== transport || clickedAtMs > trial.startedAtMs || !isEnded({ trial, ending }),
  );
  if (index < 0) return undefined;
  return {
    path: `runs.${index}`,
    message: `expected a run by ${labelOf(transport)} that began after its click and is whole, ended with one failure, or says why it ended`,
  };
}

/** @param {ClassicDocument} document @returns {Digest} */
export function digest(document) {
  const { transport, environment, runs } = fromDocument(document);
  const lines = runs.map(formatClassic);
  return {
    ...digestOfLone(environment, runs),
    headline: `${labelOf(transport)}: ${lines[lines.length - 1]}`,
    detail: lines.join(' · '),
    classic: runs.map(({ trial: { iterations }, elapsedMs }) => ({ iterations, elapsedMs })),
  };
}

/** @param {ClassicDocument} document @returns {string} a line for each sample and each failure */
export function formatCsv({ runs }) {
  return formatTrialsCsv(runs.map(({ trial }) => trial));
}
