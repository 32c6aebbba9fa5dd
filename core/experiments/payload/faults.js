/**
 * What makes a run over sizes invalid as a whole.
 *
 * That a transfer method does not take a size is a finding: it is counted, shown, and the run goes on. But where nobody gets an
 * answer any more, whatever the transfer method, it is not the size.
 */
import { labelOfTransfer } from '../../net/transfer/labels.js';
import { formatSize } from './format-size.js';

/**
 * @import { Ending } from '../../experiment/run.js'
 * @import { FailureOutcome } from '../../net/exchange-error.js'
 * @import { PayloadTrial } from './measure.js'
 */

/** So often in a row each transfer method has to be lost, or to wait in vain. */
const LOST_TIMES = 3;

/** @type {readonly FailureOutcome[]} a server that refuses is still there */
const LOST = ['closed', 'timeout'];

/** @typedef {Pick<PayloadTrial, 'transport' | 'block' | 'size' | 'direction' | 'failure'>} Seen */

/** @param {readonly string[]} transports all that the run has @returns {{ look(trial: Seen): Ending | undefined }} */
export function createPayloadFaultWatch(transports) {
  /** @type {Map<string, number>} how often each was lost since the last answer */
  const lost = new Map();

  return {
    look({ transport, block, size, direction, failure }) {
      if (!failure || !LOST.includes(failure.outcome)) {
        lost.clear();
        return undefined;
      }
      lost.set(transport, (lost.get(transport) ?? 0) + 1);
      if (!transports.every((name) => (lost.get(name) ?? 0) >= LOST_TIMES)) return undefined;
      const where = `in block ${block + 1}, ${formatSize(size)} ${direction} by ${labelOfTransfer(transport)}`;
      return {
        kind: 'invalid',
        reason: `The server was lost: no transport got an answer any more, the last ${where}: ${failure.message}`,
      };
    },
  };
}
