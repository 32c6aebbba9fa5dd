/** Responses that are the same for everyone: rendered and compressed once, then served from memory with an ETag. */
import { promisify } from 'node:util';
import { compress, THOROUGH } from '../encodings.js';

/**
 * @import { Express, Request, Response } from 'express'
 * @import { Encodings } from '../encodings.js'
 */

/** The smallest first: browsers accept all of them equally, but name gzip first. */
const ENCODINGS = /** @type {const} */ (['br', 'gzip', 'identity']);

/**
 * Sends a file as its client accepts it, or 304 where the client has it. The caller sets its type.
 * @param {Request} req @param {Response} res @param {Encodings} file
 */
export function sendFile(req, res, file) {
  const encoding = ENCODINGS.find((one) => file[one] && req.acceptsEncodings(one)) ?? 'identity';
  const { buffer, byteOffset, length } = /** @type {Uint8Array} */ (file[encoding]);
  res.set('ETag', `W/"${file.hash.slice(0, 24)}"`).vary('Accept-Encoding');
  if (encoding !== 'identity') res.set('Content-Encoding', encoding);
  res.send(Buffer.from(buffer, byteOffset, length));
}

/**
 * @param {Pick<Express, 'render'>} site
 * @returns {(req: Request, res: Response, page: { view: string, data: object }) => Promise<void>} sends a page; each page is rendered
 *   once, because its data is always the same object
 */
export function createPageSender(site) {
  const render = /** @type {(view: string, data: object) => Promise<string>} */ (promisify(site.render.bind(site)));
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
    sendFile(req, res.type('html'), await page);
  };
}
