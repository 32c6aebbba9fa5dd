/** The document of a run over sizes. */
import { CARRIER_LABELS } from '../../net/transfer/labels.js';
import { fixed, toCsv } from '../../experiment/table.js';
import { formatSize } from './format-size.js';
import { DIRECTIONS, FIELDS, PUBLISHED, PUBLISHED_FIELDS } from './plan.js';
import { describePayload } from './report.js';
import { measurement } from './measure.js';
import { digestOfRun, problemOfRun, schemaOfRun } from '../../experiment/documents/run-document.js';
import { schemaOfFields } from '../../experiment/fields.js';

/**
 * @import { Digest, Problem } from '../../experiment/contract.js'
 * @import { Fields, Valibot } from '../../experiment/documents/fields.js'
 * @import { ExperimentDocument } from '../../experiment/measure-document.js'
 * @import { Column } from '../../experiment/table.js'
 * @import { PayloadTrial } from './measure.js'
 * @import { PayloadPlan } from './plan.js'
 */

/** @typedef {ExperimentDocument<PayloadPlan, PayloadTrial>} PayloadDocument */

/** @param {Valibot} v @param {Fields} fields */
export function schemaOf(v, fields) {
  const { text, ms, count, failure } = fields;
  const { outcome, message } = failure;
  const trial = v.pipe(
    v.strictObject({
      block: count,
      size: count,
      direction: v.picklist(DIRECTIONS),
      transport: v.picklist(Object.keys(CARRIER_LABELS)),
      protocol: v.optional(text),
      setUpMs: v.optional(ms),
      startedAtMs: ms,
      durationMs: v.optional(ms),
      failure: v.optional(v.strictObject({ outcome, message })),
    }),
    v.check(
      ({ durationMs, failure: why }) => (durationMs === undefined) !== (why === undefined),
      'expected a duration or a failure, and not both',
    ),
  );
  // By its preset the one is told from the other.
  const sweep = v.strictObject({ preset: v.optional(v.never()), ...schemaOfFields(v, FIELDS) });
  const published = v.strictObject({ preset: v.literal(PUBLISHED), ...schemaOfFields(v, PUBLISHED_FIELDS) });
  const plan = v.variant('preset', [published, sweep]);
  return schemaOfRun(v, fields, { schema: measurement.schema, plan, trial });
}

/** @param {PayloadDocument} document @returns {Problem | undefined} */
export function problemOf(document) {
  return problemOfRun(measurement, document, {
    by: ['block', 'size', 'direction', 'transport'],
    faultOf: ({ failure }, isCut) =>
      failure?.outcome === 'aborted' && !isCut
        ? 'expected only the last message of a run that ended early to be aborted'
        : undefined,
  });
}

/** @param {PayloadDocument} document @returns {Digest} */
export function digest(document) {
  const { plan, trials, environment } = document;
  return digestOfRun(document, {
    headline: () => headlineOf(plan),
    detail: () => describePayload(plan, trials, environment).join(' '),
  });
}

/** @param {PayloadPlan} plan */
function headlineOf({ preset, sizes, directions }) {
  const [least, most] = [sizes[0], sizes[sizes.length - 1]].map(formatSize);
  const span = sizes.length === 1 ? `Messages of ${least}` : `Messages from ${least} to ${most}`;
  return `${span}, ${directions.join(', ')}${preset ? ', as published' : ''}`;
}

/** @type {readonly Column<PayloadTrial>[]} */
const COLUMNS = [
  { title: 'block', value: ({ block }) => block + 1 },
  { title: 'trial', value: (_, index) => index + 1 },
  { title: 'direction', value: ({ direction }) => direction },
  { title: 'bytes', value: ({ size }) => size },
  { title: 'transport', value: ({ transport }) => transport },
  { title: 'protocol', value: ({ protocol }) => protocol },
  { title: 'outcome', value: ({ failure }) => failure?.outcome ?? 'ok' },
  { title: 'set_up_ms', value: ({ setUpMs }) => setUpMs, format: fixed(3) },
  { title: 'started_at_ms', value: ({ startedAtMs }) => startedAtMs, format: fixed(3) },
  { title: 'duration_ms', value: ({ durationMs }) => durationMs, format: fixed(3) },
  { title: 'message', value: ({ failure }) => failure?.message },
];

/** @param {PayloadDocument} document */
export function formatCsv({ trials }) {
  return toCsv({ columns: COLUMNS, rows: trials });
}
