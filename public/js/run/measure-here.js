import { shootout } from '../../../core/experiments/shootout/index.js';
import { measureDocument } from '../../../core/experiment/run.js';
import { labelOf } from '../../../core/net/labels.js';
import { createTurns } from '../../../core/base/async.js';
import { createTransports } from '../libraries.js';
import { nextPaint } from '../ui/frames.js';
import { followTrials } from '../ui/progress.js';

/** @import { Now } from '../../../core/base/clock.js' */
/** @import { Ending } from '../../../core/experiment/run.js' */
/** @import { Plan } from '../../../core/experiments/shootout/plan.js' */
/** @import { Result } from '../../../core/experiments/shootout/measure.js' */
/** @import { RunTrial } from '../../../core/net/echo/trial.js' */
/** @import { RunProgress } from '../ui/progress.js' */

/** @typedef {{ name: string, origin: string }} MeasuredServer `origin`: the page's own, or another server's */

/** @type {Ending} */
const BROKEN_OFF = { kind: 'invalid', reason: 'The run to another server broke off.' };

/**
 * Runs in this page, one to each server; several take turns, block by block.
 * @param {object} options @param {readonly MeasuredServer[]} options.servers at least one
 * @param {Plan} options.plan the same for all @param {Parameters<typeof createTransports>[0]} options.libraries
 * @param {Now} options.now @param {AbortSignal} options.signal ends all, with an Ending as its reason
 * @param {RunProgress} options.progress @param {(trials: readonly RunTrial[]) => void} options.showTrials
 * @returns {Promise<Result[]>} in the order of the servers
 */
export async function measureHere({ servers, plan, libraries, now, signal, progress, showTrials }) {
  const takeTurn = createTurns();
  const trials = servers.flatMap(() => shootout.trialsOf(plan));
  const isAlone = servers.length === 1;
  const broken = new AbortController();
  /** @type {unknown} */
  let firstError;

  /** @param {MeasuredServer} server @returns {Promise<Result>} */
  const measure = async ({ name, origin }) => {
    const isOwn = origin === location.origin;
    const followed = {
      trialsOf: () => trials,
      describeTrial: (/** @type {{ transport: string }} */ { transport }) =>
        labelOf(transport) + (isAlone ? '' : ` to ${name}`),
      messageCountOf: () => plan.iterations,
    };
    return measureDocument(shootout, {
      plan,
      transports: createTransports(libraries, origin),
      now,
      signal: AbortSignal.any([signal, broken.signal]),
      takeTurn,
      environment: {
        url: isOwn ? origin + location.pathname : `${origin}/`,
        ...(!isOwn && { pageOrigin: location.origin }),
        userAgent: navigator.userAgent,
        isCrossOriginIsolated: window.crossOriginIsolated,
      },
      statusUrl: `${origin}/status`,
      preflightUrl: isOwn ? undefined : `${origin}/ajaxecho`,
      onStep(words) {
        progress.pause();
        progress.say(isAlone ? words : `${name}: ${words}`);
      },
      onTrialStart: followTrials(followed, { plan, progress }).onTrialStart,
      async onTrialEnd({ trials: made }) {
        // Drawing all of them takes its time, and leaves garbage: once a block is enough.
        if (made.length % plan.transports.length === 0) showTrials(made);
        await nextPaint();
      },
    });
  };

  const runs = await Promise.allSettled(
    servers.map((server) =>
      measure(server).catch((error) => {
        // The others are not to go on behind a page that can be started again.
        firstError ??= error;
        broken.abort(BROKEN_OFF);
        throw error;
      }),
    ),
  );
  progress.stop();
  if (firstError) throw firstError;
  return runs.flatMap((run) => (run.status === 'fulfilled' ? [run.value] : []));
}
