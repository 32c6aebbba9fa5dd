import { Router } from 'express';

/** @import { Parts } from '../parts.js' */

/** What is kept of each file, best first. */
const ENCODINGS = /** @type {const} */ (['br', 'gzip', 'identity']);

/** The static files, from memory, compressed beforehand. @param {Pick<Parts, 'assets'>} parts */
export function assetRoutes({ assets }) {
  const router = Router();
  router.get(`${assets.prefix}*name`, (req, res, next) => {
    const segments = /** @type {unknown} */ (req.params.name);
    const name = /** @type {string[]} */ (segments).join('/');
    const file = assets.find(name);
    if (!file) {
      next();
      return;
    }
    const offered = ENCODINGS.filter((encoding) => file[encoding]);
    const encoding = /** @type {typeof ENCODINGS[number] | false} */ (req.acceptsEncodings(...offered)) || 'identity';
    const content = /** @type {Uint8Array} */ (file[encoding]);
    res.set('Cache-Control', 'public, max-age=31536000, immutable').vary('Accept-Encoding');
    if (encoding !== 'identity') res.set('Content-Encoding', encoding);
    res.type(name.slice(name.lastIndexOf('.'))).send(Buffer.from(content.buffer, content.byteOffset, content.length));
  });
  return router;
}
