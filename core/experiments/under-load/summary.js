/** Summarizes a run under load: by load and probe, how much longer small messages took than without load. */
import { median, negate, percentile, sort, spreadOf, sumOf } from '../../base/statistics.js';
import { answerJudged } from '../../experiment/answer/answer.js';
import { barsBetween } from '../../experiment/answer/answer-card.js';
import { judgeTimes } from '../../experiment/answer/compare.js';
import { protocolsOf } from '../../experiment/run/trials.js';
import { HTTP1_CONNECTION_COUNT } from '../../net/http.js';
import { baselineOf, hasProbe, LIMIT_MS, LOADS, MIN_LOAD_MS, PROBE_LABELS, SAME, wayOutOf } from './plan.js';

/**
 * @import { Spread } from '../../base/statistics.js'
 * @import { Compared, OwnAnswer } from '../../experiment/answer/answer.js'
 * @import { Judged } from '../../experiment/answer/verdict.js'
 * @import { UnderLoadPlan } from './plan.js'
 * @import { Probed, UnderLoadTrial } from './schema.js'
 * @typedef {{ block: number, p50Ms: number, maxMs: number, baseMs: number, sendDelayMs: number, latencies: readonly number[],
 *   protocol?: string }} BlockFigures of a probe: under load and, `baseMs`, its p50 in the unloaded trial of the same block
 * @typedef {{ name: string, figures: readonly BlockFigures[] }} Others
 * @typedef {{ baseline: string, judged: Judged, later?: Spread }} Wait `later`: how much longer than the baseline's, ms
 * @typedef {object} LoadRowSummary
 * @property {string} load
 * @property {number} blockCount
 * @property {number} unreachedCount
 * @property {NonNullable<UnderLoadTrial['failure']>[]} failures
 * @property {number} [byteCount] of one transfer; in chunks it may have ended before all was sent
 * @property {Spread} [megabits] per second
 * @property {number} maxUnsentBytes
 * @property {ProbeRow[]} rows
 * @typedef {object} ProbeRow times in ms
 * @property {string} transport
 * @property {number} blockCount
 * @property {Spread} [base] the p50 without load
 * @property {Spread} [p50]
 * @property {Spread} [addedP50] how much longer the p50 was than that without load
 * @property {Spread} [addedMax] how much longer the longest took than the p50 without load
 * @property {number} [p95Ms] of all blocks' samples together
 * @property {number} sampleCount
 * @property {number} failureCount
 * @property {string[]} protocols
 * @property {Spread} [sendDelay] how late the page sent a message at most
 * @property {boolean} sharesConnection does it go over the connection of a load over HTTP, as requests of HTTP/2 and HTTP/3 do?
 * @property {boolean} waitsForConnection does the load take all connections that a browser has for its requests?
 * @property {Judged} [judged] absent of the baseline
 * @property {Wait} [wait]
 * @typedef {object} UnderLoadSummary
 * @property {UnderLoadPlan} plan
 * @property {LoadRowSummary[]} loads
 * @property {{ transport: string, p50?: Spread }[]} unloaded
 * @property {LoadRowSummary} [about] the load that the conclusion is about; absent if none was reached
 */

/** The protocols that carry all requests of a page over one connection. */
const MULTIPLEXED = ['h2', 'h3'];

/**
 * Summarizes the probes of each load, and those without load.
 * @param {{ plan: UnderLoadPlan, trials: readonly UnderLoadTrial[] }} document @returns {UnderLoadSummary}
 */
export function summarize({ plan, trials }) {
  const loads = plan.loads.filter((load) => load !== 'unloaded').map((load) => summarizeLoad(load, plan, trials));
  return {
    plan,
    loads,
    unloaded: plan.transports.map((probe) => summarizeUnloaded(probe, trials)),
    about: chooseLoad(loads),
  };
}

/**
 * The first load in one piece whose own socket was probed, else the first.
 * @param {readonly LoadRowSummary[]} loads @returns {LoadRowSummary | undefined}
 */
function chooseLoad(loads) {
  const reached = loads.filter(({ blockCount, rows }) => blockCount > 0 && rows.some(({ addedMax }) => addedMax));
  return reached.find((one) => isInOnePiece(one) && rowOf(one, SAME)) ?? reached[0];
}

/** Checks whether a load is one message over a socket. @param {LoadRowSummary} summary */
export const isInOnePiece = ({ load }) => !LOADS[load].requestCount && !LOADS[load].chunkBytes;

/** @param {LoadRowSummary} summary @param {string} probe @returns {ProbeRow | undefined} if its load was reached */
export const rowOf = ({ rows }, probe) => rows.find(({ transport, addedMax }) => transport === probe && addedMax);

/**
 * Answers how the probes of each load compare with the baseline, and how much longer than elsewhere one waits on the load's socket.
 * @param {UnderLoadSummary} summary @returns {(OwnAnswer & Compared)[]}
 */
export function answersOf(summary) {
  const { plan, loads } = summary;
  const baseline = baselineOf(plan) ?? '';
  const waits = answerWait(summary);
  const ratios = loads.flatMap(({ load, rows }) =>
    rows.flatMap(({ transport, judged }) => {
      if (!judged) return [];
      // What is drawn is what the conclusion says, if it compares anything.
      const bars = waits.length > 0 ? undefined : barsOf([baseline, transport], rows, 'p50');
      return [
        answerJudged(
          {
            subject: transport,
            baseline,
            unit: 'times-as-fast',
            at: LOADS[load].label,
            bars,
            barsTitle: 'Median time of a message',
          },
          judged,
        ),
      ];
    }),
  );
  return [...ratios, ...waits];
}

/** @param {UnderLoadSummary} summary @returns {(OwnAnswer & Compared)[]} with the times of the conclusion, or none */
function answerWait({ about }) {
  const { wait } = (about && rowOf(about, SAME)) ?? {};
  const laterMs = wait?.later?.interval;
  if (!about || !wait || !laterMs) return [];
  const { baseline, judged } = wait;
  const bars = barsOf([baseline, SAME], about.rows, 'addedMax');
  const at = `longest wait, ${LOADS[about.load].label}`;
  const answer = answerJudged({ subject: SAME, baseline, unit: 'sooner-ms', at, bars, barsTitle: WAIT_TITLE }, judged);
  return [{ ...answer, ...negate(laterMs), aside: LONGEST_WAIT }];
}

/** What the bars of waits are. */
export const WAIT_TITLE = 'Longest wait added by the load';

const LONGEST_WAIT = 'The longest wait of a small message, beyond its time without load.';

/** @param {readonly [string, string]} names @param {readonly ProbeRow[]} rows @param {'p50' | 'addedMax'} figure */
function barsOf(names, rows, figure) {
  const [baseline, subject] = names.map((name) => ({
    name,
    value: rows.find(({ transport }) => transport === name)?.[figure]?.median,
  }));
  return barsBetween(baseline, subject, { nameOf: (name) => PROBE_LABELS[name] });
}

/**
 * @param {UnderLoadTrial} trial of a load, which did not fail
 * @returns {boolean} did the load last long enough to say anything about messages during it?
 */
export const isReached = ({ transfer }) => transfer !== undefined && transfer.lastMs - transfer.firstMs >= MIN_LOAD_MS;

/**
 * Returns the speed of a transfer; absent if there was none.
 * @param {UnderLoadTrial} trial @returns {number | undefined} megabits per second
 */
export function rateOf({ transfer }) {
  if (!transfer || transfer.lastMs <= transfer.firstMs) return undefined;
  return (8 * transfer.byteCount) / 1000 / (transfer.lastMs - transfer.firstMs);
}

/**
 * Returns the latencies of a probe: of those that were due during the load, from the planned instant on. One without an
 * answer took its limit at least.
 * @param {Probed} probed @param {UnderLoadTrial} trial @returns {number[]} ms
 */
export function latenciesOf({ samples, failures }, trial) {
  const { plannedAtMs, endedAtMs } = samples;
  const isDuring = duringOf(trial);
  return [
    ...plannedAtMs.flatMap((ms, i) => (isDuring(ms) ? [endedAtMs[i] - ms] : [])),
    ...failures.flatMap(({ plannedAtMs: ms }) => (ms !== undefined && isDuring(ms) ? [LIMIT_MS] : [])),
  ];
}

/**
 * Returns how late a message was sent at most, of those that were due during the load. It is a part of their latency.
 * @param {Probed} probed @param {UnderLoadTrial} trial @returns {number} ms
 */
function sendDelayOf({ samples: { plannedAtMs, sentAtMs } }, trial) {
  const isDuring = duringOf(trial);
  return Math.max(0, ...plannedAtMs.map((ms, i) => (isDuring(ms) ? sentAtMs[i] - ms : 0)));
}

/** @param {UnderLoadTrial} trial @returns {(ms: number) => boolean} was a message due during the load? */
const duringOf =
  ({ transfer }) =>
  (ms) =>
    !transfer || (ms >= transfer.firstMs && ms <= transfer.lastMs);

/** @param {string} load @param {UnderLoadPlan} plan @param {readonly UnderLoadTrial[]} trials @returns {LoadRowSummary} */
function summarizeLoad(load, plan, trials) {
  const own = trials.filter((trial) => trial.load === load);
  const done = own.filter(({ failure }) => !failure);
  const reached = done.filter(isReached);
  const bases = trials.filter((trial) => trial.load === 'unloaded' && !trial.failure);
  const probes = plan.transports.filter((probe) => hasProbe(load, probe));
  const figures = new Map(probes.map((probe) => [probe, figuresOf(probe, reached, bases)]));
  const baseline = baselineOf(plan);
  const wayOut = wayOutOf(plan);
  const figuresBy = (/** @type {string | undefined} */ name) => (name && figures.get(name)) || [];
  return {
    load,
    blockCount: reached.length,
    unreachedCount: done.length - reached.length,
    failures: own.flatMap(({ failure }) => failure ?? []),
    byteCount: median(done.flatMap(({ transfer }) => transfer?.byteCount ?? [])),
    megabits: spreadOf((reached.length > 0 ? reached : done).flatMap((trial) => rateOf(trial) ?? [])),
    maxUnsentBytes: Math.max(0, ...done.map(({ transfer }) => transfer?.maxUnsentBytes ?? 0)),
    rows: probes.map((probe) =>
      summarizeProbe(probe, {
        load,
        own: figures.get(probe) ?? [],
        others: baseline === probe ? undefined : figuresBy(baseline),
        wayOut: probe === SAME && wayOut ? { name: wayOut, figures: figuresBy(wayOut) } : undefined,
        probed: own.flatMap(({ probed }) => probed.filter(({ transport }) => transport === probe)),
      }),
    ),
  };
}

/**
 * @param {string} probe @param {readonly UnderLoadTrial[]} reached @param {readonly UnderLoadTrial[]} bases
 * @returns {BlockFigures[]}
 */
function figuresOf(probe, reached, bases) {
  const find = (/** @type {UnderLoadTrial | undefined} */ trial) =>
    trial?.probed.find(({ transport }) => transport === probe);
  return reached.flatMap((trial) => {
    const base = bases.find(({ block }) => block === trial.block);
    const [own, unloaded] = [find(trial), find(base)];
    if (!own || !unloaded || !base) return [];
    const latencies = latenciesOf(own, trial);
    const [p50Ms, baseMs] = [median(latencies), median(latenciesOf(unloaded, base))];
    if (p50Ms === undefined || baseMs === undefined) return [];
    const { block } = trial;
    const maxMs = Math.max(...latencies);
    const sendDelayMs = sendDelayOf(own, trial);
    return [{ block, p50Ms, maxMs, baseMs, sendDelayMs, latencies, protocol: own.protocol }];
  });
}

/**
 * @param {string} transport
 * @param {{ load: string, own: readonly BlockFigures[], others?: readonly BlockFigures[], wayOut?: Others, probed: readonly Probed[] }}
 *   of `others`: the baseline's, unless it is the baseline; `wayOut`: with whose longest waits its own are compared
 * @returns {ProbeRow}
 */
function summarizeProbe(transport, { load, own, others, wayOut, probed }) {
  const all = sort(own.flatMap(({ latencies }) => latencies));
  const { requestCount = 0 } = LOADS[load];
  const protocols = protocolsOf(probed);
  return {
    transport,
    blockCount: own.length,
    base: spreadOf(own.map(({ baseMs }) => baseMs)),
    p50: spreadOf(own.map(({ p50Ms }) => p50Ms)),
    addedP50: spreadOf(own.map(({ p50Ms, baseMs }) => p50Ms - baseMs)),
    addedMax: spreadOf(own.map(({ maxMs, baseMs }) => maxMs - baseMs)),
    p95Ms: percentile(all, 95),
    sampleCount: all.length,
    failureCount: sumOf(probed, ({ failures }) => failures.length),
    protocols,
    sendDelay: spreadOf(own.map(({ sendDelayMs }) => sendDelayMs)),
    sharesConnection: requestCount > 0 && protocols.some((protocol) => MULTIPLEXED.includes(protocol)),
    waitsForConnection: requestCount >= HTTP1_CONNECTION_COUNT && protocols.includes('http/1.1'),
    judged: others && judgeTimes(own, others, ({ p50Ms }) => p50Ms),
    wait: wayOut && compareWaits(own, wayOut),
  };
}

/** @param {readonly BlockFigures[]} own @param {Others} others @returns {Wait} by the longest of each block */
function compareWaits(own, { name, figures }) {
  const addedOf = (/** @type {BlockFigures} */ { maxMs, baseMs }) => maxMs - baseMs;
  const laterMs = own.flatMap((one) => {
    const other = figures.find(({ block }) => block === one.block);
    return other ? [addedOf(one) - addedOf(other)] : [];
  });
  return { baseline: name, judged: judgeTimes(own, figures, ({ maxMs }) => maxMs), later: spreadOf(laterMs) };
}

/** @param {string} probe @param {readonly UnderLoadTrial[]} trials */
function summarizeUnloaded(probe, trials) {
  const medians = trials.flatMap((trial) => {
    const own = trial.load === 'unloaded' && trial.probed.find(({ transport }) => transport === probe);
    return (own && median(latenciesOf(own, trial))) || [];
  });
  return { transport: probe, p50: spreadOf(medians) };
}
