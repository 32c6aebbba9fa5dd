/**
 * A new experiment is a folder, a line in the list and a script for each page: its page, run, saved document, CSV, comparison and command follow.
 */
import assert from 'node:assert/strict';
import { cp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { formatPlan } from '../../core/experiment/plan/plan-link.js';
import { runCommand } from '../support/program.js';
import { expectReport, readReport } from '../support/shown-report.js';
import { useSiteCopy } from '../support/site-copy.js';
import { postSubmission } from '../support/submissions.js';
import { openTab } from '../support/tab.js';
import { downloadRun } from '../support/download.js';

/**
 * @import { Planned } from '../../core/experiment/contract.js'
 */

const LIST = 'core/experiments/index.js';
const LINE = "  toy: async () => (await import('./toy/index.js')).default,\n";
/** What opens its pages, by the names of their scripts. */
const OPENERS = {
  run: ['openSingleTest', 'single-test.js'],
  result: ['openResultPage', 'result-page.js'],
  compare: ['openComparePage', 'compare-page.js'],
};
const PLAN = 'transports=fetch,ws,sockjs&messages=5&seed=1';

describe('an experiment that is added to a copy of the site', () => {
  /** @type {Planned} */
  let toy;
  const site = useSiteCopy(async (folder) => {
    await cp('test/fixtures/toy-experiment', path.join(folder, 'core/experiments/toy'), { recursive: true });
    const list = await readFile(LIST, 'utf8');
    await writeFile(path.join(folder, LIST), list.replace(/^\}\);$/m, `${LINE}});`));
    for (const [kind, [opener, file]] of Object.entries(OPENERS)) {
      const imports = `import { ${opener} } from '../${file}';\nimport toy from '../../../core/experiments/toy/index.js';\n`;
      await writeFile(path.join(folder, `public/js/pages/${kind}-toy.js`), `${imports}await ${opener}(toy);\n`);
    }
    ({ default: toy } = await import(pathToFileURL(path.join(folder, 'core/experiments/toy/index.js')).href));
  });

  it('has a page in the list of tests, a run, a result, exports and a saved run of its own', async () => {
    const { page, press, complaints, close } = await openTab(site.browser, `${site.origin}/tests`);
    try {
      await page.getByRole('link', { name: 'Toy', exact: true }).click();
      await page.getByRole('heading', { name: 'Toy', level: 1 }).waitFor();
      await page.goto(`${site.origin}/toy?${PLAN}`);
      await press('Measure');
      await page.locator('#result-headline:focus').waitFor();
      const shown = await readReport(page);
      const document = JSON.parse(await downloadRun(page));
      assert.deepEqual(shown, expectReport(toy, document));
      assert.equal(formatPlan(toy, document.plan), PLAN);

      await press('Share');
      await press('Share and copy link');
      const permalink = page.locator('#save-permalink');
      await permalink.and(page.locator(':focus')).waitFor();
      await permalink.click();
      await page.locator('#run-again').waitFor();
      assert.deepEqual(await readReport(page), shown);
      const csv = await (await fetch(`${site.origin}/api${new URL(page.url()).pathname}.csv`)).text();
      assert.equal(csv, toy.formatCsv(document));
      assert.deepEqual(complaints, []);
    } finally {
      await close();
    }
  });

  it('is compared: its rows beneath each other, in one chart', async () => {
    const { results } = await (await fetch(`${site.origin}/api/results?experiment=toy`)).json();
    const [{ id }] = results;
    const { document } = await (await fetch(`${site.origin}/api/results/${id}`)).json();
    const { answer } = await postSubmission(site.origin, { document, place: { name: 'Elsewhere' } });
    const { page, complaints, close } = await openTab(site.browser, `${site.origin}/compare?ids=${id},${answer.id}`);
    try {
      await page.locator('#compared').waitFor();
      const heads = await page.locator('#compared-tables tbody th').allInnerTexts();
      assert.deepEqual(heads, ['fetch', 'fetch', 'WebSocket', 'WebSocket', 'SockJS', 'SockJS']);
      // One, drawn once its library has come.
      await page.locator('#compared [role=img]').waitFor();
      assert.deepEqual(complaints, []);
    } finally {
      await close();
    }
  });

  it('has a command', async () => {
    const command = [process.execPath, path.join(site.folder, 'cli/sockshootout.js'), 'run', 'toy'];
    const plan = ['--transports', 'fetch,ws', '--messages', '5', '--url', site.origin];
    const { code, out, err } = await runCommand([...command, ...plan, '--json']);
    assert.equal(code, 0, err);
    const document = JSON.parse(out);
    assert.deepEqual([document.schema, document.trials.length], [toy.schema, 2]);
    assert.equal((await runCommand([...command, ...plan, '--fail-if', 'failures>=0'])).code, 1);
  });

  it('is summarized once in a run of its command, whatever it prints', async () => {
    const count = 'data:text/javascript,globalThis.onSummarize=()=>console.error("summarized")';
    const command = [process.execPath, '--import', count, path.join(site.folder, 'cli/sockshootout.js'), 'run', 'toy'];
    for (const format of [[], ['--json'], ['--csv'], ['--markdown']]) {
      const plan = ['--transports', 'fetch,ws', '--messages', '5', '--url', site.origin];
      const { code, err } = await runCommand([...command, ...plan, ...format]);
      assert.equal(code, 0, err);
      assert.equal(err.match(/^summarized$/gm)?.length, 1, `${format} ${err}`);
    }
  });
});
