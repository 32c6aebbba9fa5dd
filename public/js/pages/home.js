/** The home page: a question, a run, an answer. */
import { shootout } from '../../../core/experiments/shootout/index.js';
import { client as jobsClient } from '../clients/jobs.js';
import { measureFullTest, outcomeOf } from '../run/full-test.js';
import { fullTest, isFullTest } from '../run/home-parts.js';
import { countsOf } from '../../../core/experiment/echo-trials.js';
import { describeEnding } from '../../../core/experiment/faults.js';
import * as earlier from '../ui/home/earlier-answers.js';
import { packagesFor } from '../../../core/experiment/packages.js';
import { loadLibraries, preloadLibraries } from '../libraries.js';
import { createServerChoice, measureHere, mountServerResults, probeServers } from '../ui/home/servers.js';
import { mountPageLife, startIfLinked } from '../run/page-life.js';
import { element, whenLoaded } from '../base/page.js';
import { mountResultActions, openOptions } from '../ui/result-actions.js';
import { createPlanForm } from '../ui/home/plan-form.js';
import { createHomeView } from '../ui/home/home-view.js';
import { linkQuery } from '../ui/home/result-view.js';
import { createRoundTripChart } from '../charts/round-trips.js';
import { createRunProgress } from '../ui/progress.js';
import { siteUrl } from '../site-url.js';

/** @import { Measured } from '../run/home-parts.js' */
/** @import { Choice } from '../ui/home/chooser.js' */
/** @import { Experiment } from '../../../core/experiment/contract.js' */
/** @import { Plan } from '../../../core/experiments/shootout/plan.js' */
/** @import { MeasuredServer } from '../ui/home/servers.js' */
/** @import { Result } from '../../../core/experiments/shootout/index.js' */
/** @import { LastRun } from '../ui/home/earlier-answers.js' */
/** @import { Press } from '../run/page-life.js' */

const NO_SERVER = 'Servers: expected at least one, got none';

const progress = createRunProgress();
const view = createHomeView();
const form = createPlanForm({ onStart: start, onPayload: (payloadBytes) => probe(payloadBytes) });
const serverChoice = createServerChoice(() => probe(payloadBytes));
const showServerResults = mountServerResults((index) => show(measured[index]));
/** @type {Measured[]} of the last press, one of each server */
let measured = [];
/** @type {Measured} the shown one */
let shown;
let { payloadBytes } = form;
/** Over HTTP, to the farthest server. */
let roundTripMs = 0;
/** Whether a run was started, or requested. */
let isWanted = false;
const life = mountPageLife({
  progress,
  sharing: { documentsOf: () => measured, onShared: earlier.keptRun.keepShared, linkQuery },
  restore,
  onState(state) {
    if (state === 'running') {
      view.hide();
      measured = [];
    }
    element('#example').hidden = state === 'running';
    for (const part of ['.running', '#live']) element(part).hidden = state !== 'running';
    form.setEnabled(state !== 'running');
  },
  measure,
  focusAnswer: view.focus,
  retry,
});

/** @param {Choice} choice */
function start(choice) {
  if (serverChoice.chosen().length === 0) {
    form.say(NO_SERVER);
    return;
  }
  isWanted = true;
  life.start(choice);
}

/** Measures at a press: a full test, or a run to each chosen server. @param {Choice} choice @param {Press} press */
async function measure({ plan, full }, press) {
  const servers = serverChoice.chosen();
  if (!full) return measureServers(servers, plan, press);
  const document = await measureFullTest(full, {
    press,
    progress,
    roundTripMs,
    clientOf: () => jobsClient,
    measureBy: { [shootout.name]: measureEcho },
  });
  return outcomeOf(document, press.signal, (result) => showMeasured({ results: [result], servers }));
}

/** @param {readonly MeasuredServer[]} servers @param {Plan} plan @param {Press} press */
async function measureServers(servers, plan, press) {
  const results = await measureEchoes(servers, plan, press);
  if (results.some(hasSamples)) return { show: () => showMeasured({ results, servers }) };
  const [{ ending, trials }] = results;
  return { problem: describeEnding({ ending, counts: trials.map(countsOf) }, press.signal) };
}

/** @param {Plan} plan @param {Pick<Press, 'signal' | 'noticed'>} press */
const measureEcho = async (plan, press) => (await measureEchoes(serverChoice.chosen(), plan, press))[0];

/** @param {readonly MeasuredServer[]} servers @param {Plan} plan @param {Pick<Press, 'signal' | 'noticed'>} press */
async function measureEchoes(servers, plan, { signal, noticed }) {
  const { uPlot, libraries } = await loadLibraries(packagesFor(shootout, plan), signal);
  const chart = createRoundTripChart(uPlot, plan.transports, '#live');
  try {
    return await measureHere({ servers, plan, libraries, signal, noticed, progress, showTrials: chart.show });
  } finally {
    chart.destroy();
  }
}

/** @param {Result} result */
const hasSamples = ({ trials }) => trials.some(({ samples }) => samples.iteration.length > 0);

/** Probes the servers again, and then starts a run that was requested before. */
async function retry() {
  const isThere = await probe(payloadBytes);
  if (isThere && isWanted && life.state() === 'asking') form.submit();
}

/** @param {LastRun} run */
async function showMeasured(run) {
  earlier.keptRun.keep(run);
  await showAll(run);
}

/** Shows all results, the first one in full. @param {LastRun} run */
async function showAll({ results, servers, origin }) {
  measured = results;
  life.showAnswer();
  showServerResults(servers, measured);
  await show(measured[0], origin);
}

/** @param {Measured} result @param {string} [origin] */
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
  roundTripMs = Math.max(0, ...roundTripsMs);
  const isNamed = serverChoice.isOffered;
  const words = problems.map(({ server, reason }) => (isNamed ? `${server.name}: ${reason}` : reason)).join(' ');
  if (life.state() !== 'running') form.setEnabled(isThere || isNamed);
  if (isThere) form.setRoundTrips(roundTripsMs, serverChoice.isOwnAlone());
  else isWanted = form.forgetRoundTrips(false) || isWanted;
  if (words && !isThere) life.sayProblem(words);
  else if (words || !isThere) form.say(words || NO_SERVER);
  return isThere;
}

/** @returns {Promise<boolean>} whether there was a result of this tab’s last run */
async function restore() {
  if (measured.length > 0) {
    life.showAnswer();
    return true;
  }
  // It is not on the page after a reload of the question.
  const run = await earlier.readLastRun();
  if (!run || life.state() !== 'asking') return false;
  await showAll(run);
  life.offer(earlier.keptRun.readShared());
  return true;
}

/** @param {Measured} result @returns {Experiment} */
const describedOf = (result) => (isFullTest(result) ? fullTest : shootout);

mountResultActions({
  described: () => ({ ...describedOf(shown), name: '' }),
  shown: () => shown,
  again: () => life.again(form.submit),
  change: () => life.change(openOptions),
});
earlier.mountSavedFile(async (result, origin) => {
  const servers = [{ name: '', url: siteUrl }];
  if (life.state() === 'running') return;
  await showMeasured({ results: [result], servers, origin });
  life.offer();
  view.focus();
});
form.forgetRoundTrips(true);
await whenLoaded();
await preloadLibraries(packagesFor(shootout, { transports: form.transports() }));
const isRestored = await life.restore();
const isThere = await probe(payloadBytes);
if (isThere && !isRestored && !isWanted && !form.isLinkRefused) await startIfLinked(form.submit);
