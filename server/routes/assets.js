import { Router } from 'express';

/**
 * The static files, from memory.
 *
 * @param {{ assets: import('../assets.js').Assets }} options
 */
export function assetRoutes({ assets }) {
  const router = Router();
  router.get(`${assets.prefix}*name`, (req, res, next) => {
    const name = /** @type {unknown} */ (req.params.name);
    const file = /** @type {string[]} */ (name).join('/');
    const content = assets.content(file);
    if (!content) {
      next();
      return;
    }
    res.set('Cache-Control', 'public, max-age=31536000, immutable');
    res.type(file.slice(file.lastIndexOf('.'))).send(content);
  });
  return router;
}
