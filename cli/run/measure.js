import { measureDocument } from '../../core/experiment/run.js';
import { environmentOf } from '../net/environment.js';

/**
 * @import { Experiment } from '../../core/experiment/contract.js'
 * @import { Begun } from './only/index.js'
 */

/**
 * A run from Node: what the experiment's page does, without the page.
 *
 * @param {Experiment} experiment
 * @param {Begun & { means: any, onTrialEnd?: (run: any) => Promise<void> | void }} run `signal` ends it, with an Ending as
 *   its reason
 * @returns {Promise<any>} the document: whatever happens, what was measured until then
 */
export function measureInNode(experiment, { origin, plan, means, progress, signal, onTrialEnd }) {
  const { describeTrial, messageCountOf, trialsOf } = experiment;
  const { length } = trialsOf(plan);
  let number = 0;
  return measureDocument(experiment, {
    ...means,
    plan,
    now: () => performance.now(),
    environment: environmentOf({ origin }),
    statusUrl: `${origin}/status`,
    signal,
    onTrialStart(planned, state) {
      progress.start({
        title: `trial ${number + 1} of ${length}: ${describeTrial(planned)}`,
        percent: (100 * number++) / length,
        state,
        messageCount: messageCountOf(planned, plan),
      });
      return means.onTrialStart?.(planned, state);
    },
    async onTrialEnd(run) {
      await means.onTrialEnd?.(run);
      await onTrialEnd?.(run);
    },
  });
}
