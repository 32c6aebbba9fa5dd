/**
 * `npm run bundle`: builds the assets of this version, compressed as well as possible, and keeps them for all later starts.
 * The first start builds them, too, but compresses less; and in a deployment several workers would do it at once.
 */
import { readAssets } from '../server/assets.js';
import { BEST } from '../server/encodings.js';

const { prefix } = await readAssets(BEST);
process.stdout.write(`Bundled as ${prefix}\n`);
