/**
 * `npm run bundle`: builds the assets of this version. The first start does so, too, but in a deployment several
 * workers would do it at once.
 */
import { loadAssets } from '../server/assets.js';

const { prefix } = await loadAssets();
process.stdout.write(`Bundled as ${prefix}\n`);
