/**
 * What makes a run over sizes invalid.
 *
 * A transport that fails at a size is a finding: the failure is counted and shown, and the run goes on. If no transport gets
 * an answer any more, the server is lost.
 */
import { labelOfTransfer } from '../../net/labels.js';
import { formatSize } from './format-size.js';

/**
 * @import { Ending } from '../../experiment/run.js'
 * @import { FailureOutcome } from '../../net/exchange-error.js'
 * @import { PayloadTrial } from './measure.js'
 */

/** Since the last answer, each transport must have lost its connection, or timed out, this many times. */
const LOST_TIMES = 3;

/** @type {readonly FailureOutcome[]} a server that rejects a message is still there */
const LOST = ['closed', 'timeout'];

/** @typedef {Pick<PayloadTrial, 'transport' | 'block' | 'size' | 'direction' | 'failure'>} Seen */

/** @param {readonly string[]} transports of the plan @returns {{ look(trial: Seen): Ending | undefined }} */
export function createPayloadFaultWatch(transports) {
  /** @type {Map<string, number>} since the last answer */
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
