/** The answer: for the round-trip time that the visitor asks about, beside what was measured. */
import {
  decide,
  modelOf,
  modelsOf,
  describeDecision,
  describeMeasured,
} from '../../../../core/experiments/shootout/verdict.js';
import { DEFAULT_RTT_MS, formatRtt, parseRtt, rttStops } from '../../../../core/experiments/shootout/distance-model.js';
import { createCurveView } from '../../charts/svg.js';
import { element } from '../element.js';
import { tryOrSay } from '../fields.js';

/** @import { Report } from '../../../../core/experiments/shootout/report.js' */

/** @param {Report} report @returns {{ destroy(): void }} */
export function showDecision(report) {
  const { verdict } = report;
  const card = element('#verdict');
  card.dataset.word = verdict.word;
  card.dataset.scope = report.scope;
  const model = modelOf(report);
  for (const part of ['#rtt-choice', '#curves']) element(part).hidden = !model;
  if (!model) {
    delete card.dataset.rtt;
    say({ scope: '', headline: verdict.headline, evidence: verdict.detail, measured: verdict.advice });
    return { destroy() {} };
  }
  /** @param {number} rttMs */
  const answer = (rttMs) => {
    const decision = decide(model, rttMs);
    const words = describeDecision(decision);
    say({ ...words, measured: `${describeMeasured(report, decision)} ${verdict.advice}` });
    card.dataset.rtt = String(Number(rttMs.toFixed(3)));
    return words;
  };
  // A link that has none, or none that is right, leaves it to the run.
  const linkedMs = tryOrSay(() => parseRtt(new URLSearchParams(location.search).get('rtt')));
  const rttMs = linkedMs ?? (report.scope === 'path' ? model.floorMs : DEFAULT_RTT_MS);
  const words = describeCurves(answer(rttMs));
  const curves = createCurveView({ models: modelsOf(report, model), rttMs }, words);
  const slider = createRttSlider({
    floorMs: model.floorMs,
    rttMs,
    onInput(ms) {
      curves.ask(ms, describeCurves(answer(ms)));
    },
    onChange: keepInLink,
  });
  return {
    destroy() {
      slider.destroy();
      curves.destroy();
    },
  };
}

/** @param {ReturnType<typeof describeDecision>} words */
const describeCurves = ({ headline, evidence }) => `Chart. ${headline} ${evidence}`;

/** @returns {string} a query that opens the card where it is now; empty where it has no round-trip time to ask about */
export function linkQuery() {
  const { rtt } = element('#verdict').dataset;
  return rtt === undefined ? '' : `?rtt=${rtt}`;
}

/** @param {number} rttMs */
function keepInLink(rttMs) {
  const url = new URL(location.href);
  url.searchParams.set('rtt', String(Number(rttMs.toFixed(3))));
  // A comma may stand in a query as it is, and is easier to read so.
  history.replaceState(history.state, '', url.href.replaceAll('%2C', ','));
}

/** @param {{ scope: string, headline: string, evidence: string, measured: string }} words */
function say({ scope, headline, evidence, measured }) {
  element('#verdict-scope').textContent = scope;
  element('#verdict-headline').textContent = headline;
  element('#verdict-detail').textContent = evidence;
  element('#measured').textContent = measured.trim();
}

/**
 * The round-trip time that is asked about, on a nearly logarithmic scale: each step is 5 to 10% more.
 * @param {object} options @param {number} options.floorMs of the run, which can be chosen exactly
 * @param {number} options.rttMs to begin with @param {(rttMs: number) => void} options.onInput while it is moved
 * @param {(rttMs: number) => void} options.onChange when it was moved: browsers limit how often an address may change
 * @returns {{ destroy(): void }}
 */
function createRttSlider({ floorMs, rttMs, onInput, onChange }) {
  const slider = element('#rtt', HTMLInputElement);
  const value = element('#rtt-value', HTMLOutputElement);
  const stops = rttStops([DEFAULT_RTT_MS, floorMs, rttMs], floorMs);

  /** @param {number} ms */
  const say = (ms) => {
    value.value = `${formatRtt(ms)} ms`;
    slider.setAttribute('aria-valuetext', value.value);
  };
  const read = () => stops[slider.valueAsNumber];
  const stopped = new AbortController();
  const { signal } = stopped;

  slider.max = String(stops.length - 1);
  slider.valueAsNumber = stops.indexOf(rttMs);
  say(rttMs);
  slider.addEventListener(
    'input',
    () => {
      say(read());
      onInput(read());
    },
    { signal },
  );
  slider.addEventListener('change', () => onChange(read()), { signal });
  return { destroy: () => stopped.abort() };
}
