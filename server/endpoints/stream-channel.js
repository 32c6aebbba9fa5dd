/** Streams over any connection that lasts: a message asks for one, and its pieces come as messages; several at once have tags. */
import { MAX_STREAMS_AT_ONCE } from '../../core/net/stream/stream.js';
import { RefusalError } from '../http/exchange.js';
import { FAULT } from '../sockets/frames.js';
import { jobLimits } from '../sockets/limits.js';
import { unsentBytesOf } from '../sockets/socket-meter.js';
import { sendPieces } from './stream-sender.js';
import { paceOf } from './streams.js';

/**
 * @import { Conversation, Protocol, Speaker } from '../channel/index.js'
 * @import { EndpointParts } from '../parts.js'
 */

/** @param {EndpointParts} parts @returns {Protocol} */
export const createStreamProtocol = (parts) => ({
  limits: jobLimits(parts.limits),
  sessions: 'streams',
  converse: (speaker) => converse(parts, speaker),
});

/** @param {EndpointParts} parts @param {Speaker} speaker @returns {Conversation} */
function converse(parts, speaker) {
  const { metrics, streams, streamPace, traffic } = parts;
  const { transport, visitor } = speaker;
  /** Stops each stream that is under way. @type {Set<() => void>} */
  const stops = new Set();
  const say = (/** @type {object} */ value) => speaker.say(speaker.takesValues ? value : JSON.stringify(value));
  const owned = { destroy: () => speaker.close(FAULT.code, FAULT.reason) };

  /** By trial, those that are under way: what its streams carry together is measured once. @type {Map<string, { count: number, record: () => void }>} */
  const meters = new Map();
  /** @param {string} [trialId] @returns {() => void} to be called when the stream has ended */
  const meter = (trialId) => {
    if (trialId === undefined) return () => {};
    const own = meters.get(trialId) ?? { count: 0, record: traffic.meterFrom(speaker.socket, visitor, trialId) };
    meters.set(trialId, own);
    own.count++;
    return () => {
      if (--own.count > 0) return;
      meters.delete(trialId);
      own.record();
    };
  };

  /** @param {string} message */
  const begin = (message) => {
    const subscription = streams.parseAsk(message);
    if (stops.size >= MAX_STREAMS_AT_ONCE)
      throw new RefusalError('busy', `streams: expected at most ${MAX_STREAMS_AT_ONCE} at once. Try again later`);
    const leave = streamPace.take(visitor, paceOf(subscription.stream));
    const record = meter(subscription.trialId);
    metrics.streamMade(transport);
    const end = () => {
      stop();
      leave();
      stops.delete(end);
      record();
    };
    const stop = sendPieces(parts, subscription, {
      say,
      finish: end,
      reset() {
        // A session that goes over several requests has no connection of its own.
        if (speaker.socket) speaker.socket.resetAndDestroy();
        else speaker.goAway();
      },
      unsentBytes: () => (speaker.socket ? unsentBytesOf(speaker.socket) : 0),
      owned,
    });
    stops.add(end);
  };

  return {
    onMessage(message) {
      traffic.messageReceived();
      try {
        if (typeof message !== 'string') throw new RefusalError('bad-message', EXPECTED_TEXT);
        begin(message);
      } catch (error) {
        if (!(error instanceof RefusalError)) throw error;
        metrics.refused(error.code);
        say({ error: { code: error.code, message: error.message } });
      }
    },
    onEnd() {
      for (const end of [...stops]) end();
    },
  };
}

const EXPECTED_TEXT = 'message: expected text with a JSON object, got binary data or a value that is not a string';
