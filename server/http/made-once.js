/**
 * Responses that are the same for everyone: made and compressed once, then served from memory with an ETag. Those that show shared
 * runs are made again once any run has changed.
 */
import { promisify } from 'node:util';
import { LRUCache } from 'lru-cache';
import { compress, FAST, THOROUGH } from '../encodings.js';

/**
 * @import { Request, Response } from 'express'
 * @import { Encodings } from '../encodings.js'
 * @typedef {(view: string, data: object) => Promise<string>} Render gives a page's HTML
 * @typedef {{ render(view: string, options: object, callback: (error: Error, html: string) => void): void }} Renderer an
 *   Express app
 * @typedef {(req: Request, res: Response, page: { view: string, data: object }) => Promise<Uint8Array>} PageSender returns
 *   what it
 *   sent of the page
 * @typedef {{ key: string, type: string, make: () => Promise<string | Uint8Array> }} Made `key`: all that it depends on beside the
 *   store; `type`: of a file with such a name, or a media type
 * @typedef {object} MadeOnce
 * @property {(key: string, make: () => Promise<string>) => Promise<string>} read
 * @property {(req: Request, res: Response, answer: Made) => Promise<void>} send
 */

const MIB = 1024 * 1024;
/** Of all that is kept of the store. What was used last stays. */
const MAX_KEPT_BYTES = 64 * MIB;

/** The smallest first: browsers accept all of them equally, but name gzip first. */
const ENCODINGS = /** @type {const} */ (['br', 'gzip', 'identity']);

/**
 * Sends a file as its client accepts it, or 304 where the client has it. The caller sets its type.
 * @param {Request} req @param {Response} res @param {Encodings} file @returns {Uint8Array} what was sent of it
 */
export function sendFile(req, res, file) {
  const encoding = ENCODINGS.find((one) => file[one] && req.acceptsEncodings(one)) ?? 'identity';
  const { buffer, byteOffset, length } = /** @type {Uint8Array} */ (file[encoding]);
  // What is expensive to make has one beforehand.
  if (!res.get('ETag')) res.set('ETag', `W/"${file.hash.slice(0, 24)}"`);
  res.vary('Accept-Encoding');
  if (encoding !== 'identity') res.set('Content-Encoding', encoding);
  const body = Buffer.from(buffer, byteOffset, length);
  res.send(body);
  return body;
}

/** Creates what renders a view to a text. @param {Renderer} site @returns {Render} */
export const createRender = (site) => promisify(site.render.bind(site));

/**
 * Keeps what is made of the store for as long as no run changes there. All who ask until then get the same, whether it is
 * still being made or done; one that fails is made again.
 * @param {{ readState(): Promise<string> }} store @param {{ maxBytes?: number }} [options]
 * @returns {MadeOnce}
 */
export function createMadeOnce({ readState }, { maxBytes = MAX_KEPT_BYTES } = {}) {
  /** @type {LRUCache<string, { state: string, made: Promise<any> }>} */
  const kept = new LRUCache({ maxSize: maxBytes });

  /**
   * @template T @param {string} key @param {() => Promise<T>} make @param {(made: T) => number} sizeOf in bytes @returns {Promise<T>}
   */
  async function find(key, make, sizeOf) {
    // Before anything is read: what changes while it is made is not kept.
    const state = await readState();
    const found = kept.get(key);
    if (found?.state === state) return found.made;
    const entry = { state, made: make() };
    kept.set(key, entry, { size: 1 });
    // The size of a value is set once, so the entry is put in anew, unless there is another by now.
    const remove = () => kept.peek(key) === entry && kept.delete(key);
    entry.made.then((made) => remove() && kept.set(key, entry, { size: key.length + sizeOf(made) }), remove);
    return entry.made;
  }

  return {
    read: (key, make) => find(key, make, ({ length }) => 2 * length),
    async send(req, res, { key, type, make }) {
      const compressed = async () => compress(`${key}.${type}`, Buffer.from(await make()), FAST);
      const sizeOf = (/** @type {Encodings} */ { identity, gzip, br }) =>
        [identity, gzip, br].reduce((sum, one) => sum + (one?.length ?? 0), 0);
      sendFile(req, res.type(type), await find(`${type} ${key}`, compressed, sizeOf));
    },
  };
}

/** Renders each page once, because its data is always the same object. @param {Renderer} site @returns {PageSender} */
export function createPageSender(site) {
  const render = createRender(site);
  /** @type {Map<object, Promise<Encodings>>} by the data of the page: there are as many as the site has pages */
  const made = new Map();
  const make = async (/** @type {string} */ view, /** @type {object} */ data) =>
    compress(view, Buffer.from(await render(view, data)), THOROUGH);
  return async (req, res, { view, data }) => {
    let page = made.get(data);
    if (!page) {
      page = make(view, data);
      made.set(data, page);
      // One that fails is made again for the next visitor.
      page.catch(() => made.delete(data));
    }
    return sendFile(req, res.type('html'), await page);
  };
}
