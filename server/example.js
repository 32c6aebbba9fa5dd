/** The result that the home page shows before a run: a real one, made by `node lab/make-example.js`. */
import { readFile } from 'node:fs/promises';
import { nameBrowser } from '../core/experiment/names.js';
import { drawCurves } from '../core/experiments/shootout/curves.js';
import { decide, modelOf, modelsOf, describeDecision } from '../core/experiments/shootout/decision.js';
import { toMarkup } from '../core/base/svg.js';
import { summarize } from '../core/experiments/shootout/summary.js';

const FILE = new URL('../views/example-run.json', import.meta.url);

/** The sizes of the chart, one for each place on the page; none is scaled down, so that the text is readable. */
const SIZES = { narrow: { width: 248, height: 280 }, wide: { width: 440, height: 280 } };

/** @typedef {Awaited<ReturnType<typeof drawExample>>} Example `places`: what was measured, with what */

/** @type {Promise<Example> | undefined} */
let drawn;
/** Draws the example once for all servers of a process. @returns {Promise<Example>} */
export const loadExample = () => (drawn ??= drawExample());

async function drawExample() {
  const { places, document } = JSON.parse(await readFile(FILE, 'utf8'));
  const summary = summarize(document);
  const model = modelOf(summary);
  if (!model) throw new RangeError(`${FILE}: expected a run with a verdict, got ${summary.verdict.headline}`);
  /** @param {{ width: number, height: number }} size */
  const draw = (size) => toMarkup(drawCurves({ models: modelsOf(summary, model), ...size }));
  const { headline, evidence } = describeDecision(decide(model, model.floorMs));
  return {
    places: `${places}, ${nameBrowser(document.environment.userAgent)}`,
    date: String(document.startedAt).slice(0, 10),
    headline,
    evidence,
    pictures: { narrow: draw(SIZES.narrow), wide: draw(SIZES.wide) },
  };
}
