import { measureStepMs } from '../core/clock.js';
import { SCHEMA } from '../core/result.js';
import { findRestart } from '../core/run-faults.js';
import { measureRun, measureSetUps } from '../core/run.js';
import { readStatus } from '../core/status.js';
import { nextPaint } from './ui/frames.js';

/**
 * A run in this page, and all that is to be known of it.
 *
 * @param {object} options
 * @param {import('../core/plan.js').Plan} options.plan
 * @param {Record<string, import('../core/transports/index.js').Transport>} options.transports
 * @param {import('../core/clock.js').Now} options.now
 * @param {AbortSignal} options.signal ends it, with an Ending as its reason
 * @param {ReturnType<typeof import('./ui/run-progress.js').createRunProgress>} options.progress
 * @param {{ showTrials(trials: readonly import('../core/run.js').RunTrial[]): void }} options.view
 * @returns {Promise<import('../core/result.js').Result>}
 */
export async function measureResult({ plan, transports, now, signal, progress, view }) {
  const environment = {
    url: location.origin + location.pathname,
    userAgent: navigator.userAgent,
    stepMs: measureStepMs(now),
    isCrossOriginIsolated: window.crossOriginIsolated,
  };
  progress.say('Asking the server how busy it is…');
  const statusBefore = await readStatus(fetch, '/status', signal);
  const startedAt = new Date().toISOString();
  const run = await measureRun({
    plan,
    transports,
    now,
    signal,
    onTrialStart: (transport, block, counter) => progress.follow(plan, transport, block, counter),
    async onTrialEnd({ trials }) {
      // Drawing all of them takes its time, and leaves garbage: once a block is enough.
      if (trials.length % plan.transports.length === 0) view.showTrials(trials);
      await nextPaint();
    },
  }).finally(progress.stop);

  const statusAfter = run.ending ? undefined : await readStatus(fetch, '/status', signal);
  const ending = run.ending ?? findRestart(statusBefore, statusAfter);
  if (!ending) progress.say('Measuring what a new connection costs…');
  const coldSetUpMs = ending ? {} : await measureSetUps({ plan, transports, now, signal });
  const { trials } = run;
  return { schema: SCHEMA, startedAt, plan, environment, statusBefore, statusAfter, coldSetUpMs, trials, ending };
}
