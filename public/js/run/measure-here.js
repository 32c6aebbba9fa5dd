import { shootout } from '../../../core/experiments/shootout/index.js';
import { measureDocument } from '../../../core/experiment/run.js';
import { labelOf } from '../../../core/net/labels.js';
import { createTurns } from '../../../core/base/async.js';
import { createTransports } from '../libraries.js';
import { nextPaint } from '../ui/frames.js';
import { followTrials } from '../ui/progress.js';

/** @import { Now } from '../../../core/base/clock.js' */
/** @import { TakeTurn } from '../../../core/base/async.js' */
/** @import { Ending } from '../../../core/experiment/contract.js' */
/** @import { PlannedTrial } from '../../../core/experiments/shootout/index.js' */
/** @import { Plan } from '../../../core/experiments/shootout/plan.js' */
/** @import { Result } from '../../../core/experiments/shootout/index.js' */
/** @import { Progress, RunTrial } from '../../../core/net/echo/trial.js' */
/** @import { RunProgress } from '../ui/progress.js' */

/** @typedef {{ name: string, origin: string }} MeasuredServer `origin`: the page's own, or another server's */

/** @type {Ending} */
const BROKEN_OFF = { kind: 'invalid', reason: 'The run to another server broke off.' };

/**
 * Runs in this page, one to each server; several take turns, block by block.
 * @param {object} options @param {readonly MeasuredServer[]} options.servers at least one
 * @param {Plan} options.plan the same for all @param {Parameters<typeof createTransports>[0]} options.libraries
 * @param {Now} options.now @param {AbortSignal} options.signal ends all, with an Ending as its reason
 * @param {RunProgress} options.progress
 * @param {{ showTrials(trials: readonly RunTrial[]): void }} options.view
 * @returns {Promise<Result[]>} in the order of the servers
 */
export async function measureHere({ servers, ...options }) {
  const takeTurn = createTurns();
  const { plan } = options;
  const trials = servers.flatMap(() => shootout.trialsOf(plan));
  const isAlone = servers.length === 1;
  const broken = new AbortController();
  /** @type {unknown} */
  let firstError;
  const signal = AbortSignal.any([options.signal, broken.signal]);
  try {
    const runs = await Promise.allSettled(
      servers.map((server) =>
        measureServer(server, {
          ...options,
          signal,
          takeTurn,
          /** @param {string} words */
          say: (words) => options.progress.say(isAlone ? words : `${server.name}: ${words}`),
          follow: followTrials(
            {
              trialsOf: () => trials,
              describeTrial: ({ transport }) => labelOf(transport) + (isAlone ? '' : ` to ${server.name}`),
              messageCountOf: () => plan.iterations,
            },
            options,
          ).onTrialStart,
        }).catch((error) => {
          // The others are not to go on behind a page that can be started again.
          firstError ??= error;
          broken.abort(BROKEN_OFF);
          throw error;
        }),
      ),
    );
    if (firstError) throw firstError;
    return runs.flatMap((run) => (run.status === 'fulfilled' ? [run.value] : []));
  } finally {
    options.progress.stop();
  }
}

/**
 * @param {MeasuredServer} server
 * @param {Omit<Parameters<typeof measureHere>[0], 'servers'> & { takeTurn: TakeTurn, say(words: string): void, follow:
 *   (planned: PlannedTrial, counter: Progress) => void }} options
 */
function measureServer({ origin }, { plan, libraries, now, signal, progress, view, takeTurn, say, follow }) {
  const isOwn = origin === location.origin;
  const transports = createTransports(libraries, origin);
  return measureDocument(shootout, {
    plan,
    transports,
    now,
    signal,
    takeTurn,
    environment: {
      url: isOwn ? origin + location.pathname : `${origin}/`,
      ...(!isOwn && { pageOrigin: location.origin }),
      userAgent: navigator.userAgent,
      isCrossOriginIsolated: window.crossOriginIsolated,
    },
    statusUrl: `${origin}/status`,
    preflightUrl: isOwn ? undefined : `${origin}/ajaxecho`,
    onStep: (words) => {
      progress.pause();
      say(words);
    },
    onTrialStart: follow,
    async onTrialEnd({ trials }) {
      // Drawing all of them takes its time, and leaves garbage: once a block is enough.
      if (trials.length % plan.transports.length === 0) view.showTrials(trials);
      await nextPaint();
    },
  });
}
