/**
 * The mark on what one worker hands on to another, which is not to count what the first, which has the visitor's
 * connection, has counted. Only who knows the workers' secret can make it: the own port is a proxy's, too, and that hands
 * on what visitors send.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { isAtOwnPort } from './workers.js';

/**
 * @import { IncomingMessage } from 'node:http'
 * @import { Workers } from './workers.js'
 */

const NAME = 'x-sockshootout-relayed';

/** @typedef {ReturnType<typeof createRelayMark>} RelayMark */

/** @param {{ secret: Uint8Array, workers?: Workers }} options the secret is the same for all workers of a machine */
export function createRelayMark({ secret, workers }) {
  const mark = createHmac('sha256', secret).update(NAME).digest('base64url');
  const bytes = Buffer.from(mark);
  return {
    /** For what is handed on. */
    headers: { [NAME]: mark },

    /** @param {IncomingMessage} req */
    isOn(req) {
      const given = req.headers[NAME];
      if (given === undefined || !workers || !isAtOwnPort(req, workers)) return false;
      const givenBytes = Buffer.from(String(given));
      return givenBytes.length === bytes.length && timingSafeEqual(givenBytes, bytes);
    },
  };
}
