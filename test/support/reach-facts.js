/**
 * What a run of “Does it work from here?” found, without its sentences.
 */
import { summarize } from '../../core/experiments/reach/summary.js';

/**
 * @import { ReachDocument, ReachTrial } from '../../core/experiments/reach/schema.js'
 * @import { Checked } from '../../core/experiments/reach/summary.js'
 *
 * @typedef {ReturnType<typeof factsOf>} ReachFacts
 */

/** @param {Pick<ReachTrial, 'check' | 'transport' | 'silenceMs'>} trial @returns {string} like 'sockjs websocket', 'silence 500' */
const nameOf = ({ check, transport, silenceMs }) => [check, transport, silenceMs].filter(Boolean).join(' ');

/** @param {ReachDocument} document of a complete run */
export function factsOf(document) {
  const { ending, trials } = document;
  if (ending) throw new Error(`The run ended: ${ending.reason}`);
  const { works, idle, checks } = summarize(document);
  /** @param {string} name */
  const checkOf = (name) => {
    const found = checks.find((/** @type {Checked} */ { planned }) => nameOf(planned) === name);
    if (!found) throw new Error(`Expected a check ${name}, got none`);
    return /** @type {Checked} */ (found);
  };
  return {
    works,
    idle,
    /** Names of checks, in the order in which they were made; what arrived in batches has failed, too. */
    failed: [
      ...checks.filter((/** @type {Checked} */ { result }) => result === 'fail'),
      ...trials.flatMap((trial) => (trial.check === 'latency' && trial.failure ? { planned: trial } : [])),
    ].map(({ planned }) => nameOf(planned)),
    untested: [...new Set(trials.filter(({ untested }) => untested !== undefined).map(nameOf))],
    checkOf,
    /** @param {string} name @returns {Partial<ReachTrial>} */
    trialOf: (name) => checkOf(name).trial ?? {},
  };
}
