/** Measures a plan on the page: its list of measurements, one after the other, each with what its client brings. */
import { createTurns } from '../../../core/base/async.js';
import { describeEnding } from '../../../core/experiment/run/faults.js';
import { packagesFor } from '../../../core/experiment/plan/packages.js';
import { measureDocument } from '../../../core/experiment/run/run.js';
import { reachServer } from '../../../core/net/http.js';
import { createTransports, loadLibraries } from '../libraries.js';
import { isElsewhere, siteUrl } from '../site-url.js';
import { createLiveView, endLiveView } from '../ui/live-view.js';
import { nextPaint, now, readEnvironment } from '../base/page.js';
import { followTrials } from '../ui/progress.js';

/**
 * @import { Counts, Planned } from '../../../core/experiment/contract.js'
 * @import { FullTestPlan } from '../../../core/full-test/plan.js'
 * @import { Situation } from '../../../core/experiment/plan/situation.js'
 * @import { Part } from '../../../core/full-test/schema.js'
 * @import { PageClient } from '../clients/contract.js'
 * @import { RunProgress } from '../ui/progress.js'
 * @import { together as Together } from './full-test.js'
 * @import { Noticed } from './other-tabs.js'
 *
 * @typedef {{ name: string, url: string }} MeasuredServer `url`: of the page's own site, or another server's, without a slash
 *   at its end
 * @typedef {object} RunTo
 * @property {readonly MeasuredServer[]} [servers] that answered just now; each is measured by the same plan, by turns. By
 *   default it is the page's own alone, which is asked first
 * @property {number} [roundTripMs] over HTTP, for the time that is left
 * @typedef {FullTestPlan | { situation?: undefined, parts: readonly { experiment: Planned, plan: any }[] }} Measurements in their order;
 *   with the visitor's situation they answer together, as a full test; without it there is one
 * @typedef {RunTo & Measurements} RunPlan
 *
 * @typedef {{ onStart(index: number, skip: () => void): void, onEnd(index: number, part: Part): void }} PartFollower
 * @typedef {{ signal: AbortSignal, noticed: Noticed, progress: RunProgress }} RunOptions
 */

const OWN_SERVER = Object.freeze({ name: 'The server', url: siteUrl });
const OTHER_FAILED = Object.freeze({ kind: 'invalid', reason: 'The run to another server failed.' });

/**
 * @param {RunPlan} plan
 * @param {RunOptions & { clients: Readonly<Record<string, PageClient>>, together?: typeof Together, follower?: PartFollower }} options
 * @returns {Promise<any[]>} the documents: one of each server; none if no part was measured
 * @throws {ExchangeError} if the server cannot be reached
 */
export async function measurePlan(plan, options) {
  try {
    return await measureParts(plan, options);
  } finally {
    endLiveView();
  }
}

/** @type {typeof measurePlan} */
async function measureParts({ situation, parts, servers, roundTripMs = 0 }, options) {
  const { clients, together, follower, ...run } = options;
  /** @param {RunPlan['parts'][number]} part @param {AbortSignal} signal */
  const measure = ({ experiment, plan }, signal) =>
    measurePart(experiment, clients[experiment.name] ?? {}, { ...run, plan, servers, situation, roundTripMs, signal });
  if (!situation || !together) {
    const documents = await measure(parts[0], run.signal);
    if (documents.every(({ ending }) => !ending)) run.progress.fill();
    return documents;
  }
  const document = await together.measure(
    { situation, parts },
    { ...run, ...follower, roundTripMs, measure: async (part, signal) => (await measure(part, signal))[0] },
  );
  return document ? [document] : [];
}

/**
 * Measures one part: a document of each server. Runs to several alternate by blocks.
 * @param {Planned} experiment @param {PageClient} client
 * @param {RunOptions & { plan: any, servers?: readonly MeasuredServer[], situation?: Situation, roundTripMs: number }} options
 */
async function measurePart(experiment, { prepareRun }, options) {
  const { plan, servers, situation, roundTripMs, signal, progress, noticed } = options;
  if (!servers) await reachServer(fetch, `${siteUrl}/status`, signal);
  const libraries = await loadLibraries(packagesFor(experiment, plan), signal);
  const transports = createTransports(libraries);
  const run = { plan, transports, libraries, now, signal, progress };
  const { close, onStep, ...means } = (await prepareRun?.(run)) ?? {};
  const all = servers ?? [OWN_SERVER];
  const [first] = all;
  const live = createLiveView(experiment, { plan, situation, roundTripMs }, all.length > 1 ? first.name : undefined);
  const trials = all.flatMap(() => experiment.trialsOf(plan));
  const takeTurn = createTurns();
  try {
    return await measureEach(all, signal, (server, ownSignal) => {
      const { name, url } = server;
      // One picture has room for the run to one server.
      const ownLive = server === first ? live : undefined;
      const [to, of] = all.length > 1 ? [` to ${name}`, `${name}: `] : ['', ''];
      const followed = {
        ...followTrials(trials, { progress, to, mayEndEarly: plan.looks !== undefined }),
        ...means,
      };
      return measureDocument(experiment, {
        ...followed,
        async onTrialStart(/** @type {any} */ planned, /** @type {any} */ state) {
          await followed.onTrialStart?.(planned, state);
          if (ownLive?.begin(planned, state)) await nextPaint();
        },
        async onTrialEnd(/** @type {any} */ made) {
          await followed.onTrialEnd?.(made);
          // It is painted now, so that it is not while a clock runs.
          if (ownLive?.show(made.trials)) await nextPaint();
        },
        onStep: onStep && ((/** @type {string} */ words) => onStep(of + words)),
        ...placeOf(url),
        ...{ plan, situation, now, takeTurn, noticed, signal: ownSignal },
        transports: url === siteUrl ? transports : createTransports(libraries, url),
      });
    });
  } finally {
    progress.stop();
    close?.();
  }
}

/** Where a server is, for its run. @param {string} url */
const placeOf = (url) => ({
  environment: {
    ...readEnvironment(),
    ...(url !== siteUrl && { url: `${url}/` }),
    ...(isElsewhere(url) && { pageOrigin: new URL(siteUrl).origin }),
  },
  statusUrl: `${url}/status`,
  // A browser asks another origin before it sends JSON there.
  preflightUrl: isElsewhere(url) ? `${url}/ajaxecho` : undefined,
});

/**
 * @template T
 * @param {readonly MeasuredServer[]} servers @param {AbortSignal} signal ends all
 * @param {(server: MeasuredServer, signal: AbortSignal) => Promise<T>} measure
 * @returns {Promise<T[]>} in the order of the servers
 */
async function measureEach(servers, signal, measure) {
  const broken = new AbortController();
  const runs = servers.map((server) => measure(server, AbortSignal.any([signal, broken.signal])));
  const all = Promise.all(runs);
  // The others are not to go on behind a page that can be started again.
  all.catch(() => broken.abort(OTHER_FAILED));
  await Promise.allSettled(runs);
  return all;
}

/**
 * @param {RunPlan} plan @param {readonly any[]} documents of its run
 * @param {{ signal: AbortSignal, together?: typeof Together }} options
 * @returns {{ isWhole: boolean, problem?: string, hasAnswers: boolean }} `problem`: why it ended early, or a part failed;
 *   absent if the visitor stopped it
 */
export function lookAt({ situation, parts: [{ experiment }] }, documents, { signal, together }) {
  if (situation && together) {
    const [document] = documents;
    const problem = signal.aborted ? describeEnding({ ending: signal.reason }, signal) : together.problemOf(document);
    return { isWhole: !problem, problem, hasAnswers: document !== undefined };
  }
  /** @type {Counts[][]} */
  const counts = documents.map(({ trials }) => trials.map((/** @type {any} */ trial) => experiment.readTrial(trial)));
  return {
    isWhole: documents.every(({ ending }) => !ending),
    problem: describeEnding({ ending: documents[0].ending, counts: counts[0] }, signal),
    hasAnswers: counts.flat().some(({ answerCount }) => answerCount > 0),
  };
}
