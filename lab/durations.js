/**
 * `sudo node lab/durations.js [--rtt 20,100,230] [--only NAME…]`: presses Measure for each test over emulated links, and compares the
 * time that its button says with what it takes. Prints a table in Markdown. The machine has to be idle.
 */
import { choiceOption, createCommand, parseArguments } from '../cli/program/command.js';
import { EXIT, runProgram } from '../cli/program/program.js';
import { parseField, parseFields } from '../core/experiment/plan/fields.js';
import { linkPath } from '../core/experiment/plan/plan-link.js';
import { SITUATION_FIELDS } from '../core/experiment/plan/situation.js';
import { toMarkdown, words } from '../core/experiment/report/table.js';
import { EXPERIMENTS } from '../core/experiments/all.js';
import { DISTANCES } from '../core/full-test/distances.js';
import { membersOf } from '../core/full-test/plan.js';
import { withFarSite } from './far-site.js';

/**
 * @import { Browser } from 'playwright-core'
 * @import { Column } from '../core/experiment/report/table.js'
 * @import { Member } from '../core/full-test/plan.js'
 * @typedef {{ name: string, pathAt: (rttMs: number) => string, secondsAt?: (rttMs: number) => number }} Test `pathAt`: its link for a
 *   path; `secondsAt`: what a full test says of it, as its own page may know no more than its limit
 * @typedef {{ rttMs: number, name: string, button: string, saidSeconds: number, seconds: number }} Row
 */

const RUN_LIMIT_MS = 600_000;
const SETTLE_MS = 6000;
const SEED = 1;
const RTT = { ...DISTANCES, parameter: '--rtt' };

/** @type {readonly Test[]} */
const TESTS = [
  ...['asks', 'sends', 'asks-and-sends'].map((does) => ({ name: `home-${does}`, pathAt: () => `/?page=${does}` })),
  ...membersOf(EXPERIMENTS)
    .filter(({ path }) => path !== '/')
    .map(testOf),
];

/** @param {Member} experiment @returns {Test} its quick plan */
function testOf(experiment) {
  const situation = parseFields(new URLSearchParams(), SITUATION_FIELDS);
  const planAt = (/** @type {number} */ rttMs) =>
    experiment.fullTest.quickPlan(situation, { roundTripMs: rttMs, seed: SEED });
  return {
    name: experiment.name,
    pathAt: (rttMs) => linkPath(experiment, planAt(rttMs)),
    secondsAt: (rttMs) => experiment.fullTest.secondsOf(planAt(rttMs), rttMs),
  };
}

const NAMES = TESTS.map(({ name }) => name);

/** @type {readonly Column<Row>[]} */
const COLUMNS = [
  words('RTT', ({ rttMs }) => `${rttMs} ms`),
  words('Test', ({ name }) => name),
  words('Button', ({ button }) => button),
  words('Took', ({ seconds }) => `${seconds.toFixed(1)} s`),
  words('Said / took', ({ saidSeconds, seconds }) => (saidSeconds / seconds).toFixed(2)),
];

/** @param {string} button such as 'Measure, about 47 s–2 min', where the first is that of a run that is soon clear */
function readSeconds(button) {
  const [, number, unit] = /(\d+)(?: (s|min))?/.exec(button) ?? [];
  return Number(number) * (unit === 'min' && !button.includes('–') ? 60 : 1);
}

/** @param {Browser} browser @param {string} url @returns {Promise<Omit<Row, 'rttMs' | 'name'>>} */
async function press(browser, url) {
  const page = await browser.newPage();
  try {
    page.setDefaultTimeout(RUN_LIMIT_MS);
    await page.goto(url);
    // Until the round trips are measured, it says less.
    await page.waitForTimeout(SETTLE_MS);
    const button = (await page.locator('#start').textContent()) ?? '';
    const startedAtMs = performance.now();
    await page.getByRole('button', { name: /^Measure/ }).click();
    await page.locator('#cancel').waitFor();
    await page.locator('#cancel').waitFor({ state: 'hidden' });
    await page.locator('#exports').waitFor();
    return { button, saidSeconds: readSeconds(button), seconds: (performance.now() - startedAtMs) / 1000 };
  } finally {
    await page.close();
  }
}

/** @param {string[]} args @returns {Promise<number>} the exit code */
async function main(args) {
  const command = createCommand(
    'sudo node lab/durations.js',
    'Compares the time on each button with what its run takes.',
  )
    .option('--rtt <ms>', 'round-trip times; default: 20,100,230')
    .addOption(choiceOption('--only <name...>', 'only these tests', NAMES));
  const { rtt = null, only = NAMES } = parseArguments(command, args);
  const tests = TESTS.filter(({ name }) => only.includes(name));
  /** @type {Row[]} */
  const rows = [];
  for (const rttMs of parseField(rtt, RTT) ?? []) {
    await withFarSite({ rttMs }, async ({ browser, origin }) => {
      for (const { name, pathAt, secondsAt } of tests) {
        const pressed = await press(browser, origin + pathAt(rttMs));
        rows.push({ rttMs, name, ...pressed, ...(secondsAt && { saidSeconds: secondsAt(rttMs) }) });
        process.stderr.write(`${JSON.stringify(rows.at(-1))}\n`);
      }
    });
  }
  process.stdout.write(`${toMarkdown({ columns: COLUMNS, rows }).join('\n')}\n`);
  return EXIT.done;
}

await runProgram(main);
