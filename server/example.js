/** The result that the home page shows before a run: a real one, made by `node lab/make-example.js`. */
import { readFile } from 'node:fs/promises';
import { sendingIn } from '../core/experiment/decide.js';
import { nameBrowser } from '../core/experiment/names.js';
import { drawCurves } from '../core/experiments/shootout/curves.js';
import { modelOf, modelsOf } from '../core/experiments/shootout/decision.js';
import { shootout } from '../core/experiments/shootout/index.js';
import { findingsOf } from '../core/experiment/report.js';
import { fullTest } from '../core/full-test/all.js';
import { USUAL_DISTANCES_MS } from '../core/full-test/distances.js';
import { scoreOf } from '../core/full-test/score.js';
import { toMarkup } from '../core/base/svg.js';

/** @import { MeasuredPart, Score } from '../core/full-test/score.js' */

const FILE = new URL('../views/example-run.json', import.meta.url);

/** The sizes of the chart, one for each place on the page; none is scaled down, so that the text is readable. */
const SIZES = { narrow: { width: 248, height: 200 }, wide: { width: 440, height: 200 } };

/** @typedef {Awaited<ReturnType<typeof drawExample>>} Example `places`: what was measured, with what */

/** @type {Promise<Example> | undefined} */
let drawn;
/** Draws the example once for all servers of a process. @returns {Promise<Example>} */
export const loadExample = () => (drawn ??= drawExample());

async function drawExample() {
  const { places, document } = JSON.parse(await readFile(FILE, 'utf8'));
  const { measured, score } = findingsOf(fullTest, document).summary;
  const summary = measured.find((/** @type {MeasuredPart} */ { member }) => member.name === shootout.name)?.found
    ?.summary;
  const model = summary && modelOf(summary);
  if (!model) throw new RangeError(`${FILE}: expected a run with a verdict, got none`);
  /** @param {{ width: number, height: number }} size */
  const draw = (size) => toMarkup(drawCurves({ models: modelsOf(summary, model), ...size }));
  return {
    places: `${places}, ${nameBrowser(document.environment.userAgent)}`,
    date: String(document.startedAt).slice(0, 10),
    decision: score.decision,
    pictures: { narrow: draw(SIZES.narrow), wide: draw(SIZES.wide) },
    facts: USUAL_DISTANCES_MS.map((rttMs) => describeFact(measured, score, rttMs)),
  };
}

/**
 * What the example says for users at a distance; `interval`: where the second bar may end, by the interval of the difference.
 * @param {readonly MeasuredPart[]} measured @param {Score} score @param {number} rttMs
 */
function describeFact(measured, { situation }, rttMs) {
  const { answers } = scoreOf(measured, situation, { rttMs });
  const sending = sendingIn(answers);
  const bars = sending?.bars ?? [];
  const [nowMs = 0] = bars.map(({ value }) => value);
  const ends = sending ? [sending.savingMs.high, sending.savingMs.low].map((ms) => nowMs - ms) : [];
  const longest = Math.max(...ends, ...bars.map(({ value }) => value));
  const [from, to] = ends.map((ms) => Math.max(0, ms) / longest);
  return {
    rttMs,
    interval: { from, to },
    bars: bars.map(({ name, figure, value }) => ({ name, figure, share: value / longest })),
  };
}
