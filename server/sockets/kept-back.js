/** Watches what Socket.IO's library keeps of a session's answers, as its client does not read, or fetch, what there is. */
import { guard } from '../http/boundary.js';
import { MESSAGES_AT_ONCE } from './limits.js';

/**
 * @import { Owned } from '../http/boundary.js'
 * @import { SocketMeter } from './socket-meter.js'
 * @typedef {object} KeptBackOptions
 * @property {number} limitBytes of one session that polls
 * @property {() => SocketMeter | undefined} meterOf the session's WebSocket; absent while it polls
 * @property {() => void} close is called where a client that polls leaves too much, or for too long
 * @property {Owned} session
 */

/** The time within which a client that polls fetches what there is. */
const FETCH_LIMIT_MS = 20_000;

export class KeptBack {
  #options;
  #bytes = 0;
  /** Besides its text, each packet takes the library memory. */
  #packetCount = 0;
  /** @type {NodeJS.Timeout | undefined} while packets wait for the client's next poll */
  #deadline;

  /** @param {KeptBackOptions} options */
  constructor(options) {
    this.#options = options;
  }

  get bytes() {
    return this.#bytes;
  }

  /** Notes a packet that the library keeps. @param {number} bytes */
  add(bytes) {
    const isFirst = this.#packetCount === 0;
    this.#bytes += bytes;
    this.#packetCount++;
    const meter = this.#options.meterOf();
    // A WebSocket is read no further until its answers have left; a client that polls may go on.
    if (meter) {
      meter.keptBackBytes = this.#bytes;
      return;
    }
    const isTooMuch = this.#bytes > this.#options.limitBytes || this.#packetCount > MESSAGES_AT_ONCE;
    // Of one that fetches, each packet is the first.
    if (isTooMuch && !isFirst) this.#options.close();
    else this.#startDeadline();
  }

  /** Notes that the library has written all. */
  clear() {
    if (this.#packetCount === 0) return;
    this.#bytes = 0;
    this.#packetCount = 0;
    clearTimeout(this.#deadline);
    this.#deadline = undefined;
    const meter = this.#options.meterOf();
    if (meter) meter.keptBackBytes = 0;
  }

  #startDeadline() {
    if (this.#deadline) return;
    const end = guard(this.#options.session, () => this.#options.meterOf() ?? this.#options.close());
    this.#deadline = setTimeout(end, FETCH_LIMIT_MS).unref();
  }
}
