/**
 * IDs that hold all there is to know of what they name, and are signed: any worker can read one, and none keeps anything. An ID
 * has 24 bytes of content, and the first 12 of its HMAC-SHA256. In base64url these are 48 characters without a rest, so that no
 * two texts are the same bytes.
 */
import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';

const ID = /^[\w-]{48}$/;
export const CONTENT_BYTES = 24;
const SIGNATURE_BYTES = 12;

/**
 * @param {{ secret: Uint8Array, purpose?: string }} options `secret`: of all workers that read the IDs; `purpose`: an ID made
 *   for one is none for another
 */
export function createSignedIds({ secret, purpose = '' }) {
  const key = createSecretKey(secret);
  const sign = (/** @type {Buffer} */ content) =>
    createHmac('sha256', key).update(purpose).update(content).digest().subarray(0, SIGNATURE_BYTES);

  return {
    /** @param {Buffer} content of {@link CONTENT_BYTES} bytes @returns {string} */
    seal: (content) => Buffer.concat([content, sign(content)]).toString('base64url'),

    /** @param {string} id @returns {Buffer | undefined} its content; absent if no such ID was made with this secret */
    open(id) {
      if (!ID.test(id)) return undefined;
      const bytes = Buffer.from(id, 'base64url');
      const content = bytes.subarray(0, CONTENT_BYTES);
      return timingSafeEqual(sign(content), bytes.subarray(CONTENT_BYTES)) ? content : undefined;
    },
  };
}
