/** Defines the plan of a run under load: its loads and probes, how much each load transfers, and its trials. */
import { formatBytes, formatCount, formatSeconds, listOf } from '../../base/format.js';
import { InvalidInputError } from '../../base/foreign-text.js';
import { inBlocks } from '../../base/random.js';
import { sumOf } from '../../base/statistics.js';
import { BASELINES, MIN_BLOCKS, warnOfFewBlocks } from '../../experiment/answer/compare.js';
import { integer, names, SEED } from '../../experiment/plan/fields.js';
import { blocksField } from '../../experiment/plan/blocks.js';
import { defaultTransportsOn, transports } from '../../net/echo/index.js';
import { WEBSOCKET } from '../../net/protocols.js';
import { byName } from '../../net/rows.js';

/**
 * @import { LoadDirection } from '../../net/load/index.js'
 * @import { PlatformRow } from '../../net/echo/index.js'
 * @import { PlanOf } from '../../experiment/plan/fields.js'
 * @typedef {PlanOf<typeof FIELDS>} UnderLoadPlan
 * @typedef {{ block: number, load: string }} PlannedTrial one load of one block, with all probes side by side
 * @typedef {object} LoadRow
 * @property {string} name
 * @property {string} label
 * @property {LoadDirection} [direction] absent: no load
 * @property {number} [requestCount] over HTTP, at once; absent: over a WebSocket
 * @property {number} [chunkBytes] over a WebSocket; absent: one message
 */

const KIB = 1024;
const CHUNKS_KIB = [16, 64, 256];

/** Why a load's names have no number of bytes: the plan has it. @type {Readonly<Record<string, LoadRow>>} */
export const LOADS = byName([
  { name: 'unloaded', label: 'No load' },
  ...loadsOf('down', 'download'),
  ...loadsOf('up', 'upload'),
]);

/** @param {LoadDirection} direction @param {string} noun @returns {LoadRow[]} */
function loadsOf(direction, noun) {
  return [
    { name: `http-${direction}`, label: `HTTP ${noun}`, direction, requestCount: 1 },
    { name: `http6-${direction}`, label: `Six HTTP ${noun}s`, direction, requestCount: 6 },
    { name: `ws-${direction}`, label: `WebSocket ${noun}, one message`, direction },
    ...CHUNKS_KIB.map((kib) => ({
      name: `ws-${direction}-${kib}`,
      label: `WebSocket ${noun}, chunks of ${kib} KiB`,
      direction,
      chunkBytes: kib * KIB,
    })),
  ];
}

/** The probe on the socket that carries the load. */
export const SAME = 'same-socket';

/**
 * The probes, by name: that of the transport that sends it, but for the load's own socket.
 * @type {Readonly<Record<string, PlatformRow & { label: string, protocols: readonly string[] }>>}
 */
export const PROBES = byName([
  { ...transports.ajax, label: 'AJAX request' },
  { ...transports.fetch, label: 'fetch request' },
  { ...transports.ws, label: 'Second WebSocket' },
  { name: SAME, label: 'Same socket', library: 'WebSocket', protocols: WEBSOCKET, defaultOn: ['page', 'node'] },
  { ...transports.sockjs, label: 'SockJS' },
]);

/** @param {Readonly<Record<string, { name: string, label: string }>>} rows */
const labelsOf = (rows) =>
  Object.freeze(Object.fromEntries(Object.values(rows).map(({ name, label }) => [name, label])));

export const PROBE_LABELS = labelsOf(PROBES);

/** A visitor may pay for each byte: the most that one transfer may have. */
export const MAX_BYTES = 16_000_000;
export const MIN_BYTES = 10_000;
const BYTES = {
  unit: 'bytes',
  help: 'size of a transfer; 0: fitted before the run, so that it takes as long as a trial',
  min: 0,
  max: MAX_BYTES,
  default: 0,
};

export const FIELDS = Object.freeze({
  transports: names({
    parameter: 'transports',
    label: 'Probes',
    one: 'probe',
    choices: PROBE_LABELS,
    isOrdered: true,
    rows: PROBES,
    default: defaultTransportsOn('page', PROBES),
  }),
  loads: names({
    parameter: 'loads',
    label: 'Loads',
    help: 'what is transferred at the same time',
    one: 'load',
    choices: labelsOf(LOADS),
    isOrdered: true,
    default: ['unloaded', 'http-down', 'ws-down', 'ws-down-64'],
    rule: {
      isMet: (list) => list.includes('unloaded') && list.length > 1,
      expected: 'unloaded and at least one other',
      schema: { minItems: 2, contains: { const: 'unloaded' } },
    },
  }),
  downBytes: integer({ ...BYTES, parameter: 'down', label: 'Size of a download' }),
  upBytes: integer({ ...BYTES, parameter: 'up', label: 'Size of an upload' }),
  seconds: integer({
    parameter: 'seconds',
    label: 'Duration of a trial',
    unit: 's',
    help: 'duration of a trial; a transfer that takes three times as long is given up',
    min: 1,
    max: 10,
    default: 3,
  }),
  blocks: blocksField({
    help: `each has every load once; a verdict needs ${MIN_BLOCKS}`,
    min: 1,
    max: 20,
  }),
  seed: SEED,
});

/** The probes of each kind, per second. */
const PROBES_PER_SECOND = 5;
export const PROBE_INTERVAL_MS = 1000 / PROBES_PER_SECOND;
/** A probe without an answer counts as this. */
export const LIMIT_MS = 10_000;
/** A shorter transfer is no load: its beginning and end are most of it, and too few probes fall into it. */
export const MIN_LOAD_MS = 1000;
/** A transfer that takes so many times the planned duration is given up, so that a run ends. */
export const GIVE_UP_FACTOR = 3;
/** The time of a trial besides its load: connecting, warming up, waiting for the last answers. */
const AROUND_MS = 500;

/** @param {UnderLoadPlan} plan @throws {InvalidInputError} if a transfer is too small */
export function checkPlan({ downBytes, upBytes }) {
  for (const [name, bytes] of Object.entries({ down: downBytes, up: upBytes })) {
    if (bytes === 0 || bytes >= MIN_BYTES) continue;
    const reason = `expected 0, or from ${MIN_BYTES} to ${MAX_BYTES} bytes, got ${bytes}`;
    throw new InvalidInputError(reason, { fields: [name] });
  }
}

/** @param {UnderLoadPlan} plan @returns {boolean} are its sizes fitted, so that it can be run? */
export const isFitted = ({ downBytes, upBytes }) => downBytes > 0 && upBytes > 0;

/** @param {UnderLoadPlan} plan @returns {PlannedTrial[]} block by block, the loads of each in random order */
export const trialsOf = ({ loads, blocks, seed }) =>
  inBlocks(
    loads.map((load) => ({ load })),
    { blocks, seed },
  );

/** @param {string} load @param {UnderLoadPlan} plan @returns {number} of one transfer */
export function bytesOf(load, { downBytes, upBytes }) {
  const { direction } = LOADS[load];
  return direction === undefined ? 0 : direction === 'down' ? downBytes : upBytes;
}

/** @param {UnderLoadPlan} plan @returns {number} of all transfers, without the probes */
const totalBytesOf = (plan) => plan.blocks * sumOf(plan.loads, (load) => bytesOf(load, plan));

/** @param {UnderLoadPlan} plan @returns {number} about, if each transfer takes as long as it should */
export const secondsOf = ({ loads, blocks, seconds }) =>
  Math.ceil((blocks * loads.length * (1000 * seconds + AROUND_MS)) / 1000);

/**
 * Does a load have a probe? A socket that carries nothing while the load goes over HTTP is one more second socket.
 * @param {string} load @param {string} probe
 */
export function hasProbe(load, probe) {
  const { direction, requestCount } = LOADS[load];
  return probe !== SAME || direction === undefined || requestCount === undefined;
}

/** @param {UnderLoadPlan} plan @returns {string | undefined} the probe with which the others are compared */
export const baselineOf = ({ transports: probes }) => BASELINES.find((name) => probes.includes(name));

/**
 * What goes over the load's socket could go over a second one, else as what the others are compared with.
 * @param {UnderLoadPlan} plan @returns {string | undefined} the probe with which the waits on the load's socket are compared
 */
export const wayOutOf = (plan) => (plan.transports.includes('ws') ? 'ws' : baselineOf(plan));

/** @param {number} megabits @returns {string} such as '26 Mbit/s' */
export const formatRate = (megabits) => `${Number(megabits.toPrecision(megabits < 100 ? 2 : 3))} Mbit/s`;

/** @param {string} probe @returns {string} its label within a sentence, such as 'second WebSocket', 'AJAX request' */
export const nameProbe = (probe) =>
  PROBE_LABELS[probe].replace(/^[A-Z](?=[a-z]+( |$))/, (letter) => letter.toLowerCase());

/**
 * Describes the loads and the probes of a plan, and how long they take.
 * @param {UnderLoadPlan} plan @returns {string} sentences
 */
export function describePlan(plan) {
  const { transports: probes, blocks } = plan;
  const transfers = [...describeTransfers(plan, 'down', 'download'), ...describeTransfers(plan, 'up', 'upload')];
  const take = blocks === 1 ? 'takes' : 'take';
  return [
    `Sends small messages with ${formatCount(probes.length, 'probe')}, without load and during ${listOf(transfers)}.`,
    `${formatCount(blocks, 'block')} ${take} about ${formatSeconds(secondsOf(plan))} and ${formatTotal(plan)}.${warnOfFewBlocks(blocks)}`,
  ].join(' ');
}

/**
 * @param {UnderLoadPlan} plan @param {LoadDirection} direction @param {string} noun
 * @returns {string[]} such as '3 downloads of about 3 s each', or none
 */
function describeTransfers(plan, direction, noun) {
  const own = plan.loads.filter((load) => LOADS[load].direction === direction);
  if (own.length === 0) return [];
  const bytes = bytesOf(own[0], plan);
  const size = bytes > 0 ? formatBytes(bytes) : `about ${plan.seconds} s`;
  return [`${formatCount(own.length, noun)} of ${size}${own.length === 1 ? '' : ' each'}`];
}

/** @param {UnderLoadPlan} plan @returns {string} such as '72 MB', 'at most 288 MB' before its sizes are fitted, or in chunks */
export function formatTotal(plan) {
  const most = { ...plan, downBytes: plan.downBytes || MAX_BYTES, upBytes: plan.upBytes || MAX_BYTES };
  const isMost = (/** @type {string} */ load) => {
    const { direction, chunkBytes } = LOADS[load];
    return chunkBytes !== undefined || (direction !== undefined && bytesOf(load, plan) === 0);
  };
  return `${plan.loads.some(isMost) ? 'at most ' : ''}${formatBytes(totalBytesOf(most))}`;
}
