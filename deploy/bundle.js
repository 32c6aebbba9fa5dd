/**
 * `npm run bundle`: builds the assets of this version, compressed thoroughly, and keeps them for all later starts.
 * The first start builds them, too, but compresses less; and in a deployment several workers would do it at once.
 */
import { readAssets } from '../server/assets.js';
import { THOROUGH } from '../server/encodings.js';

const { prefix } = await readAssets(THOROUGH);
process.stdout.write(`Bundled as ${prefix}\n`);
