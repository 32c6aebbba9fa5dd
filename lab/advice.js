/**
 * `sudo node lab/advice.js [--times N] [--only NAME…]`: presses Measure on the home page in Chromium, over and over, over emulated links,
 * and counts what it advises. Prints a table in Markdown. One situation over one link should get one answer.
 */
import { choiceOption, createCommand, integerOption, parseArguments } from '../cli/program/command.js';
import { EXIT, runProgram } from '../cli/program/program.js';
import { toMarkdown, words } from '../core/experiment/report/table.js';
import { withFarSite } from './far-site.js';

/**
 * @import { Browser } from 'playwright-core'
 * @import { Conditions } from '../core/experiment/run/emulated-link.js'
 * @import { Column } from '../core/experiment/report/table.js'
 * @typedef {{ key: string, query: string, conditions: Conditions }} Cell
 * @typedef {{ headline: string, warnings: string, seconds: number }} Run
 * @typedef {Cell & { alike: readonly Run[], count: number }} Row the runs of a cell that advise the same
 */

const RUN_LIMIT_MS = 240_000;
/** What its button says of a run without warnings. */
const NO_WARNINGS = /^No warnings/;

/** Two runs advise the same if their answers differ in figures only. @param {Run} run */
const adviceOf = ({ headline }) => headline.replace(/\d+(?:[.,]\d+)*/g, '#');

/** @type {readonly Cell[]} `query`: the situation, as a link of the home page has it */
const CELLS = [
  { key: 'both-20', query: 'page=asks-and-sends', conditions: { rttMs: 20 } },
  { key: 'both-100', query: 'page=asks-and-sends', conditions: { rttMs: 100 } },
  { key: 'both-230', query: 'page=asks-and-sends', conditions: { rttMs: 230 } },
  { key: 'polls-100', query: 'page=asks', conditions: { rttMs: 100 } },
  { key: 'sends-20', query: 'page=sends', conditions: { rttMs: 20 } },
  { key: 'sends-100', query: 'page=sends', conditions: { rttMs: 100 } },
  { key: 'lossy-100', query: 'page=asks-and-sends', conditions: { rttMs: 100, jitterMs: 5, lossPercent: 1 } },
];

const NAMES = CELLS.map(({ key }) => key);

/** @type {readonly Column<Row>[]} */
const COLUMNS = [
  words('Link and page', ({ key }) => key),
  words('Runs', ({ alike, count }) => `${alike.length} of ${count}`),
  words('Advice, such as', ({ alike: [{ headline }] }) => headline),
  words('Seconds', ({ alike }) => {
    const seconds = alike.map((run) => Math.round(run.seconds));
    return `${Math.min(...seconds)}–${Math.max(...seconds)}`;
  }),
  words('With a warning', ({ alike }) => String(alike.filter(({ warnings }) => !NO_WARNINGS.test(warnings)).length)),
];

/** @param {Browser} browser @param {string} url @returns {Promise<Run>} */
async function measureOnce(browser, url) {
  const page = await browser.newPage();
  try {
    page.setDefaultTimeout(RUN_LIMIT_MS);
    await page.goto(url);
    await page.locator('#start:text-matches("about")').waitFor();
    const startedAtMs = performance.now();
    await page.getByRole('button', { name: /^Measure/ }).click();
    await page.locator('#verdict-headline:not(:empty)').waitFor();
    const seconds = (performance.now() - startedAtMs) / 1000;
    const text = async (/** @type {string} */ selector) => (await page.locator(selector).first().textContent()) ?? '';
    return {
      headline: (await text('#verdict-headline')).trim(),
      warnings: (await text('#trust-count')).trim(),
      seconds,
    };
  } finally {
    await page.close();
  }
}

/** @param {Cell} cell @param {number} times @returns {Promise<Row[]>} a row for each answer, the commonest first */
async function measureCell(cell, times) {
  return withFarSite(cell.conditions, async ({ browser, origin }) => {
    /** @type {Run[]} */
    const runs = [];
    for (let run = 0; run < times; run++) {
      runs.push(await measureOnce(browser, `${origin}/?${cell.query}`));
      process.stderr.write(`${cell.key} ${JSON.stringify(runs.at(-1))}\n`);
    }
    return [...new Set(runs.map(adviceOf))]
      .map((advice) => ({ ...cell, count: runs.length, alike: runs.filter((run) => adviceOf(run) === advice) }))
      .sort((one, other) => other.alike.length - one.alike.length);
  });
}

/** @param {string[]} args @returns {Promise<number>} the exit code */
async function main(args) {
  const command = createCommand('sudo node lab/advice.js', 'Counts the advice of the home page over emulated links.')
    .addOption(integerOption('times', 'runs of each cell', { max: 1000, default: 5 }))
    .addOption(choiceOption('--only <name...>', 'only these cells', NAMES));
  const { times, only = NAMES } = parseArguments(command, args);
  const cells = CELLS.filter(({ key }) => only.includes(key));
  /** @type {Row[]} */
  const rows = [];
  for (const cell of cells) rows.push(...(await measureCell(cell, times)));
  process.stdout.write(`${toMarkdown({ columns: COLUMNS, rows }).join('\n')}\n`);
  return EXIT.done;
}

await runProgram(main);
