/** The home page: a question, a run, an answer. */
import { shootout } from '../../../core/experiments/shootout/index.js';
import { formatPlan } from '../../../core/experiments/shootout/plan.js';
import { countsOf } from '../../../core/experiment/echo-trials.js';
import { describeEnding } from '../../../core/experiment/faults.js';
import * as earlier from '../ui/home/earlier-answers.js';
import { packagesFor } from '../../../core/experiment/packages.js';
import { loadLibraries, preloadLibraries } from '../libraries.js';
import { createServerChoice, measureHere, mountServerResults, probeServers } from '../ui/home/servers.js';
import { mountPageLife, startIfLinked } from '../run/page-life.js';
import { element, whenLoaded } from '../ui/page.js';
import { mountExports } from '../ui/export-buttons.js';
import { createPlanForm } from '../ui/home/plan-form.js';
import { createResultView, linkQuery } from '../ui/home/result-view.js';
import { createRoundTripChart } from '../charts/round-trips.js';
import { createRunProgress } from '../ui/progress.js';

/** @import { Plan } from '../../../core/experiments/shootout/plan.js' */
/** @import { Result } from '../../../core/experiments/shootout/index.js' */
/** @import { LastRun } from '../ui/home/earlier-answers.js' */
/** @import { Press } from '../run/page-life.js' */

const NO_SERVER = 'Servers: expected at least one, got none';

const progress = createRunProgress();
const view = createResultView();
const form = createPlanForm({ onStart: start, onPayload: (payloadBytes) => probe(payloadBytes) });
const serverChoice = createServerChoice(() => probe(payloadBytes));
const showServerResults = mountServerResults((index) => show(measured[index]));
const answerHistory = earlier.createAnswerHistory({
  stateOf: () => state,
  onQuestion: () => setState('asking'),
  async onAnswer() {
    // The answer is not on the page after a reload of the question.
    if (measured.length > 0) setState('answered');
    else await restore();
  },
});

/** @type {Result[]} of the last press, one of each server */
let measured = [];
/** @type {Result} the shown result */
let shown;
let { payloadBytes } = form;
/** Whether a run was started, or requested. */
let isWanted = false;
/** @type {'asking' | 'running' | 'answered'} */
let state = 'asking';

const life = mountPageLife({
  progress,
  sharing: { documentsOf: () => measured, onShared: earlier.keepShared, linkQuery },
  setRunning(isRunning) {
    if (isRunning) {
      view.hide();
      measured = [];
    }
    setState(isRunning ? 'running' : 'asking');
  },
  measure,
  focusAnswer: view.focus,
  retry,
});

/** @param {typeof state} next */
function setState(next) {
  state = next;
  element('#ask').hidden = state === 'answered';
  element('#after').hidden = state !== 'answered';
  element('#ask').dataset.state = state;
  element('#example').hidden = state === 'running';
  for (const part of ['.running', '#live']) element(part).hidden = state !== 'running';
  form.setEnabled(state !== 'running');
}

/** @param {Plan} plan */
function start(plan) {
  if (serverChoice.chosen().length === 0) {
    form.say(NO_SERVER);
    return;
  }
  isWanted = true;
  life.start(plan);
}

/** Measures at a press: a run to each chosen server. @param {Plan} plan @param {Press} press */
async function measure(plan, { signal, noticed }) {
  const servers = serverChoice.chosen();
  const { uPlot, libraries } = await loadLibraries(packagesFor(shootout, plan), signal);
  const chart = createRoundTripChart(uPlot, plan.transports, '#live');
  try {
    const results = await measureHere({ servers, plan, libraries, signal, noticed, progress, showTrials: chart.show });
    if (results.some(hasSamples)) return { show: () => showMeasured({ results, servers }) };
    return { problem: describeEnding({ ending: results[0].ending, counts: results[0].trials.map(countsOf) }, signal) };
  } finally {
    chart.destroy();
  }
}

/** @param {Result} result */
const hasSamples = ({ trials }) => trials.some(({ samples }) => samples.iteration.length > 0);

/** Probes the servers again, and then starts a run that was requested before. */
async function retry() {
  const isThere = await probe(payloadBytes);
  if (isThere && isWanted && state === 'asking') form.submit();
}

/** @param {LastRun} run */
async function showMeasured(run) {
  answerHistory.showAnswer();
  earlier.keepLastRun(run);
  await showAll(run);
}

/** Shows all results, the first one in full. @param {LastRun} run */
async function showAll({ results, servers, origin }) {
  measured = results;
  setState('answered');
  showServerResults(servers, measured);
  await show(measured[0], origin);
}

/** @param {Result} result @param {string} [origin] */
async function show(result, origin) {
  const { uPlot } = await loadLibraries([]);
  shown = result;
  view.show(uPlot, result, origin);
}

let probing = new AbortController();

/**
 * Measures the round-trip time to the servers: a run that starts before the end waits for that. A server that does not
 * answer is left out.
 * @param {number} bytes of payload in each message @returns {Promise<boolean>} whether there is a server to measure
 */
async function probe(bytes) {
  probing.abort();
  probing = new AbortController();
  const { signal } = probing;
  payloadBytes = bytes;
  form.forgetRoundTrips(true);
  const { roundTripsMs, problems } = await probeServers(serverChoice.chosen(), payloadBytes, signal);
  // The choice has changed since.
  if (signal.aborted) return false;
  for (const { server, reason } of problems) serverChoice.leaveOut(server, reason);
  const isThere = roundTripsMs.length > 0;
  const isNamed = serverChoice.isOffered;
  const words = problems.map(({ server, reason }) => (isNamed ? `${server.name}: ${reason}` : reason)).join(' ');
  if (state !== 'running') form.setEnabled(isThere || isNamed);
  if (isThere) form.setRoundTrips(roundTripsMs);
  else isWanted = form.forgetRoundTrips(false) || isWanted;
  if (words && !isThere) life.sayProblem(words);
  else if (words || !isThere) form.say(words || NO_SERVER);
  return isThere;
}

/** @returns {Promise<boolean>} whether there was a result of this tab’s last run */
async function restore() {
  const run = await earlier.readLastRun();
  if (!run || state !== 'asking') return false;
  await showAll(run);
  life.offer(earlier.readShared());
  return true;
}

mountExports({ ...shootout, name: '', formatPlan }, () => shown);
element('#again').addEventListener('click', () => {
  // The form says why it cannot start.
  setState('asking');
  form.submit();
});
element('#change').addEventListener('click', () => {
  setState('asking');
  element('#options', HTMLDetailsElement).open = true;
  element('#options-summary').focus();
  answerHistory.leaveAnswer();
});
earlier.mountSavedFile(async (result, origin) => {
  const servers = [{ name: '', origin: location.origin }];
  if (state === 'running') return;
  await showMeasured({ results: [result], servers, origin });
  life.offer();
  view.focus();
});
form.forgetRoundTrips(true);
await whenLoaded();
await preloadLibraries(packagesFor(shootout, { transports: form.transports() }));
const isRestored = answerHistory.isAtAnswer() && (await restore());
const isThere = await probe(payloadBytes);
if (isThere && !isRestored && !isWanted && !form.isLinkRefused) await startIfLinked(form.submit);
