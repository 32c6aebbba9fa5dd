/** Shows a run's result: its answer, for the round-trip time that the visitor chooses, and the evidence. */
import { findingsOf } from '../../../../core/experiment/report/findings.js';
import { ELSEWHERE_RTT_MS } from '../../../../core/experiment/run/scope.js';
import { headOf } from '../../../../core/experiment/report/table.js';
import { drawCurves } from '../../../../core/experiments/shootout/curves.js';
import { modelOf, modelsOf, speedAt } from '../../../../core/experiments/shootout/distance-model.js';
import { parseRtt, rttStops } from '../../../../core/experiments/shootout/round-trip-times.js';
import { fullTest as part } from '../../../../core/experiments/shootout/full-test.js';
import { withoutComparison as shootout } from '../../../../core/experiments/shootout/index.js';
import { tabulateLatency, tabulateSetUps, tabulateSteps } from '../../../../core/experiments/shootout/report.js';
import { describeMeasured, describeSpeed, rttOf } from '../../../../core/experiments/shootout/speed-words.js';
import { createDistributionChart, createRoundTripChart } from '../../charts/round-trips.js';
import { createPictureView, showIntervalBars } from '../../charts/svg.js';
import { listAt } from '../../../../core/full-test/distances.js';
import { showAnswers } from '../answers.js';
import { formatRoundTrip, keepInAddress, mountAxisSlider } from '../axis-slider.js';
import { showDistances } from '../distance-rows.js';
import { mountLinkedDetails } from '../linked-details.js';
import { createItems, element, keepTogether, tryOrSay } from '../../base/page.js';
import { fillTable } from '../table.js';
import { createEntry, showTrust } from '../trust.js';

/** @import { Answer } from '../../../../core/experiment/answer/answer.js' */
/** @import { Sending } from '../../../../core/full-test/decide.js' */
/** @import { Report } from '../../../../core/experiment/report/findings.js' */
/** @import { DistanceModel } from '../../../../core/experiments/shootout/distance-model.js' */
/** @import { Summary } from '../../../../core/experiments/shootout/summary.js' */
/** @import { Result } from '../../../../core/experiments/shootout/index.js' */

/** The folded latencies. */
export const ECHO_ID = 'latency';

/** Shows an echo run. */
export function createResultView() {
  const section = element('#result');
  mountLinkedDetails();
  /** @type {{ destroy(): void }[]} */
  let parts = [];

  const clear = () => {
    for (const part of parts) part.destroy();
    parts = [];
  };

  return {
    /** @param {Result} result @param {string} [origin] if it was not made just now */
    show(result, origin = '') {
      clear();
      const { summary, report } = findingsOf(shootout, result);
      // A hidden section has no width for a chart.
      section.hidden = false;
      element('#result-origin').textContent = origin;
      element('#verdict-eyebrow').replaceChildren(...keepTogether(report.conditions ?? ''));
      element('#result-notice').textContent = report.notice ?? '';
      showTrust(report);
      parts = [showDecision(summary, report), showEchoDetails({ summary, report })];
    },
    clear,
    hide() {
      section.hidden = true;
      clear();
    },
    focus() {
      element('#verdict').scrollIntoView({ block: 'nearest' });
      element('#verdict-headline').focus({ preventScroll: true });
    },
  };
}

/**
 * Shows what stands beneath the decision: all transports, and the folded details.
 * @param {{ summary: Summary, report: Report }} findings @returns {{ destroy(): void }}
 */
export function showEchoDetails({ summary, report }) {
  const { plan, trials } = summary.result;
  showFigures(summary, report);
  showIntervalBars(summary);
  const roundTrips = createRoundTripChart(plan.transports);
  const distribution = createDistributionChart(summary);
  roundTrips.show(trials);
  return {
    destroy() {
      roundTrips.destroy();
      distribution.destroy();
    },
  };
}

/** Shows the latencies, the latency breakdown of a message, and the connection setup. @param {Summary} summary @param {Report} report */
function showFigures(summary, { notes = [] }) {
  const isWhole = summary.result.ending === undefined;
  const latencies = tabulateLatency(summary);
  fillTable(element('#rows', HTMLTableElement), latencies);
  element('#notes').replaceChildren(...createItems(notes));
  const explained = latencies.columns.map((column) => ({ name: headOf(column), value: String(column.explanation) }));
  element('#columns').replaceChildren(...explained.flatMap(createEntry));
  // A run that ended early has no conclusion.
  for (const part of ['#breakdown', '#setup']) element(part).hidden = !isWhole;
  if (!isWhole) return;
  fillTable(element('#breakdown-table', HTMLTableElement), tabulateSteps(summary));
  fillTable(element('#set-ups', HTMLTableElement), tabulateSetUps(summary));
}

/** @param {Summary} summary @param {Report} report @returns {{ destroy(): void }} */
function showDecision(summary, { headline, sentences }) {
  const { verdict } = summary;
  const { dataset } = element('#verdict');
  const model = modelOf(summary);
  // No page polls here.
  for (const part of ['#delays', '#choices']) element(part).hidden = true;
  for (const part of ['#charts', '#curves', '#rtt-choice', '#distances', '#distance-list'])
    element(part).hidden = !model;
  if (!model) {
    element('#lines').replaceChildren();
    delete dataset.rtt;
    say({ headline, detail: [summary.result.ending?.reason, ...sentences].join(' ').trim(), measured: '' });
    return { destroy() {} };
  }
  /** @param {number} rttMs @returns {string} the text alternative of the chart */
  const answer = (rttMs) => {
    const speed = speedAt(model, rttMs);
    const words = describeSpeed(speed);
    say({
      headline: words.headline,
      detail: words.remark,
      measured: `${describeMeasured(summary, speed)} ${verdict.advice}`,
    });
    showAnswers([answerFor(summary, model, rttMs)], () => `#${ECHO_ID}`);
    dataset.rtt = String(Number(rttMs.toFixed(3)));
    return `Chart. ${words.headline} ${words.evidence}`;
  };
  // The run decides if a link has no valid round-trip time.
  const linkedMs = tryOrSay(() => parseRtt(new URLSearchParams(location.search).get('rtt')));
  const ownMs = rttOf(summary, model);
  const rttMs = linkedMs ?? ownMs;
  const models = modelsOf(summary, model);
  const curves = createPictureView(
    element('#curves .picture'),
    (ms, size) => drawCurves({ models, rttMs: ms, ...size }),
    { state: rttMs, words: answer(rttMs) },
  );
  showDistances((distancesMs) =>
    listAt(distancesMs, ownMs, (ms) => ({
      isMeasured: ms === model.floorMs,
      sending: /** @type {Sending} */ (answerFor(summary, model, ms)),
    })),
  );
  mountAxisSlider({
    slider: element('#rtt', HTMLInputElement),
    output: element('#rtt-value', HTMLOutputElement),
    stops: rttStops([ELSEWHERE_RTT_MS, model.floorMs, rttMs], model.floorMs),
    value: rttMs,
    format: formatRoundTrip,
    onInput: (ms) => curves.ask(ms, answer(ms)),
    onChange: (ms) => keepInAddress('rtt', ms),
  });
  return curves;
}

/**
 * @param {Summary} summary @param {DistanceModel} model its own @param {number} rttMs
 * @returns {Answer} to the one question of an echo run
 */
const answerFor = (summary, { transport, baseline }, rttMs) => ({
  ...part.answer(summary, { rttMs }),
  experiment: shootout.name,
  question: part.question,
  subject: transport,
  baseline,
  hasResult: true,
});

/** @returns {string} a query that opens the card in its current state; empty if it has no round-trip time */
export function linkQuery() {
  const { rtt, every } = element('#verdict').dataset;
  const distances = new URLSearchParams(location.search).get('distances') ?? undefined;
  const asked = Object.entries({ rtt, every, distances }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${value}`],
  );
  return asked.length > 0 ? `?${asked.join('&')}` : '';
}

/** @param {{ headline: string, detail: string, measured: string }} words */
function say({ headline, detail, measured }) {
  element('#verdict-headline').replaceChildren(...keepTogether(headline));
  element('#verdict-detail').replaceChildren(...keepTogether(detail));
  element('#measured').replaceChildren(...keepTogether(measured.trim()));
}
