/**
 * One sequence: what a client does on one connection. It is a plain list of steps, made from its seed alone, so that one that
 * found something can be played again.
 */
import { createChance, times } from './chance.js';
import { makeFrames, makeOpening } from './frames.js';
import { makeRequest, makeUpgrade } from './requests.js';

/**
 * @import { Chance } from './chance.js'
 * @import { Known, Maker } from './requests.js'
 * @typedef {{ bytes: Buffer } | { waitMs: number } | { until: 'upgraded' } | { reads: boolean }} Step
 * @typedef {typeof ENDINGS[number]} Ending
 * @typedef {{ seed: number, tag: string, steps: Step[], ending: Ending, hasHead: boolean }} Sequence `tag`: in what it says,
 *   and nobody else; `hasHead`: an answer may come without the body that its head tells of
 */

/** Reads on and then half-closes, half-closes at once, resets, stops reading, or is gone. */
const ENDINGS = /** @type {const} */ (['read', 'read', 'read', 'fin', 'reset', 'stall', 'destroy']);
/** Of a sequence: how often something is wrong, as a part of how often it may be. */
const WRONG_SHARES = [0, 0, 0.2, 1];
/** Answers to these come late, and whatever follows waits. */
const SLOW = /poll|wait=|xhr$|xhr\?|streaming|eventsource|htmlfile|jsonp|events|stream|sse/;
const PAUSE_MS = 3;
const PARAMETER = /:(?!job|feed|pieces|run|id|label)\w+/;

/** Of a sequence, by its place in a run. @param {number} runSeed @param {number} index */
export const seedOf = (runSeed, index) => (runSeed + Math.imul(index, 0x9e3779b1)) >>> 0;

/** @param {number} seed @param {Known} known @returns {Sequence} */
export function createSequence(seed, known) {
  const chance = createChance(seed);
  const { is, pick } = chance;
  const tag = `fuzz-${seed.toString(16).padStart(8, '0')}`;
  const wrongShare = pick(WRONG_SHARES);
  const maker = { chance, known, tag, isWrong: (/** @type {number} */ share) => is(share * wrongShare) };
  const shared = is(0.3) ? `shared-${chance.below(12)}` : undefined;
  const { bytes, hasHead } = makeRequests(maker, shared);
  const steps = inPieces(chance, bytes);
  if (is(0.1)) steps.unshift({ reads: false });
  if (is(0.5)) steps.push(...makeSocket(maker, is(0.2) ? shared : undefined));
  if (is(0.1)) cutShort(chance, steps);
  return { seed, tag, steps, ending: pick(ENDINGS), hasHead };
}

/** Up to eight at once, slow ones in front at times. @param {Maker} maker @param {string} [shared] */
function makeRequests(maker, shared) {
  const { chance, known } = maker;
  const { between, is, pick } = chance;
  const paths = is(0.3) ? known.paths.filter(({ pattern }) => PARAMETER.test(pattern)) : known.paths;
  const one = pick(paths);
  // The same prefix, mostly: a session that is opened, sent to, and read.
  const related = paths.filter(({ pattern }) => pattern.split('/')[1] === one.pattern.split('/')[1]);
  const near = is(0.5) ? related : paths;
  const slow = near.filter(({ pattern }) => SLOW.test(pattern));
  const requests = times(is(0.4) ? between(0, 1) : between(2, 8), () => makeRequest(maker, pick(near), shared));
  if (slow.length > 0 && is(0.2)) requests.unshift(makeRequest(maker, pick(slow), shared));
  return {
    bytes: Buffer.concat(requests.map((request) => request.bytes)),
    hasHead: requests.some(({ method }) => method === 'HEAD'),
  };
}

/** An upgrade, and frames behind it: at once, or when it was accepted. @param {Maker} maker @param {string} [shared] @returns {Step[]} */
function makeSocket(maker, shared) {
  const { chance, known, tag } = maker;
  const { between, is, pick } = chance;
  const sockets = known.paths.filter(({ socketLimits }) => socketLimits);
  const { bytes: head, target } = makeUpgrade(maker, pick(is(0.9) ? sockets : known.paths), shared);
  const opening = makeOpening(chance, target);
  const frames = times(between(0, 8), () => makeFrames(chance, { target, tag }));
  if (is(0.4)) return inPieces(chance, Buffer.concat([head, opening, ...frames]));
  // A session that is not connected yet takes no messages.
  const pause = opening.length > 0 ? [{ waitMs: PAUSE_MS }] : [];
  return [
    ...inPieces(chance, head),
    { until: 'upgraded' },
    ...inPieces(chance, opening),
    ...pause,
    ...inPieces(chance, Buffer.concat(frames)),
  ];
}

/** Cut at any places, with moments between. @param {Chance} chance @param {Buffer} bytes @returns {Step[]} */
function inPieces(chance, bytes) {
  const { below, between, is } = chance;
  if (bytes.length === 0) return [];
  const count = is(0.5) ? 0 : is(0.1) ? Math.min(100, bytes.length) : between(1, 4);
  const cuts = [...times(count, () => below(bytes.length)), bytes.length].sort((a, b) => a - b);
  return cuts.flatMap((end, index) => {
    const piece = { bytes: bytes.subarray(cuts[index - 1] ?? 0, end) };
    return is(0.7) ? [piece] : [piece, { waitMs: below(4) }];
  });
}

/** The last bytes never come. @param {Chance} chance @param {Step[]} steps */
function cutShort(chance, steps) {
  const last = steps.findLast((step) => 'bytes' in step);
  if (last && 'bytes' in last) last.bytes = last.bytes.subarray(0, chance.below(last.bytes.length + 1));
}
