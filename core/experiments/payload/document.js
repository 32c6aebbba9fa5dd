/**
 * The document of a run over sizes.
 */
import { CARRIER_LABELS } from '../../net/transfer/labels.js';
import { fixed, toCsv } from '../../experiment/table.js';
import { formatSize } from './format-size.js';
import { DIRECTIONS, FIELDS, PUBLISHED, PUBLISHED_FIELDS } from './plan.js';
import { describePayload } from './report.js';
import { measurement } from './measure.js';
import { quoteEnding, headlineOfEnding, problemOfFault } from '../../experiment/documents/ending.js';
import { experimentFields, isCarriedOut } from '../../experiment/documents/experiment-fields.js';
import { schemaOfFields } from '../../experiment/fields.js';
import { serverOf } from '../../experiment/documents/server-of.js';

/**
 * @import { Digest, Problem } from '../../experiment/contract.js'
 * @import { Valibot } from '../../experiment/documents/fields.js'
 * @import { ExperimentDocument } from '../../experiment/measure-document.js'
 * @import { Column } from '../../experiment/table.js'
 * @import { PayloadTrial } from './measure.js'
 * @import { PayloadPlan } from './plan.js'
 */

/**
 * @typedef {ExperimentDocument<PayloadPlan, PayloadTrial>} PayloadDocument
 */

/** SockJS, too, goes over nothing else here: its fallbacks take no large messages. */
const SOCKET_PROTOCOL = 'websocket';
const SOCKETS = ['websocket-text', 'websocket-binary', 'sockjs'];

/** What adding and subtracting loses. */
const ROUNDING_MS = 1e-3;

/**
 * @param {Valibot} v
 * @param {ReturnType<typeof import('../../experiment/documents/fields.js').createFields>} fields
 */
export function schemaOf(v, fields) {
  const { text, ms, count, failure } = fields;
  const carrier = v.picklist(Object.keys(CARRIER_LABELS));
  const direction = v.picklist(DIRECTIONS);
  const { outcome, message } = failure;
  // By its preset the one is told from the other.
  const sweep = v.strictObject({ preset: v.optional(v.never()), ...schemaOfFields(v, FIELDS) });
  const published = v.strictObject({ preset: v.literal(PUBLISHED), ...schemaOfFields(v, PUBLISHED_FIELDS) });
  return v.strictObject({
    schema: v.literal(measurement.schema),
    plan: v.variant('preset', [published, sweep]),
    ...experimentFields(v, fields),
    trials: v.array(
      v.pipe(
        v.strictObject({
          block: count,
          size: count,
          direction,
          transport: carrier,
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
        v.check(
          (trial) => isOverItsProtocol(trial),
          'expected a socket over the protocol websocket, and no other transport over it',
        ),
      ),
    ),
  });
}

/**
 * @param {PayloadDocument} document
 * @returns {Problem | undefined}
 */
export function problemOf(document) {
  const { plan, trials, ending } = document;
  const isRight = isCarriedOut(
    { planned: measurement.trialsOf(plan), trials, ending },
    (trial, planned) =>
      trial.block === planned.block &&
      trial.size === planned.size &&
      trial.direction === planned.direction &&
      trial.transport === planned.transport,
  );
  if (!isRight || !isOneByOne(trials)) {
    return { path: 'trials', message: 'expected those of its plan, in its order, each after the one before had ended' };
  }
  if (trials.some(({ failure }, i) => failure?.outcome === 'aborted' && !(ending && i === trials.length - 1))) {
    return { path: 'trials', message: 'expected only the last message of a run that ended early to be aborted' };
  }
  return problemOfFault(measurement, document);
}

/**
 * One that failed may have had no connection, and so no protocol.
 *
 * @param {Pick<PayloadTrial, 'transport' | 'protocol' | 'failure'>} trial
 */
function isOverItsProtocol({ transport, protocol, failure }) {
  if (!SOCKETS.includes(transport)) return protocol !== SOCKET_PROTOCOL;
  return protocol === SOCKET_PROTOCOL || (protocol === undefined && failure !== undefined);
}

/** @param {readonly PayloadTrial[]} trials */
function isOneByOne(trials) {
  return trials.every(({ startedAtMs }, i) => {
    if (i === 0) return true;
    const { startedAtMs: lastMs, durationMs = 0 } = trials[i - 1];
    return startedAtMs >= lastMs + durationMs - ROUNDING_MS;
  });
}

/**
 * @param {PayloadDocument} document
 * @returns {Digest}
 */
export function digest({ startedAt, plan, environment, statusBefore, trials, ending }) {
  return {
    startedAt,
    ...serverOf(environment, statusBefore),
    transports: [...plan.transports],
    isValid: ending === undefined,
    headline: ending ? headlineOfEnding(ending) : headlineOf(plan),
    detail: ending ? quoteEnding(ending) : describePayload(plan, trials, environment).join(' '),
    sampleCount: trials.filter(({ failure }) => failure === undefined).length,
    failureCount: trials.filter(({ failure }) => failure !== undefined).length,
  };
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
