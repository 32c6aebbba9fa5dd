/** Makes nginx's configuration: `npm run nginx -- --help`. */
import { InvalidInputError } from '../../core/base/foreign-text.js';
import { EXIT, RunError, runProgram, writeOutput } from '../../cli/program/program.js';
import { parseOptions, USAGE } from './options.js';
import { createLocalSite, renderSite } from './site.js';

/** @param {string[]} args @returns {Promise<string>} the text to print */
async function run(args) {
  const site = parseOptions(args);
  if (!site) return USAGE;
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
  const text = await run(args).catch((error) => {
    throw error instanceof InvalidInputError ? error : new RunError(error.message);
  });
  await writeOutput(text);
  return EXIT.done;
});
