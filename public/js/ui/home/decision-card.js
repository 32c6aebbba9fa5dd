/** The answer: for the round-trip time that the visitor asks about, beside what was measured. */
import * as shootout from '../../../../core/experiments/shootout/decision.js';
import { DEFAULT_RTT_MS, formatRtt, parseRtt, rttStops } from '../../../../core/experiments/shootout/distance-model.js';
import { createCurveView } from '../../charts/svg.js';
import { element } from '../element.js';
import { tryOrSay } from '../fields.js';

/** @import { Report } from '../../../../core/experiments/shootout/report.js' */

/** @param {Report} report @returns {{ destroy(): void }} */
export function showDecision(report) {
  const { verdict, scope } = report;
  const { dataset } = element('#verdict');
  const model = shootout.modelOf(report);
  Object.assign(dataset, { word: verdict.word, scope });
  for (const part of ['#rtt-choice', '#curves']) element(part).hidden = !model;
  if (!model) {
    delete dataset.rtt;
    say({ scope: '', headline: verdict.headline, evidence: verdict.detail, measured: verdict.advice });
    return { destroy() {} };
  }
  /** @param {number} rttMs @returns {string} what the chart says to those who do not see it */
  const answer = (rttMs) => {
    const decision = shootout.decide(model, rttMs);
    const words = shootout.describeDecision(decision);
    say({ ...words, measured: `${shootout.describeMeasured(report, decision)} ${verdict.advice}` });
    dataset.rtt = String(Number(rttMs.toFixed(3)));
    return `Chart. ${words.headline} ${words.evidence}`;
  };
  // A link that has none, or none that is right, leaves it to the run.
  const linkedMs = tryOrSay(() => parseRtt(new URLSearchParams(location.search).get('rtt')));
  const rttMs = linkedMs ?? (scope === 'path' ? model.floorMs : DEFAULT_RTT_MS);
  const curves = createCurveView({ models: shootout.modelsOf(report, model), rttMs }, answer(rttMs));
  mountSlider({ floorMs: model.floorMs, rttMs, onInput: (ms) => curves.ask(ms, answer(ms)) });
  return curves;
}

/** @returns {string} a query that opens the card where it is now; empty where it has no round-trip time to ask about */
export function linkQuery() {
  const { rtt } = element('#verdict').dataset;
  return rtt === undefined ? '' : `?rtt=${rtt}`;
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
 * @param {{ floorMs: number, rttMs: number, onInput(rttMs: number): void }} options `floorMs`: of the run, which can be chosen
 *   exactly; `rttMs`: to begin with
 */
function mountSlider({ floorMs, rttMs, onInput }) {
  const slider = element('#rtt', HTMLInputElement);
  const value = element('#rtt-value', HTMLOutputElement);
  const stops = rttStops([DEFAULT_RTT_MS, floorMs, rttMs], floorMs);
  const sayValue = () => {
    value.value = `${formatRtt(stops[slider.valueAsNumber])} ms`;
    slider.setAttribute('aria-valuetext', value.value);
  };
  slider.max = String(stops.length - 1);
  slider.valueAsNumber = stops.indexOf(rttMs);
  sayValue();
  slider.oninput = () => {
    sayValue();
    onInput(stops[slider.valueAsNumber]);
  };
  // Only when it was moved: browsers limit how often an address may change.
  slider.onchange = () => {
    const url = new URL(location.href);
    url.searchParams.set('rtt', String(Number(stops[slider.valueAsNumber].toFixed(3))));
    // A comma may stand in a query as it is, and is easier to read so.
    history.replaceState(history.state, '', url.href.replaceAll('%2C', ','));
  };
}
