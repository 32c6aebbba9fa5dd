/**
 * At which size the winner changes, in each direction, and how that is said.
 *
 * A sentence speaks of all sizes at once, so at each size it asks for more certainty than a single interval: the 5 % in
 * which an interval may be wrong are shared by the sizes. Otherwise, of two transports that are the same, every third
 * sentence or so would call one of them ahead somewhere.
 */
import { labelOfCarrier } from '../carriers/labels.js';
import { SAME_PERCENT } from '../compare.js';
import { formatSize } from './format-size.js';
import { comparePayload, payloadBaselineOf } from './payload-comparison.js';
import { DIRECTION_LABELS } from './payload-plan.js';

/** Who is set against AJAX, in words; all are in the table. */
const CHALLENGERS = ['websocket-text', 'websocket-binary', 'sockjs'];

const DOUBT = 0.05;

/**
 * @typedef {object} Side who is ahead at a size
 * @property {number} size
 * @property {string} [winner] who surely is; absent where neither
 * @property {boolean} isSame surely within 10 % of each other
 * @property {boolean} isMeasured
 *
 * @typedef {object} Stretch of sizes with one winner; between its ends neither may be surely ahead
 * @property {string} winner
 * @property {number} from
 * @property {number} to
 *
 * @typedef {object} Contest
 * @property {import('./payload-plan.js').Direction} direction
 * @property {string} baseline
 * @property {string} transport
 * @property {Side[]} sides for each size, rising
 * @property {Stretch[]} stretches rising; between two of them the winner changes
 */

/**
 * @param {import('./payload-plan.js').Sweep} plan
 * @param {readonly import('./payload.js').PayloadTrial[]} trials
 * @param {{ stepMs?: number }} [clock] the clock's measured step
 * @returns {Contest[]} by direction, then by transport; none where there is neither AJAX nor fetch
 */
export function findContests(plan, trials, { stepMs } = {}) {
  const baseline = payloadBaselineOf(plan);
  if (baseline === undefined) return [];
  const { directions, sizes } = plan;
  const confidence = 1 - DOUBT / sizes.length;
  const challengers = CHALLENGERS.filter((name) => plan.transports.includes(name));
  return directions.flatMap((direction) =>
    challengers.map((transport) => {
      const sides = sizes.map((size) =>
        sideOf(size, comparePayload({ trials, direction, size, transport, baseline, stepMs, confidence })),
      );
      return { direction, baseline, transport, sides, stretches: stretchesOf(sides) };
    }),
  );
}

/**
 * @param {number} size
 * @param {import('./payload-comparison.js').PayloadComparison} comparison
 * @returns {Side}
 */
function sideOf(size, { word, transport, baseline }) {
  const winner = word === 'faster' ? transport : word === 'slower' ? baseline : undefined;
  return { size, winner, isSame: word === 'same', isMeasured: word !== undefined };
}

/**
 * @param {readonly Side[]} sides
 * @returns {Stretch[]}
 */
function stretchesOf(sides) {
  /** @type {Stretch[]} */
  const stretches = [];
  for (const { size, winner } of sides) {
    if (winner === undefined) continue;
    const last = stretches[stretches.length - 1];
    if (last?.winner === winner) last.to = size;
    else stretches.push({ winner, from: size, to: size });
  }
  return stretches;
}

/**
 * @param {Contest} contest
 * @returns {string} a sentence
 */
export function describeContest({ direction, baseline, transport, sides, stretches }) {
  const who = `${DIRECTION_LABELS[direction]}, ${labelOfCarrier(baseline)} against ${labelOfCarrier(transport)}`;
  if (!sides.some(({ isMeasured }) => isMeasured)) return `${who}: too little was measured, or by too coarse a clock.`;
  const most = formatSize(sides[sides.length - 1].size);
  if (stretches.length === 0) {
    const isSame = sides.every((side) => side.isSame);
    const found = isSame ? `the same within ${SAME_PERCENT} % at every size` : 'neither is surely ahead at any size';
    return `${who}: no change up to ${most}, ${found}${isSame ? '' : describeRest(sides, [])}.`;
  }
  const ends = { least: sides[0].size, most: sides[sides.length - 1].size };
  const [first, ...others] = stretches;
  const ahead = [
    `${labelOfCarrier(first.winner)} is ahead ${describeStretch(first, ends)}`,
    ...others.map((stretch) => `${labelOfCarrier(stretch.winner)} ${describeStretch(stretch, ends)}`),
  ].join(', ');
  return `${who}: ${ahead}${describeChanges(stretches, ends)}${describeRest(sides, stretches)}.`;
}

/**
 * @param {Stretch} stretch
 * @param {{ least: number, most: number }} ends of the plan's sizes
 */
function describeStretch({ from, to }, { least, most }) {
  if (from === to) return `at ${formatSize(from)}`;
  if (from === least && to === most) return 'from the smallest size to the largest';
  if (from === least) return `up to ${formatSize(to)}`;
  return to === most ? `from ${formatSize(from)} on` : `from ${formatSize(from)} to ${formatSize(to)}`;
}

/**
 * @param {readonly Stretch[]} stretches
 * @param {{ least: number, most: number }} ends of the plan's sizes
 */
function describeChanges(stretches, { least, most }) {
  const [{ from, to }] = stretches;
  if (stretches.length === 1) return from === least && to === most ? `: no change up to ${formatSize(most)}` : '';
  const places = stretches
    .slice(1)
    .map((stretch, i) => `between ${formatSize(stretches[i].to)} and ${formatSize(stretch.from)}`);
  return `: the winner changes ${places.join(', and ')}`;
}

/**
 * Of the sizes at which neither is surely ahead.
 *
 * @param {readonly Side[]} sides
 * @param {readonly Stretch[]} stretches
 */
function describeRest(sides, stretches) {
  /** @param {readonly Side[]} list */
  const namesOf = (list) => list.map(({ size }) => formatSize(size)).join(', ');
  const open = sides.filter(({ winner }) => winner === undefined);
  const same = open.filter(({ isSame }) => isSame);
  const untold = open.filter(({ isSame, isMeasured }) => !isSame && isMeasured);
  const missing = open.filter(({ isMeasured }) => !isMeasured);
  return [
    ...(same.length > 0 ? [`; the same within ${SAME_PERCENT} % at ${namesOf(same)}`] : []),
    ...(untold.length > 0 && stretches.length > 0 ? [`; cannot tell at ${namesOf(untold)}`] : []),
    ...(missing.length > 0 ? [`; too little was measured at ${namesOf(missing)}`] : []),
  ].join('');
}
