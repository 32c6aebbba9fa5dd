/**
 * Every page: where it is, and how it is used in a second or two, so that there is more to see than what it begins with.
 *
 * @typedef {Awaited<ReturnType<typeof import('./tab.js').openTab>>} Tab
 *
 * @typedef {object} Saved what was saved before, by {@link saveForPages}
 * @property {string} url of the first run's page
 * @property {string[]} ids
 * @property {string} label
 *
 * @typedef {object} PageUse
 * @property {(saved: Saved) => string} path
 * @property {string} [view] that it is made of, where it has not the page's name
 * @property {(tab: Tab) => Promise<unknown>} [ready] resolves when it shows what it first has to get
 * @property {(tab: Tab) => Promise<unknown>} [use] resolves when it is over; absent for pages that only show something
 */
import { createShootout, postSubmission } from './submissions.js';

/** @import { Page } from 'playwright-core' */

/** @type {Record<string, PageUse>} by a name that is mostly the view's */
export const PAGES = {
  home: {
    path: () => '/',
    async use({ page }) {
      await start(page, 'transports=ajax,sockjs&blocks=6&iterations=3&seed=1', '#verdict');
      for (const summary of await page.locator('#after summary').all()) await summary.click();
    },
  },
  inflight: {
    view: 'experiment',
    path: () => '/inflight',
    use: (tab) => useExperiment(tab, 'transports=ajax,sockjs&depths=1,4&blocks=2&seed=1'),
  },
  fixedrate: {
    view: 'experiment',
    path: () => '/fixedrate',
    use: (tab) => useExperiment(tab, 'transports=ajax,sockjs&rate=200&messages=20&blocks=3&seed=1'),
  },
  polltest: {
    view: 'experiment',
    path: () => '/polltest',
    use: ({ page }) => start(page, 'ways=poll,push&users=2&jobs=2&most=100&intervals=25&limit=5000&seed=1', '#result'),
  },
  payloadtest: {
    view: 'experiment',
    path: () => '/payloadtest',
    use: ({ page }) => start(page, 'sizes=1,1000&repeats=6&seed=1', '#result'),
  },
  ajaxtest: { path: () => '/ajaxtest', use: useClassicPage },
  socktest: { path: () => '/socktest', use: useClassicPage },
  // A test that finishes, one that does not, and a field that is wrong.
  countdown: {
    path: () => '/countdown',
    async use({ page, press }) {
      await page.route('**/xhr?*', (route) => route.abort());
      await press('Start');
      await page.locator('#tests tbody tr').nth(1).waitFor();
      await page.locator('#start-controls:enabled').waitFor();
      await page.getByLabel('Iterations', { exact: true }).fill('x');
      await press('Start');
    },
  },
  tests: { path: () => '/tests' },
  'how-it-works': { path: () => '/how-it-works' },
  privacy: { path: () => '/privacy' },
  results: { path: () => '/results' },
  result: { path: ({ url }) => `${url}#delete=token`, ready: ({ page }) => page.locator('#verdict').waitFor() },
  compare: {
    path: ({ ids }) => `/compare?ids=${ids}`,
    ready: ({ page }) => page.locator('#compared').waitFor(),
  },
  'refused comparison': { view: 'error', path: () => `/compare?ids=${'x'.repeat(16)}` },
  'campaign-form': { path: () => '/c' },
  campaign: { path: ({ label }) => `/c/${label}` },
  error: { path: () => '/nothing' },
};

/**
 * @param {string} origin
 * @returns {Promise<Saved>}
 */
export async function saveForPages(origin) {
  // What a visitor may type has no place to break a line at.
  const words = { label: 'W'.repeat(80), note: 'W'.repeat(200), place: { name: 'W'.repeat(100) } };
  const answers = [];
  for (const startedAt of ['2026-11-21T07:00:00.000Z', '2026-11-21T08:00:00.000Z']) {
    answers.push((await postSubmission(origin, { document: createShootout({ startedAt }), ...words })).answer);
  }
  return { url: answers[0].url, ids: answers.map(({ id }) => id), label: words.label };
}

/**
 * @param {Page} page
 * @param {string} plan of its link
 * @param {string} result what is shown when the run is over
 */
async function start(page, plan, result) {
  await page.goto(`${page.url()}?${plan}&autostart=1`);
  await page.locator(result).waitFor();
}

/** @param {Tab} tab @param {string} plan */
async function useExperiment({ page }, plan) {
  await start(page, plan, '#result');
  for (const place of ['#run-form', '#result']) await page.locator(`${place} details > summary`).click();
}

/** @param {Tab} tab */
async function useClassicPage({ page, press, idleAfter }) {
  await page.getByLabel('Iterations', { exact: true }).fill('x');
  await press('Start!');
  await press('10');
  await idleAfter(1);
}
