/** The news of a site, numbered: a page that was away says which piece it had last, and gets what came since. */
import { EventEmitter } from 'node:events';

const MAX_KEPT = 1000;

export class News extends EventEmitter {
  // Above all numbers that pages have from before a restart of the server.
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
