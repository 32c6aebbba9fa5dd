/**
 * The bytes of payload that the server holds, over all transports: received and not yet answered, or answered and not yet
 * sent. Each exchange holds its share; the sum is limited.
 *
 * @typedef {object} Holder the share of one exchange, or of one connection
 * @property {(bytes: number) => boolean} hold sets the share; returns false, and changes nothing, if the sum would exceed
 *   the limit
 * @property {() => void} release sets it to 0; may be called again
 *
 * @typedef {ReturnType<typeof createBytesInFlight>} BytesInFlight
 */

/** @param {number} limitBytes of all shares together */
export function createBytesInFlight(limitBytes) {
  let totalBytes = 0;

  return {
    totalBytes: () => totalBytes,

    /** @returns {Holder} */
    openHolder() {
      let heldBytes = 0;
      return {
        hold(bytes) {
          const moreBytes = bytes - heldBytes;
          if (moreBytes > 0 && totalBytes + moreBytes > limitBytes) return false;
          totalBytes += moreBytes;
          heldBytes = bytes;
          return true;
        },
        release() {
          totalBytes -= heldBytes;
          heldBytes = 0;
        },
      };
    },
  };
}
