import { nextPaint } from '../frames.js';

/**
 * @import { Planned } from '../../../../core/experiment/contract.js'
 * @import { Progress } from '../../../../core/experiment/run.js'
 */

/**
 * Shows how far a run is, by its trials and by the messages of each.
 *
 * @param {Pick<Planned, 'trialsOf' | 'describeTrial' | 'messageCountOf'>} experiment
 * @param {{ plan: any, progress: ReturnType<typeof import('./run-progress.js').createRunProgress>, lookMs?: number }} options
 *   `lookMs`: how often, where something else is drawn during the run
 * @returns {{ onTrialStart(planned: any, counter: Progress): void, onTrialEnd(): Promise<void> }} as a run calls them
 */
export function followTrials({ trialsOf, describeTrial, messageCountOf }, { plan, progress, lookMs }) {
  const trials = trialsOf(plan);
  const blockCount = (trials.at(-1)?.block ?? 0) + 1;
  return {
    onTrialStart(planned, counter) {
      const count = messageCountOf(planned, plan);
      const { block } = planned;
      progress.followTrial({
        trialCount: trials.length,
        lookMs,
        share: () => counter.completedCount / count,
        words(trial) {
          const place =
            block === undefined ? `Trial ${trial} of ${trials.length}` : `Block ${block + 1} of ${blockCount}`;
          const { completedCount } = counter;
          return `${place}: ${describeTrial(planned)}${completedCount > 0 ? `, ${completedCount} of ${count}` : ''}`;
        },
      });
    },
    // What is painted now is not painted while a clock runs.
    onTrialEnd: nextPaint,
  };
}
