/**
 * Everything static, in memory: an update in place under a running server changes nothing, and a version's files never
 * mix with another's. All of it lies under one prefix that names its content, so it may be cached for ever.
 */
import { createHash } from 'node:crypto';
import { bundle } from './bundle.js';
import { cached } from './cache.js';
import { compress } from './compress.js';

/** @import { Encodings } from './compress.js' */

/**
 * @typedef {object} Assets
 * @property {string} prefix `/assets/<hash>/`
 * @property {(name: string) => Encodings | undefined} find a name below the prefix, like `js/ajaxtest.js`
 * @property {(name: string) => string} url
 */

/** @returns {Promise<Assets>} */
export async function loadAssets() {
  const files = await cached(make);
  const hash = createHash('sha256');
  for (const [name, { identity }] of files) hash.update(`${name}\0${identity.length}\0`).update(identity);
  const prefix = `/assets/${hash.digest('hex').slice(0, 16)}/`;

  return {
    prefix,
    find: (name) => files.get(name),
    url(name) {
      if (!files.has(name)) throw new Error(`Asset ${name}: expected a file, found none`);
      return `${prefix}${name}`;
    },
  };
}

/** @returns {Promise<Map<string, Encodings>>} */
async function make() {
  const files = [...(await bundle())].sort(([a], [b]) => (a < b ? -1 : 1));
  return new Map(
    await Promise.all(
      files.map(async ([name, content]) => /** @type {const} */ ([name, await compress(name, content)])),
    ),
  );
}
