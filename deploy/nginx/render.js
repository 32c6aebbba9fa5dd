/**
 * Makes nginx's configuration: `npm run nginx -- --help`.
 */
import { writeFile } from 'node:fs/promises';
import { UsageError, EXIT } from '../../cli/program/program.js';
import { createLocalSite } from './local.js';
import { parseOptions, USAGE } from './options.js';
import { renderSite } from './site.js';

/**
 * @param {string[]} words
 * @returns {Promise<string>} to be printed
 */
async function run(words) {
  const site = parseOptions(words);
  if (!site) return USAGE;
  if (site.folder !== undefined) return formatLocal(await createLocalSite(site, site.folder));
  if (site.out === undefined) return renderSite(site);
  await writeFile(site.out, renderSite(site));
  return `Written to ${site.out}\n`;
}

/** @param {Awaited<ReturnType<typeof createLocalSite>>} local */
function formatLocal({ origin, startCommand, stopCommand }) {
  return `The site must run with TRUST_PROXY=1. To start nginx:
  ${startCommand}
Then open ${origin} (the browser will warn: nobody vouches for this certificate). To stop it:
  ${stopCommand}
`;
}

try {
  process.stdout.write(await run(process.argv.slice(2)));
} catch (error) {
  process.stderr.write(`${/** @type {Error} */ (error).message}\n`);
  process.exitCode = error instanceof UsageError || error instanceof RangeError ? EXIT.wrong : EXIT.failed;
}
