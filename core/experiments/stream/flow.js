/** How the pieces of a stream came: evenly, or collected on the path, and how. */
import { mean, median } from '../../base/statistics.js';

/**
 * @typedef {'even' | 'gaps' | 'steps' | 'bursts' | 'at-once'} FlowName
 * @typedef {object} Flow
 * @property {FlowName} name
 * @property {number} [everyMs] of steps: the time between two
 * @property {number} [pieces] of bursts: how many came at once, about
 * @typedef {{ atMs: number, count: number }} Lump pieces that came at once
 */

/** Pieces whose arrivals are no further apart came at once: less than a frame, more than reading them takes. */
const AT_ONCE_MS = 5;
/** A picture of a screen at 60 Hz: what comes within one is seen at once. */
const FRAME_MS = 1000 / 60;
/** A gap that is so much longer than the longest one sent is seen. */
export const UNEVEN_MS = 100;
/** A stream that is due within this time shows no gaps. */
const MIN_SPAN_MS = 500;
/** Fewer pieces at once come so by chance. */
const MIN_BURST = 3;
/** The share of pieces in bursts above which something collects them. */
const LUMPED_SHARE = 0.5;
/** The share of pieces that come at once where something waits for the whole answer. */
const WHOLE_SHARE = 0.95;
/** The standard deviation, as a share of the mean, up to which something is the same each time. */
const STEADY = 0.25;

/** What each is called. @type {Readonly<Record<FlowName, string>>} */
export const FLOW_LABELS = Object.freeze({
  even: 'Even',
  gaps: 'With gaps',
  steps: 'In steps',
  bursts: 'In bursts',
  'at-once': 'All at once',
});

/**
 * Says how pieces came.
 * @param {readonly number[]} atMs @param {readonly number[]} dueMs of the same pieces
 * @returns {Flow | undefined} absent for a stream that is too short to tell
 */
export function flowOf(atMs, dueMs) {
  const { length } = atMs;
  if (length < 2 || dueMs[length - 1] - dueMs[0] < MIN_SPAN_MS) return undefined;
  // As soon as the first could have come: what collects pieces begins with a gap.
  const soonestMs = dueMs[0] + Math.min(...atMs.map((ms, n) => ms - dueMs[n]));
  if (longestGapOf([soonestMs, ...atMs]) <= longestGapOf(dueMs) + UNEVEN_MS) return { name: 'even' };
  const lumps = lumpsOf(atMs);
  if (Math.max(...lumps.map(({ count }) => count)) >= WHOLE_SHARE * length) return { name: 'at-once' };
  const large = lumps.filter(({ count }) => count >= MIN_BURST);
  if (large.reduce((sum, { count }) => sum + count, 0) < LUMPED_SHARE * length) return { name: 'gaps' };
  const apartMs = large.slice(1).map((lump, i) => lump.atMs - large[i].atMs);
  // The last one has what was left.
  const counts = large.slice(0, -1).map(({ count }) => count);
  if (apartMs.length > 1 && spreadOf(apartMs) <= Math.min(STEADY, spreadOf(counts)))
    return { name: 'steps', everyMs: median(apartMs) };
  return { name: 'bursts', ...(counts.length > 0 && { pieces: median(counts) }) };
}

/** @param {readonly number[]} times rising @returns {number} ms between two that follow each other, at most */
export const longestGapOf = (times) =>
  times.reduce((max, ms, i) => (i === 0 ? 0 : Math.max(max, ms - times[i - 1])), 0);

/** @param {readonly number[]} times rising @returns {Lump[]} */
export function lumpsOf(times) {
  /** @type {(Lump & { lastMs: number })[]} */
  const lumps = [];
  for (const atMs of times) {
    const last = lumps.at(-1);
    if (last && atMs - last.lastMs <= AT_ONCE_MS) {
      last.count++;
      last.lastMs = atMs;
    } else lumps.push({ atMs, count: 1, lastMs: atMs });
  }
  return lumps.map(({ atMs, count }) => ({ atMs, count }));
}

/**
 * Says whether something held the first piece back: it came together with later ones, which were due after a pause.
 * @param {readonly number[]} atMs @param {readonly number[]} dueMs of the same pieces @returns {boolean}
 */
export function isFirstHeld(atMs, dueMs) {
  const [first] = lumpsOf(atMs);
  return first !== undefined && dueMs[first.count - 1] - dueMs[0] > 2 * AT_ONCE_MS;
}

/** @param {readonly number[]} times rising @returns {number} the share of pieces that came in one frame with others */
export function sharedFrameShare(times) {
  const frames = times.map((ms) => Math.floor((ms - times[0]) / FRAME_MS));
  const together = frames.filter((frame, i) => frames[i - 1] === frame || frames[i + 1] === frame);
  return together.length / times.length;
}

/** @param {readonly number[]} values @returns {number} their standard deviation, as a share of their mean; Infinity for fewer than two */
function spreadOf(values) {
  const middle = mean(values);
  if (middle === undefined || values.length < 2) return Infinity;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (values.length - 1)) / middle;
}
