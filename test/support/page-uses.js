/**
 * Every page: where it is, and how it is used in a second or two, so that there is more to see than what it begins with.
 *
 * @typedef {object} Driven a page in some browser
 * @property {(url: string) => Promise<unknown>} open resolves when it has loaded
 * @property {(script: string) => Promise<any>} evaluate an expression, or a function's text that is called; in the page
 * @property {(selector: string) => Promise<unknown>} click the first that matches, as a pointer does
 * @property {(selector: string, text: string) => Promise<unknown>} fill the first that matches, instead of what it holds
 * @property {(selector: string) => Promise<unknown>} waitFor until one that matches is visible
 *
 * @typedef {object} Saved what was saved before, by {@link saveForPages}
 * @property {string} url the path of the first run’s page
 * @property {string[]} ids
 * @property {string[]} payloadIds of runs that have a heat map
 * @property {string} label
 * @property {string} cell of the label's study
 *
 * @typedef {object} PageUse
 * @property {(saved: Saved) => string} path
 * @property {string} [view] that it is made of, where it has not the page's name
 * @property {string} [shows] what it first has to get: a selector
 * @property {(page: Driven) => Promise<unknown>} [use] resolves when it is over; absent for pages that only show something
 */
import { MIN_ZONE_BROWSERS } from '../../core/field/find.js';
import { createRecord, createStudyOfUsers, sendRecord } from './field-records.js';
import { readSavedDocument } from './saved-documents.js';
import { createShootout, postSubmission } from './submissions.js';

/** Both questions of a page, as short as they can be and have a verdict. */
const SHORT_ECHO = 'transports=ajax,sockjs&blocks=6&iterations=3&seed=1';
const SHORT_JOBS = 'deliveries=poll,sockjs&users=1&jobs=2&max=100&intervals=25&limit=5000&blocks=6&seed=1';
const SHORT_HOME = new URLSearchParams({
  page: 'asks-and-sends',
  tests: 'shootout,jobs',
  shootout: SHORT_ECHO,
  jobs: SHORT_JOBS,
});

/** @type {Record<string, PageUse>} by a name that is the view's, if it says no other */
export const PAGES = {
  home: {
    view: 'test',
    path: () => '/',
    use: (page) => run(page, `${SHORT_HOME}`, '#verdict'),
  },
  'your-page': {
    path: () => '/yourpage',
    async use(page) {
      await page.click('#try-example');
      await page.waitFor('#recording');
      await page.evaluate("document.querySelectorAll('main details').forEach((details) => (details.open = true))");
    },
  },
  inflight: {
    view: 'test',
    path: () => '/inflight',
    use: (page) => run(page, 'transports=ajax,sockjs&depths=1,4&blocks=2&seed=1'),
  },
  fixedrate: {
    view: 'test',
    path: () => '/fixedrate',
    use: (page) => run(page, 'transports=ajax,sockjs&rate=200&messages=20&blocks=3&seed=1'),
  },
  polltest: {
    view: 'test',
    path: () => '/polltest',
    use: (page) => run(page, 'deliveries=poll,push&users=2&jobs=2&max=100&intervals=25&limit=5000&blocks=1&seed=1'),
  },
  payloadtest: {
    view: 'test',
    path: () => '/payloadtest',
    use: (page) => run(page, 'sizes=1,1000&directions=up,down&transports=ajax,sockjs&repeats=6&seed=1'),
  },
  reach: {
    view: 'test',
    path: () => '/reach',
    use: (page) => run(page, 'silences=100&heartbeat=100&blocks=2&idle=0&seed=1'),
  },
  cuts: {
    view: 'test',
    path: () => '/cuts',
    use: (page) => run(page, 'cuts=watch&watch=2&deliveries=poll,ws&blocks=1&seed=1'),
  },
  stream: {
    view: 'test',
    path: () => '/stream',
    use: (page) => run(page, 'methods=fetch,events,ws-open,poll&pieces=20&rate=50&blocks=1&seed=1'),
  },
  underload: {
    view: 'test',
    path: () => '/underload',
    use: (page) => run(page, 'loads=unloaded,ws-down&down=10000&up=10000&seconds=1&blocks=1&seed=1'),
  },
  ajaxtest: { path: () => '/ajaxtest', use: (page) => startThenMistake(page, SUBMIT) },
  socktest: { path: () => '/socktest', use: (page) => startThenMistake(page, SUBMIT) },
  countdown: { path: () => '/countdown', use: (page) => startThenMistake(page, SUBMIT) },
  all: {
    view: 'test',
    path: () => '/all',
    use: (page) => run(page, `page=asks&tests=jobs&jobs=${encodeURIComponent(SHORT_JOBS)}`, '#verdict'),
  },
  tests: { path: () => '/tests' },
  'how-it-works': { path: () => '/how-it-works' },
  privacy: { path: () => '/privacy' },
  // With tables and commands.
  document: { path: () => '/docs/api' },
  moving: { path: () => '/moving/ws' },
  results: { path: () => '/results' },
  result: { path: ({ url }) => `${url}#delete=token`, shows: '#verdict' },
  compare: { view: 'matrix', path: ({ ids }) => `/compare?ids=${ids}`, shows: '#compared' },
  'payload comparison': { view: 'matrix', path: ({ payloadIds }) => `/compare?ids=${payloadIds}`, shows: '.heat' },
  'refused comparison': { view: 'error', path: () => `/compare?ids=${'x'.repeat(16)}` },
  'study-form': { path: () => '/c' },
  study: { view: 'matrix', path: ({ label }) => `/c?label=${label}` },
  'study of users': { view: 'matrix', path: () => `/c?label=${USERS}`, shows: '#users' },
  // With the line of HTML.
  'study of users, without any': { view: 'matrix', path: () => `/c?label=${NO_USERS}`, shows: '#users' },
  'study-runs': { path: ({ label, cell }) => `/c?label=${label}&cell=${cell}` },
  error: { path: () => '/nothing' },
};

const USERS = 'users';
const NO_USERS = 'no-users';
/** So many that a page folds some of them away. */
const ZONES = Intl.supportedValuesOf('timeZone').slice(0, 13);

/** @param {string} origin */
async function saveUsers(origin) {
  for (const label of [USERS, NO_USERS]) await createStudyOfUsers(origin, label);
  const records = ZONES.flatMap((zone, i) =>
    Array.from({ length: MIN_ZONE_BROWSERS }, (_, j) =>
      createRecord({ requestMs: 20 + 30 * i, socket: j === 0 ? 'failed' : 'opened', more: { zone, study: USERS } }),
    ),
  );
  await Promise.all(records.map((record) => sendRecord(origin, record)));
}

/**
 * @param {string} origin
 * @returns {Promise<Saved>}
 */
export async function saveForPages(origin) {
  // What a visitor may type has no place to break a line at.
  const words = { label: 'W'.repeat(80), note: 'W'.repeat(200), place: { name: 'W'.repeat(100) } };
  await saveUsers(origin);
  const answers = [];
  for (const startedAt of ['2026-11-21T07:00:00.000Z', '2026-11-21T08:00:00.000Z']) {
    answers.push((await postSubmission(origin, { document: createShootout({ startedAt }), ...words })).answer);
  }
  const { document } = readSavedDocument('payload-whole');
  const payloadIds = [];
  for (const label of ['a', 'b']) payloadIds.push((await postSubmission(origin, { document, label })).answer.id);
  const study = await (await fetch(`${origin}/c?label=${words.label}`)).text();
  const [, cell] = /name="cell" value="([^"]+)"/.exec(study) ?? [];
  return { url: `/results/${answers[0].id}`, ids: answers.map(({ id }) => id), payloadIds, label: words.label, cell };
}

const PROBLEM = '#run-problem:not([hidden])';
/** What a page says whose run was broken off, as it was given no time for a second: test/core/experiment/run/gaps.test.js. */
const TOO_BUSY = /slept for \d+ s/;
/** A run of a few seconds is broken off again and again where each program gets a second of ten. */
const RETRY_LIMIT_MS = 180_000;

/**
 * Waits for the end of a run. Where the machine was too busy for it, does what the page then says: begins it again.
 *
 * @param {Driven} page
 * @param {string} result what is shown then: a selector
 * @throws {Error} the page's words where it could not measure, instead of a wait for what never comes
 */
export async function untilMeasured(page, result) {
  const limit = AbortSignal.timeout(RETRY_LIMIT_MS);
  for (;;) {
    await page.waitFor(`${PROBLEM}, ${result}`);
    const problem = await page.evaluate(`document.querySelector('${PROBLEM}')?.innerText ?? ''`);
    if (!problem) return;
    if (!TOO_BUSY.test(problem) || limit.aborted) throw new Error(problem);
    await page.click('#retry');
  }
}

/**
 * @param {Driven} page
 * @param {string} plan of its link
 * @param {string} [result] what is shown when the run is over
 */
async function run(page, plan, result = '#result') {
  await page.open(`${await page.evaluate('location.href')}?${plan}&autostart=1`);
  await untilMeasured(page, result);
  await page.evaluate("document.querySelectorAll('main details').forEach((details) => (details.open = true))");
}

const SUBMIT = '#run-form [type="submit"]';

/** A run, then a field that is wrong. @param {Driven} page @param {string} start */
async function startThenMistake(page, start) {
  await page.click(start);
  await untilMeasured(page, '#run-details, #tests tbody tr');
  await page.waitFor('#start-controls:enabled');
  await page.fill('#iterations', 'x');
  await page.click(SUBMIT);
}
