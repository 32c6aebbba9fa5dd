/**
 * At which size the winner changes, in each direction, and how that is said.
 *
 * A sentence speaks of all sizes at once, so at each size it asks for more certainty than a single interval: the 5 % in
 * which an interval may be wrong are shared by the sizes. Otherwise, of two transports that are the same, every third
 * sentence or so would call one of them ahead somewhere.
 */
import { labelOfTransfer } from '../../net/transfer/labels.js';
import { SAME_PERCENT } from '../../experiment/compare.js';
import { formatSize } from './format-size.js';
import { comparePayload, payloadBaselineOf } from './comparison.js';

/**
 * @import { Direction } from '../../net/transfer/index.js'
 * @import { PayloadComparison } from './comparison.js'
 * @import { PayloadTrial } from './measure.js'
 * @import { Sweep } from './plan.js'
 */

const BINARY = 'websocket-binary';
const BINARY_OPPONENT = 'fetch';

/** Who is set against AJAX or fetch, in words; against AJAX all are in the table. */
const CHALLENGERS = ['websocket-text', BINARY, 'sockjs'];

const DOUBT = 0.05;

/**
 * @typedef {object} Side who is ahead at a size
 * @property {number} size
 * @property {string} [winner] who surely is; absent where neither
 * @property {boolean} isSame surely within 10 % of each other
 * @property {boolean} isMeasured
 *
 * @typedef {object} Stretch of sizes with one winner; between them neither may be surely ahead, but nowhere are both the same
 * @property {string} winner
 * @property {number[]} sizes at which it surely is ahead, rising
 * @property {boolean} isGapless is it so at all sizes of the plan from the first of them to the last?
 *
 * @typedef {object} Contest
 * @property {Direction} direction
 * @property {string} baseline
 * @property {string} transport
 * @property {Side[]} sides for each size, rising
 * @property {Stretch[]} stretches rising; between two of different winners the winner changes
 */

/** @param {readonly number[]} sizes @returns {number} of the interval at each of them */
export function confidenceAt(sizes) {
  return 1 - DOUBT / sizes.length;
}

/**
 * @param {Pick<Sweep, 'transports'>} plan
 * @returns {boolean} is there anybody to be ahead of, and somebody to be so?
 */
export function hasContest(plan) {
  return payloadBaselineOf(plan) !== undefined && CHALLENGERS.some((name) => plan.transports.includes(name));
}

/**
 * Bytes are set against bytes: what lies between AJAX and a binary WebSocket is the form, too.
 * @param {Pick<Sweep, 'transports'>} plan @param {string} transport @returns {string | undefined}
 */
function opponentOf(plan, transport) {
  return transport === BINARY && plan.transports.includes(BINARY_OPPONENT) ? BINARY_OPPONENT : payloadBaselineOf(plan);
}

/**
 * @param {Sweep} plan
 * @param {readonly PayloadTrial[]} trials
 * @param {{ stepMs?: number }} [clock] the clock's measured step
 * @returns {Contest[]} by direction, then by transport; none where there is neither AJAX nor fetch
 */
export function findContests(plan, trials, { stepMs } = {}) {
  const { directions, sizes } = plan;
  const confidence = confidenceAt(sizes);
  const challengers = CHALLENGERS.filter((name) => plan.transports.includes(name));
  return directions.flatMap((direction) =>
    challengers.flatMap((transport) => {
      const baseline = opponentOf(plan, transport);
      if (baseline === undefined) return [];
      const sides = sizes.map((size) =>
        sideOf(size, comparePayload({ trials, direction, size, transport, baseline, stepMs, confidence })),
      );
      return [{ direction, baseline, transport, sides, stretches: stretchesOf(sides) }];
    }),
  );
}

/** @param {number} size @param {PayloadComparison} comparison @returns {Side} */
function sideOf(size, { word, transport, baseline }) {
  const winner = word === 'faster' ? transport : word === 'slower' ? baseline : undefined;
  return { size, winner, isSame: word === 'same', isMeasured: word !== undefined };
}

/** @param {readonly Side[]} sides @returns {Stretch[]} */
export function stretchesOf(sides) {
  /** @type {Stretch[]} */
  const stretches = [];
  let isOpen = false;
  let isBroken = false;
  for (const { size, winner, isSame } of sides) {
    if (winner === undefined) {
      isBroken = true;
      // Who is ahead no more is ahead anew.
      if (isSame) isOpen = false;
      continue;
    }
    const last = stretches[stretches.length - 1];
    if (isOpen && last.winner === winner) {
      last.sizes.push(size);
      last.isGapless &&= !isBroken;
    } else {
      stretches.push({ winner, sizes: [size], isGapless: true });
    }
    isOpen = true;
    isBroken = false;
  }
  return stretches;
}

/** @param {Contest} contest @returns {string} a sentence that does not name the direction */
export function describeContest({ baseline, transport, sides, stretches }) {
  const who = `${labelOfTransfer(baseline)} against ${labelOfTransfer(transport)}`;
  if (!sides.some(({ isMeasured }) => isMeasured)) return `${who}: too little was measured, or by too coarse a clock.`;
  const parts = [...describeAhead(sides, stretches), ...describeConstancy(sides), ...describeRest(sides)];
  return `${who}: ${parts.join('; ')}.`;
}

/**
 * @param {readonly Side[]} sides @param {readonly Stretch[]} stretches
 * @returns {string[]} who is ahead where, with where that changes; nothing where nobody is
 */
function describeAhead(sides, stretches) {
  if (stretches.length === 0) return [];
  const ends = { least: sides[0].size, most: sides[sides.length - 1].size };
  const ahead = stretches
    .map((stretch, i) => {
      const where = describeStretch(stretch, ends);
      const before = stretches[i - 1];
      if (before?.winner === stretch.winner) return ` and ${where}`;
      const name = labelOfTransfer(stretch.winner);
      return before ? `, ${name} ${where}` : `${name} is ahead ${where}`;
    })
    .join('');
  return [`${ahead}${describeChanges(stretches)}`];
}

/** @param {Stretch} stretch @param {{ least: number, most: number }} ends of the plan's sizes */
function describeStretch({ sizes, isGapless }, { least, most }) {
  const [from, to] = [sizes[0], sizes[sizes.length - 1]];
  if (sizes.length === 1 || !isGapless) return `at ${joinNames(sizes)}`;
  if (from === least && to === most) return 'from the smallest size to the largest';
  if (from === least) return `up to ${formatSize(to)}`;
  return to === most ? `from ${formatSize(from)} on` : `from ${formatSize(from)} to ${formatSize(to)}`;
}

/** @param {readonly number[]} sizes */
function joinNames(sizes) {
  const names = sizes.map(formatSize);
  return names.length === 1 ? names[0] : `${names.slice(0, -1).join(', ')} and ${names[names.length - 1]}`;
}

/** @param {readonly Stretch[]} stretches */
function describeChanges(stretches) {
  const places = stretches.slice(1).flatMap(({ winner, sizes: [from] }, i) => {
    const { winner: last, sizes } = stretches[i];
    return last === winner ? [] : [`between ${formatSize(sizes[sizes.length - 1])} and ${formatSize(from)}`];
  });
  return places.length > 0 ? `: the winner changes ${places.join(', and ')}` : '';
}

/**
 * That nothing changes is known only where each size is told; where some are, no change was seen among them.
 * @param {readonly Side[]} sides
 * @returns {string[]} nothing where something changes, or where fewer than two sizes are told
 */
function describeConstancy(sides) {
  const told = sides.filter(({ winner, isSame }) => winner !== undefined || isSame);
  const findings = new Set(told.map(({ winner }) => winner));
  if (told.length < 2 || findings.size > 1) return [];
  if (told.length < sides.length) return ['no change was seen'];
  return [`no change up to ${formatSize(sides[sides.length - 1].size)}`];
}

/** @param {readonly Side[]} sides @returns {string[]} of the sizes at which neither is surely ahead */
function describeRest(sides) {
  /** @param {readonly Side[]} list */
  const placeOf = (list) =>
    sides.length > 1 && list.length === sides.length ? undefined : list.map(({ size }) => formatSize(size)).join(', ');
  const open = sides.filter(({ winner }) => winner === undefined);
  const same = open.filter(({ isSame }) => isSame);
  const untold = open.filter(({ isSame, isMeasured }) => !isSame && isMeasured);
  const missing = open.filter(({ isMeasured }) => !isMeasured);
  return [
    ...(same.length > 0 ? [`the same within ${SAME_PERCENT} % at ${placeOf(same) ?? 'every size'}`] : []),
    ...(untold.length > 0 ? [`cannot tell at ${placeOf(untold) ?? 'any size'}`] : []),
    ...(missing.length > 0 ? [`too little was measured at ${placeOf(missing) ?? 'any size'}`] : []),
  ];
}
