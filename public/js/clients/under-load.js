/** The page of latency under load: the question before an expensive run, and the remaining time. */
import { capitalize, formatSeconds } from '../../../core/base/format.js';
import { formatTotal, LOADS, secondsOf, trialsOf } from '../../../core/experiments/under-load/plan.js';
import { ExchangeError } from '../../../core/net/exchange-error.js';
import { createLoads } from '../../../core/net/load/index.js';
import { now } from '../base/page.js';
import { isMetered } from '../ui/sparing.js';
import { siteUrl } from '../site-url.js';

/**
 * @import { RunMeans } from '../../../core/experiment/contract.js'
 * @import { UnderLoadPlan } from '../../../core/experiments/under-load/plan.js'
 * @import { PageClient, PageRun } from './contract.js'
 */

const LOOK_MS = 1000;

/** @param {PageRun} run @returns {RunMeans} */
function prepareRun({ plan, progress }) {
  const cost = formatTotal(plan);
  if (isMetered(navigator) && !confirm(`This run transfers ${cost}, which may cost you money. Measure?`)) {
    throw new ExchangeError('aborted', 'Not started.');
  }
  progress.say('Testing the connection');
  const { length } = trialsOf(plan);
  const startedAtMs = now();
  const wholeSeconds = secondsOf(plan);
  return {
    createLoads: (/** @type {number} */ maxBytes) => createLoads({ baseUrl: siteUrl, maxBytes }),
    onFitted(/** @type {UnderLoadPlan} */ fitted) {
      progress.say(`${capitalize(formatTotal(fitted))} in all`);
    },
    onTrialStart({ load, block }) {
      const begunAtMs = now();
      progress.followTrial({
        trialCount: length,
        lookMs: LOOK_MS,
        hasTimeLeft: false,
        share: () => Math.min(1, (now() - begunAtMs) / (1000 * plan.seconds)),
        words(trial) {
          const seconds = Math.ceil(wholeSeconds - (now() - startedAtMs) / 1000);
          const left = seconds > 0 ? `, about ${formatSeconds(seconds)} left` : '';
          return `Block ${block + 1} of ${plan.blocks}, trial ${trial} of ${length}: ${LOADS[load].label}${left}`;
        },
      });
    },
  };
}

/** @type {PageClient} */
export const client = { prepareRun };
