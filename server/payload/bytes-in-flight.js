/**
 * How many bytes of payload the server has on its hands, over all transports: received and not yet answered, or answered
 * and not yet sent. Each exchange holds its share; beyond the limit nobody gets more.
 *
 * @typedef {object} Holder one exchange's, or one connection's, share
 * @property {(bytes: number) => boolean} hold from now on this many, instead of those before; less is always granted, and
 *   where more is not, the share stays as it was
 * @property {() => void} release holds nothing any more; may be called again
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
