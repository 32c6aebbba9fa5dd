/**
 * Makes nginx's configuration: `npm run nginx -- --help`.
 */
import { writeFile } from 'node:fs/promises';
import { createLocalSite } from './local.js';
import { parseOptions, USAGE } from './options.js';
import { renderSite } from './site.js';

/**
 * @import { LocalSite } from './local.js'
 * @import { Command } from './options.js'
 */

const BAD_USAGE = 2;

/** @param {Command} command */
async function run(command) {
  switch (command.action) {
    case 'help':
      return USAGE;
    case 'local':
      return formatLocal(await createLocalSite(command.site, command.local));
    case 'print':
      if (command.out === undefined) return renderSite(command.site);
      await writeFile(command.out, renderSite(command.site));
      return `Written to ${command.out}\n`;
  }
}

/** @param {LocalSite} local */
function formatLocal({ origin, startCommand, stopCommand }) {
  return `The site must run with TRUST_PROXY=1. To start nginx:
  ${startCommand}
Then open ${origin} (the browser will warn: nobody vouches for this certificate). To stop it:
  ${stopCommand}
`;
}

try {
  process.stdout.write(await run(parseOptions(process.argv.slice(2))));
} catch (error) {
  process.stderr.write(`${/** @type {Error} */ (error).message}\n`);
  process.exitCode = error instanceof RangeError ? BAD_USAGE : 1;
}
