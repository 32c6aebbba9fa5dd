/**
 * `npm run bundle`: makes what browsers get of this version. Its first start does so, too, but a deployment should not keep
 * several workers at it at once.
 */
import { loadAssets } from '../server/assets.js';

const { prefix } = await loadAssets();
process.stdout.write(`Bundled as ${prefix}\n`);
