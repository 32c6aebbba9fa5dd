/**
 * `node lab/make-example.js`, as root: the home page’s example and the README’s picture, a real run and its decision card.
 */
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createCommand, parseArguments } from '../cli/program/command.js';
import { cancelOnSignals, EXIT, RunError, runProgram } from '../cli/program/program.js';
import { abortable } from '../core/base/async.js';
import { withoutSummary } from '../core/experiment/documents/export.js';
import { withFarSite } from './far-site.js';
import { throwUnlessCancelled } from './machine.js';

/** @import { FarSite } from './far-site.js' */

const RTT_MS = 100;
const RUN_LIMIT_MS = 300_000;
const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** @param {FarSite} site @param {{ folder: string, preset: string }} options `folder`: the project's, or one like it */
async function makeExample({ browser, origin }, { folder, preset }) {
  for (const part of ['docs', 'views']) await mkdir(path.join(folder, part), { recursive: true });
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, deviceScaleFactor: 2 });
  page.setDefaultTimeout(RUN_LIMIT_MS);
  const echo = encodeURIComponent(`preset=${preset}`);
  await page.goto(`${origin}/?page=asks-and-sends&shootout=${echo}&autostart=1`);
  await page.locator('#verdict-headline:not(:empty)').waitFor();
  await page.locator('#verdict').screenshot({ path: path.join(folder, 'docs/decision-card.png') });
  await page.locator('#exports > summary').click();
  const [download] = await Promise.all([page.waitForEvent('download'), page.locator('#download-json').click()]);
  const file = path.join(folder, 'views/example-run.json');
  await copyFile(await download.path(), file);
  const document = withoutSummary(JSON.parse(await readFile(file, 'utf8')));
  // Its headline has the round-trip time.
  await writeFile(file, JSON.stringify({ places: 'simulated link', document }));
}

/** @param {string[]} args @returns {Promise<number>} the exit code */
async function main(args) {
  const command = createCommand('node lab/make-example.js', 'Makes the home page’s example and the README’s picture.')
    .option('--out <folder>', 'where to write them', ROOT)
    .option('--preset <name>', 'of the run', 'thorough');
  const { out, preset } = parseArguments(command, args);
  const signal = cancelOnSignals({ mustTidyUp: true });
  try {
    await withFarSite({ rttMs: RTT_MS }, (site) =>
      abortable(signal, (resolve, reject) => {
        makeExample(site, { folder: path.resolve(out), preset }).then(resolve, reject);
      }),
    );
    return EXIT.done;
  } catch (error) {
    throwUnlessCancelled(error, signal);
    throw new RunError('Stopped. The link and the site were removed.');
  }
}

await runProgram(main);
