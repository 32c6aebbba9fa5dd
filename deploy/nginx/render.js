/** Makes nginx's configuration: `npm run nginx -- --help`. */
import { EXIT, RunError, runProgram, writeOutput } from '../../cli/program/program.js';
import { parseOptions } from './options.js';
import { createLocalSite, renderSite } from './site.js';

/** @import { SiteOptions } from './options.js' */

/** @param {SiteOptions} site @returns {Promise<string>} the text to print */
async function run(site) {
  if (site.folder !== undefined) {
    const { origin, startCommand, stopCommand } = await createLocalSite(site, site.folder);
    const settings = ['TRUST_PROXY=1', ...(site.basePath ? [`BASE_PATH=${site.basePath}`] : [])];
    return `The site must run with ${settings.join(' ')}. To start nginx:
  ${startCommand}
Then open ${origin}${site.basePath} (your browser will warn: the certificate is self-signed). To stop it:
  ${stopCommand}
`;
  }
  if (site.out === undefined) return renderSite(site);
  await writeOutput(renderSite(site), site.out);
  return `Written to ${site.out}\n`;
}

await runProgram(async (args) => {
  const text = await run(parseOptions(args)).catch(({ message }) => {
    throw new RunError(message);
  });
  await writeOutput(text);
  return EXIT.done;
});
