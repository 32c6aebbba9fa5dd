/**
 * Streams over any connection that lasts: a message asks for one, and its pieces come as messages; several at once have tags. Another
 * message stops one before its end.
 */
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
  /** Ends each stream that is under way, whose tag it has. @type {Map<() => void, string | undefined>} */
  const ends = new Map();
  const say = (/** @type {object} */ value) => speaker.say(speaker.takesValues ? value : JSON.stringify(value));
  const owned = { destroy: () => speaker.close(FAULT.code, FAULT.reason) };

  const meter = createMeters(traffic, speaker);

  /** @param {string} message */
  const begin = (message) => {
    // Making a stream takes longer than refusing it.
    if (ends.size >= MAX_STREAMS_AT_ONCE)
      throw new RefusalError('busy', `streams: expected at most ${MAX_STREAMS_AT_ONCE} at once. Try again later`);
    const subscription = streams.parseAsk(message);
    const leave = streamPace.take(visitor, paceOf(subscription.stream));
    const record = meter(subscription.trialId);
    metrics.streamMade(transport);
    const end = () => {
      stop();
      leave();
      ends.delete(end);
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
      isBehind: () => isBehind(speaker, parts.limits),
      owned,
    });
    ends.set(end, subscription.tag);
  };

  /** @param {string} tag */
  const stopTagged = (tag) => {
    const tagged = [...ends].filter(([, own]) => own === tag);
    for (const [end] of tagged) end();
    say({ tag, stopped: tagged.length > 0 });
  };

  /** @param {string} message */
  const hear = (message) => {
    const stopped = streams.parseStop(message);
    if (stopped === undefined) begin(message);
    else stopTagged(stopped);
  };

  return {
    onMessage(message) {
      traffic.messageReceived();
      try {
        if (typeof message !== 'string') throw new RefusalError('bad-message', EXPECTED_TEXT);
        hear(message);
      } catch (error) {
        if (!(error instanceof RefusalError)) throw error;
        metrics.refused(error.code);
        const tag = typeof message === 'string' ? streams.findTag(message) : undefined;
        say({ ...(tag !== undefined && { tag }), error: { code: error.code, message: error.message } });
      }
    },
    onEnd() {
      for (const end of [...ends.keys()]) end();
    },
  };
}

/** Does a client leave so much unread that no more is made? @param {Speaker} speaker @param {{ unsentBytes: number }} limits */
function isBehind({ socket, keptBytes }, { unsentBytes }) {
  if (socket) return unsentBytesOf(socket) > unsentBytes;
  // Beyond all of it, the session would end.
  return keptBytes !== undefined && keptBytes() > unsentBytes / 2;
}

/**
 * Records what the streams of a trial carry together over one connection, once.
 * @param {EndpointParts['traffic']} traffic @param {Speaker} speaker
 * @returns {(trialId?: string) => () => void} begins with a stream; the other is to be called when it has ended
 */
function createMeters(traffic, speaker) {
  /** By trial, those that are under way. @type {Map<string, { count: number, record: () => void }>} */
  const meters = new Map();
  return (trialId) => {
    if (trialId === undefined) return () => {};
    const own = meters.get(trialId) ?? {
      count: 0,
      record: traffic.meterFrom(speaker.socket, speaker.visitor, trialId),
    };
    meters.set(trialId, own);
    own.count++;
    return () => {
      if (--own.count > 0) return;
      meters.delete(trialId);
      own.record();
    };
  };
}

const EXPECTED_TEXT = 'message: expected text with a JSON object, got binary data or a value that is not a string';
