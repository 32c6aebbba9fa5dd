/**
 * `npm run bench:itself`: real runs of a transport against itself, on loopback, in a real browser. There is no winner to
 * be found; how often is one?
 *
 * Reported, not a test: by chance alone some 5 % of the intervals leave out what is true.
 */
import { launchBrowser } from '../test/support/browser.js';
import { JQUERY, loadSource, SOCKJS } from '../test/support/source-in-page.js';
import { readOptions } from './options.js';
import { createProgressLine } from './progress-line.js';
import { startServer } from './server-process.js';

/**
 * @import { Page } from 'playwright-core'
 * @import { Plan } from '../core/experiments/shootout/plan.js'
 */

const DEFAULT_RUNS = 100;
const PLAN = { transports: ['ajax', 'sockjs'], blocks: 6, iterations: 20, warmUpCount: 3, payloadBytes: 0 };

/** What a run in the page imports. */
const MODULES = [
  'core/net/echo/index.js',
  'core/experiment/run.js',
  'core/experiments/shootout/measure.js',
  'core/experiment/compare.js',
  JQUERY,
  SOCKJS,
];

const HELP = `usage: npm run bench:itself -- [--runs N] [--json]

Makes runs of AJAX against AJAX and as many of SockJS against SockJS, ${PLAN.blocks} blocks of ${PLAN.iterations} each, and prints how often a
run found a difference.

  --runs N  of each, 1 to 10000; ${DEFAULT_RUNS} by default
  --json    prints the counts as JSON
`;

/**
 * Runs in the page.
 *
 * @param {{ source: string, name: string, plan: Plan }} options
 * @returns {Promise<{ word?: string, isDifferent: boolean }>}
 */
async function runAgainstItself({ source, name, plan }) {
  const { transports } = await import(`${source}core/net/echo/index.js`);
  const { runExperiment } = await import(`${source}core/experiment/run.js`);
  const { measurement } = await import(`${source}core/experiments/shootout/measure.js`);
  const { compareTransports } = await import(`${source}core/experiment/compare.js`);
  const { default: $ } = await import(`${source}node_modules/jquery/dist-module/jquery.module.min.js`);
  await import(`${source}node_modules/sockjs-client/dist/sockjs.min.js`);
  const { create, endpoint } = transports[name];
  const library = { ajax: $, sockjs: window.SockJS }[name];
  const url = new URL(endpoint, location.href).href;
  const [baseline, transport] = plan.transports;
  const pair = plan.transports.map((alias) => [alias, { ...create({ library, url }), name: alias }]);
  const { trials, ending } = await runExperiment(measurement, {
    plan,
    transports: Object.fromEntries(pair),
    now: () => performance.now(),
    // As the page does between trials.
    onTrialEnd: () => new Promise((resolve) => setTimeout(resolve)),
  });
  if (ending) throw new Error(ending.reason);
  const { word, savingMs } = compareTransports({ trials, baseline, transport });
  return { word, isDifferent: savingMs.low > 0 || savingMs.high < 0 };
}

/**
 * @param {Page} page
 * @param {string} name
 * @param {number} runCount
 * @param {() => void} onRun
 */
async function measureAll(page, name, runCount, onRun) {
  const source = await loadSource(page, MODULES);
  /** @type {Record<string, number>} */
  const words = { same: 0, unclear: 0, faster: 0, slower: 0 };
  let differentCount = 0;
  for (let seed = 0; seed < runCount; seed++) {
    const { word, isDifferent } = await page.evaluate(runAgainstItself, { source, name, plan: { ...PLAN, seed } });
    words[String(word)]++;
    if (isDifferent) differentCount++;
    onRun();
  }
  return { transport: name, runs: runCount, blocks: PLAN.blocks, iterations: PLAN.iterations, words, differentCount };
}

/** @param {Awaited<ReturnType<typeof measureAll>>} report */
function format({ transport, runs, words, differentCount }) {
  const counts = Object.entries(words).map(([word, count]) => `${count} ${word}`);
  return `${transport} against itself, ${runs} runs: ${counts.join(', ')}; the 95 % interval of the difference leaves out 0 in ${differentCount}\n`;
}

const options = readOptions({ runs: { most: 10_000, usual: DEFAULT_RUNS } });
if (options.help) {
  process.stdout.write(HELP);
} else {
  const server = await startServer('ours');
  try {
    const browser = await launchBrowser();
    try {
      const page = await browser.newPage();
      await page.goto(`http://127.0.0.1:${server.port}/`);
      const progressLine = createProgressLine(process.stderr, 2 * options.runs);
      const reports = [];
      for (const name of ['ajax', 'sockjs']) {
        reports.push(await measureAll(page, name, options.runs, () => progressLine.step('runs')));
      }
      progressLine.end();
      process.stdout.write(options.json ? `${JSON.stringify(reports, null, 1)}\n` : reports.map(format).join(''));
    } finally {
      await browser.close();
    }
  } finally {
    await server.close();
  }
}
