/** News, numbered, so that a page gets what it missed. */
import { EventEmitter } from 'node:events';

const MAX_KEPT = 1000;

export class News extends EventEmitter {
  // After a restart, higher than all numbers before it.
  #lastId = Date.now();
  /** @type {{ id: number, text: string }[]} */
  #kept = [];

  constructor() {
    super();
    // Each open page is a listener.
    this.setMaxListeners(0);
  }

  /** @param {string} text */
  add(text) {
    const piece = { id: ++this.#lastId, text };
    this.#kept = [...this.#kept, piece].slice(-MAX_KEPT);
    this.emit('news', piece);
  }

  /** @param {number} id of the last piece that a page has */
  since(id) {
    return this.#kept.filter((piece) => piece.id > id);
  }
}
