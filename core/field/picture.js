/** Draws the distances of a study's users as bars, and how many of those in each bar are faster over a WebSocket. */
import { node, round, text } from '../base/svg.js';
import { VERDICT_LABELS } from '../experiment/compare.js';
import { BAND_MS } from './tally.js';

/**
 * @import { SvgNode } from '../base/svg.js'
 * @import { VerdictName } from '../experiment/compare.js'
 * @import { Band } from './find.js'
 */

/** From the bottom of a bar to its top, with the class of its part. */
const PARTS = /** @type {const} */ ([
  ['faster', 'users-faster'],
  ['little-faster', 'users-little'],
  ['same', 'users-same'],
  ['unclear', 'users-unclear'],
  ['little-slower', 'users-slower'],
  ['slower', 'users-slower'],
]);
/** Of an axis, in CSS pixels: its words below, and a gap on each side. */
const [EDGE, FOOT, HEAD, GAP] = [16, 44, 8, 1];
/** The farthest band that is always shown, so that near users look near. */
const LEAST_MS = 200;
/** Steps between ticks, ms. */
const STEPS = [20, 50, 100, 200, 500];
const TICK_PX = 48;

/** The parts, for a legend. @type {readonly { verdict: VerdictName, kind: string, label: string }[]} */
export const USERS_LEGEND = PARTS.filter(([verdict]) => verdict !== 'slower').map(([verdict, kind]) => ({
  verdict,
  kind,
  label: verdict === 'little-slower' ? 'slower' : VERDICT_LABELS[verdict],
}));

/**
 * @param {readonly Band[]} bands rising, at least one @param {{ width: number, height: number }} size in CSS pixels
 * @returns {SvgNode}
 */
export function drawDistances(bands, { width, height }) {
  const endMs = Math.max(LEAST_MS, bands[bands.length - 1].fromMs + BAND_MS);
  const xOf = (/** @type {number} */ ms) => EDGE + (ms / endMs) * (width - 2 * EDGE);
  const most = Math.max(...bands.map(({ count }) => count));
  const base = height - FOOT;
  const heightOf = (/** @type {number} */ count) => (count / most) * (base - HEAD);
  const step = STEPS.find((ms) => xOf(ms) - xOf(0) >= TICK_PX) ?? STEPS[STEPS.length - 1];
  const ticks = Array.from({ length: Math.floor(endMs / step) + 1 }, (_, i) => i * step);
  return node(
    'svg',
    {
      class: 'plot users-distances',
      viewBox: `0 0 ${width} ${height}`,
      role: 'img',
      'aria-label': describeBands(bands),
    },
    ...bands.flatMap((band) =>
      drawBand(band, { x: xOf(band.fromMs), width: xOf(BAND_MS) - xOf(0) - GAP, base, heightOf }),
    ),
    node('path', { class: 'axis', d: `M${EDGE} ${base + 0.5}H${width - EDGE}` }),
    ...ticks.map((ms) => text(String(ms), { x: xOf(ms), y: base + 18 }, 'middle')),
    text('Round-trip time, ms', { x: width / 2, y: height - 6 }, 'middle'),
  );
}

/** @param {Band} band @param {{ x: number, width: number, base: number, heightOf: (count: number) => number }} at @returns {SvgNode[]} */
function drawBand({ fromMs, count, verdicts }, { x, width, base, heightOf }) {
  let below = 0;
  const judged = PARTS.reduce((sum, [verdict]) => sum + verdicts[verdict].count, 0);
  // Those without a WebSocket have no verdict.
  const parts = [...PARTS.map(([verdict, kind]) => [kind, verdicts[verdict].count]), ['users-none', count - judged]];
  return parts.flatMap(([kind, part]) => {
    if (Number(part) === 0) return [];
    const [bottom, top] = [heightOf(below), heightOf((below += Number(part)))];
    const box = { x: round(x), y: round(base - top), width: round(width), height: round(top - bottom) };
    return node(
      'rect',
      { class: String(kind), ...box },
      node('title', {}, `${fromMs} to ${fromMs + BAND_MS} ms: ${count}`),
    );
  });
}

/** @param {readonly Band[]} bands @returns {string} */
const describeBands = (bands) =>
  `Browsers by round-trip time: ${bands.map(({ fromMs, count }) => `${fromMs} to ${fromMs + BAND_MS} ms: ${count}`).join('; ')}`;
