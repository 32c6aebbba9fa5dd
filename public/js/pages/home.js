/** The home page: a question, a run, an answer. */
import { ExchangeError } from '../../../core/net/exchange-error.js';
import { abortable } from '../../../core/base/async.js';
import { shootout } from '../../../core/experiments/shootout/index.js';
import { formatPlan } from '../../../core/experiments/shootout/plan.js';
import { describeEnding, describeError } from '../../../core/experiment/faults.js';
import {
  createAnswerHistory,
  keepLastRun,
  keepShared,
  readLastRun,
  readShared,
  mountSavedFile,
} from '../ui/home/earlier-answers.js';
import { loadLibraries, preloadLibraries } from '../libraries.js';
import { measureHere } from '../run/measure-here.js';
import { probeServers, createServerChoice, mountServerResults } from '../ui/home/servers.js';
import { watchForEnd, mountRunProblem } from '../run/run-end.js';
import { linkQuery } from '../ui/home/decision-card.js';
import { element } from '../ui/element.js';
import { mountExports } from '../ui/export-buttons.js';
import { whenLoaded, whenVisible } from '../ui/frames.js';
import { createPlanForm } from '../ui/home/plan-form.js';
import { createResultView } from '../ui/home/result-view.js';
import { createRoundTripChart } from '../charts/round-trips.js';
import { createRunProgress } from '../ui/progress.js';
import { mountSaveForm } from '../ui/save-form.js';

/** @import { Plan } from '../../../core/experiments/shootout/plan.js' */
/** @import { Result } from '../../../core/experiments/shootout/index.js' */
/** @import { LastRun } from '../ui/home/earlier-answers.js' */

/** Where the libraries take longer, the server is probed beside them. */
const PRELOAD_LIMIT_MS = 10_000;
const NO_SERVER = 'Servers: expected at least one, got none';

const now = () => performance.now();
/** @param {number} ms */
const waitMs = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const progress = createRunProgress();
const view = createResultView();
const problem = mountRunProblem(retry);
const form = createPlanForm({ onStart: (plan) => start(plan), onPayload: (payloadBytes) => probe(payloadBytes) });
const serverChoice = createServerChoice({ onChange: () => probe(payloadBytes) });
const showServerResults = mountServerResults((index) => show(measured[index]));
const saveForm = mountSaveForm({ documentsOf: () => measured, onShared: keepShared, linkQuery });
const answerHistory = createAnswerHistory({
  stateOf: () => state,
  onQuestion: () => setState('asking'),
  async onAnswer() {
    // After a reload of the question it is not on the page.
    if (measured.length > 0) setState('answered');
    else await restore();
  },
});

/** @type {Result[]} of the last press, one of each server */
let measured = [];
/** @type {Result} what is on the page */
let shown;
let { payloadBytes } = form;
/** Was a run started, or asked for? */
let isWanted = false;
/** @type {'asking' | 'running' | 'answered'} */
let state = 'asking';

/** @param {typeof state} next */
function setState(next) {
  state = next;
  element('#ask').hidden = state === 'answered';
  element('#after').hidden = state !== 'answered';
  element('#ask').dataset.state = state;
  element('.running').hidden = state !== 'running';
  element('#example').hidden = state === 'running';
  element('#live').hidden = state !== 'running';
  form.setEnabled(state !== 'running');
}

/** One press: a run to each server that is chosen, and its report. @param {Plan} plan */
async function start(plan) {
  const servers = serverChoice.chosen();
  if (servers.length === 0) {
    form.say(NO_SERVER);
    return;
  }
  if (state === 'running') return;
  const { signal, stop } = watchForEnd(element('#cancel', HTMLButtonElement));
  isWanted = true;
  problem.clear();
  view.hide();
  setState('running');
  // The button that was pressed is gone, and Stop would take a second press of the same key.
  progress.begin();
  progress.focus();
  /** @type {ReturnType<typeof createRoundTripChart> | undefined} */
  let chart;
  try {
    const { $, SockJS, uPlot } = await abortable(signal, (resolve, reject) => {
      loadLibraries().then(resolve, reject);
    });
    chart = createRoundTripChart(uPlot, plan.transports, '#live');
    const view = { showTrials: chart.show };
    const results = await measureHere({ servers, plan, libraries: { $, SockJS }, now, signal, progress, view });
    if (results.some(hasSamples)) await showMeasured({ results, servers });
    else giveUp(describeEnding(results[0], signal));
  } catch (error) {
    giveUp(signal.aborted ? undefined : describeError(error));
    if (!signal.aborted && !(error instanceof ExchangeError)) throw error;
  } finally {
    chart?.destroy();
    stop();
  }
}

/** @param {Result} result */
const hasSamples = ({ trials }) => trials.some(({ samples }) => samples.iteration.length > 0);

/** @param {string | undefined} words why there is nothing to show; absent where the visitor stopped it */
function giveUp(words) {
  setState('asking');
  if (words) problem.show(words);
}

/** Probes the servers again; a run that was asked for before is started then. */
async function retry() {
  const isThere = await probe(payloadBytes);
  if (isThere && isWanted && state === 'asking') form.submit();
}

/** @param {LastRun} run */
async function showMeasured(run) {
  answerHistory.showAnswer();
  keepLastRun(run);
  await showAll(run);
  view.focus();
}

/** What was measured, the first of it in full. @param {LastRun} run */
async function showAll({ results, servers, origin }) {
  measured = results;
  setState('answered');
  showServerResults(servers, measured);
  await show(measured[0], origin);
  element('#export-status').textContent = '';
  saveForm.offer(readShared());
}

/** @param {Result} result @param {string} [origin] */
async function show(result, origin) {
  const { uPlot } = await loadLibraries();
  shown = result;
  view.show(uPlot, result, origin);
}

mountExports(
  { ...shootout, name: '', formatPlan },
  () => shown,
  () => `${location.origin}/`,
);

element('#again', HTMLButtonElement).addEventListener('click', () => {
  // Where it cannot start, it says so there.
  setState('asking');
  form.submit();
});
element('#change', HTMLButtonElement).addEventListener('click', () => {
  setState('asking');
  element('#options', HTMLDetailsElement).open = true;
  element('#options-summary').focus();
  answerHistory.leaveAnswer();
});

mountSavedFile(async (result, origin) => {
  const servers = [{ name: '', origin: location.origin }];
  if (state !== 'running') await showMeasured({ results: [result], servers, origin });
});

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
  const { roundTripsMs, problems } = await probeServers(serverChoice.chosen(), { now, payloadBytes, signal });
  // The choice has changed since.
  if (signal.aborted) return false;
  for (const { server, reason } of problems) serverChoice.leaveOut(server, reason);
  const isThere = roundTripsMs.length > 0;
  if (state !== 'running') form.setEnabled(isThere || serverChoice.isOffered);
  if (isThere) form.setRoundTrips(roundTripsMs);
  else isWanted = form.forgetRoundTrips(false) || isWanted;
  if (problems.length > 0 && !isThere) problem.show(describeProblems(problems));
  else if (problems.length > 0) form.say(describeProblems(problems));
  else if (!isThere) form.say(NO_SERVER);
  return isThere;
}

/**
 * @param {Awaited<ReturnType<typeof probeServers>>['problems']} problems
 * @returns {string} each with its server's name, where there are several
 */
function describeProblems(problems) {
  const isNamed = serverChoice.isOffered;
  return problems.map(({ server, reason }) => (isNamed ? `${server.name}: ${reason}` : reason)).join(' ');
}

/** @returns {Promise<boolean>} whether there was a result of this tab’s last run */
async function restore() {
  const run = await readLastRun();
  if (!run || state !== 'asking') return false;
  await showAll(run);
  return true;
}

form.forgetRoundTrips(true);
setState('asking');
await whenLoaded();
await Promise.race([preloadLibraries(), waitMs(PRELOAD_LIMIT_MS)]);
const isRestored = answerHistory.isAtAnswer() && (await restore());
const isThere = await probe(payloadBytes);
const isAsked = new URLSearchParams(location.search).get('autostart') === '1';
if (isThere && isAsked && !isRestored && !isWanted && !form.isLinkRefused) {
  await whenVisible();
  form.submit();
}
