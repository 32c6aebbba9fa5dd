import { measureResult } from '../core/measure-result.js';
import { nextPaint } from './ui/frames.js';

/**
 * A run in this page.
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
export function measureHere({ progress, view, ...options }) {
  const { plan } = options;
  return measureResult({
    ...options,
    environment: {
      url: location.origin + location.pathname,
      userAgent: navigator.userAgent,
      isCrossOriginIsolated: window.crossOriginIsolated,
    },
    statusUrl: '/status',
    onStep: (words) => {
      progress.stop();
      progress.say(words);
    },
    onTrialStart: (transport, block, counter) => progress.follow(plan, transport, block, counter),
    async onTrialEnd({ trials }) {
      // Drawing all of them takes its time, and leaves garbage: once a block is enough.
      if (trials.length % plan.transports.length === 0) view.showTrials(trials);
      await nextPaint();
    },
  }).finally(progress.stop);
}
