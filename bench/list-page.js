/**
 * `npm run bench:store`: what a page of the list of saved runs costs at 100,000 runs, against 1,000, in one process.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { migrate } from '../server/store/migrate.js';
import { toRow } from '../server/store/row.js';
import { createSavedRuns } from '../server/store/saved-runs.js';
import { openSqlite } from '../server/store/sqlite.js';
import { MIN_VALUES } from './median-interval.js';
import { measurePairs } from './pairs.js';
import { readOptions } from './options.js';
import { createProgressLine } from './progress-line.js';
import { formatJson, formatTable } from './report.js';
import { judge } from './verdict.js';

/**
 * @import { SavedRun, SavedRuns, Store } from '../server/store/index.js'
 * @import { Block } from './pairs.js'
 * @import { Outcome } from './report.js'
 */

const FEW = 1000;
const MANY = 100_000;
const PAGE_RUNS = 50;
/** Of these the time is taken at once. */
const PAGES = 20;
const DEFAULT_BLOCKS = 8;
const PAIRS_PER_BLOCK = 8;
const LIMIT = { atMost: 3 };
/** Rows of 13 values: SQLite takes at most 32,766 at once. */
const ROWS_AT_ONCE = 2000;
/** So many runs of either store are rare ones, spread over all of it. */
const RARE = 50;

const HELP = `usage: npm run bench:store -- [--blocks N] [--json]

Fills two SQLite stores with ${FEW} and ${MANY} runs, reads a page of ${PAGE_RUNS} from each in turn, with no filter, with each, and
with all of them, and prints the median of the ratios with its interval.

  --blocks N  of ${PAIRS_PER_BLOCK} pairs each, 1 to 1000; ${DEFAULT_BLOCKS} by default; fewer than ${MIN_VALUES} give no interval
  --json      prints every pair instead of the table

falls short: the whole interval is beyond ${LIMIT.atMost}; only then the exit code is 1. Two filters
that together match hardly any runs are only reported.
`;

/** Only reported: all that have the one are looked through for the other, and of more runs that are more. */
const HARDLY_ANY = 'two filters, together hardly any';

/** One run of so many matches all filters, so that of few runs they leave more than a page, too. */
const MATCHING_ONE_OF = 15;

/** A page that is not the first begins in the middle. */
const MIDDLE = { savedAt: new Date(MANY / 2).toISOString(), id: '' };

/** @type {Record<string, Pick<Parameters<Store['list']>[0], 'filter' | 'before'>>} */
const WANTED = {
  'no filter': {},
  'no filter, from the middle on': { before: MIDDLE },
  experiment: { filter: { experiment: 'in-flight' } },
  transport: { filter: { transport: 'sockjs' } },
  'transport, a rare one': { filter: { transport: 'rare' } },
  place: { filter: { place: 'Köln' } },
  label: { filter: { label: 'cable' } },
  'label, a rare one': { filter: { label: 'rare' } },
  'label, from the middle on': { filter: { label: 'cable' }, before: MIDDLE },
  server: { filter: { server: 'sfo-1' } },
  valid: { filter: { isValid: true } },
  'not valid': { filter: { isValid: false } },
  [HARDLY_ANY]: { filter: { experiment: 'in-flight', server: 'ams-1' } },
  'all filters': {
    filter: {
      experiment: 'in-flight',
      transport: 'sockjs',
      place: 'Köln',
      label: 'cable',
      server: 'sfo-1',
      isValid: true,
    },
  },
};

/**
 * Spread over the same time, however many there are.
 *
 * @param {number} index
 * @param {number} count
 * @returns {SavedRun}
 */
function createRun(index, count) {
  const isRare = index % (count / RARE) === 0;
  // Numbers that look random and are the same each time; of 0, each filter's own value comes.
  const isMatching = index % MATCHING_ONE_OF === 1;
  const [a, b, c] = [2654435761, 2246822519, 3266489917].map((factor) =>
    isMatching ? 0 : ((index * factor) >>> 8) % 1000,
  );
  const transports = a % 2 === 0 ? ['ajax', 'sockjs'] : ['fetch', 'websocket'];
  return {
    id: `run${String(index).padStart(13, '0')}`,
    savedAt: new Date((index * MANY) / count).toISOString(),
    experiment: isRare || a % 3 === 0 ? 'in-flight' : 'shootout',
    server: isRare || (a % 3 !== 0 && b % 3 === 0) ? 'ams-1' : b % 2 === 0 ? 'sfo-1' : 'fra-1',
    transports: isRare ? [...transports, 'rare'] : transports,
    isValid: b % 10 !== 1,
    label: isRare ? 'rare' : ['cable', 'wifi', 'office'][c % 3],
    place: { name: c % 2 === 0 ? 'Köln' : 'San Francisco', latitude: 37.8, longitude: -122.4 },
    digest: { medianMs: { ajax: a / 7, sockjs: b / 7 }, text: 'x'.repeat(500) },
  };
}

/**
 * @param {string} dataDir
 * @param {number} count
 */
async function openFilled(dataDir, count) {
  const database = await openSqlite(dataDir);
  await migrate(database);
  const { db } = database;
  await db.transaction().execute(async (trx) => {
    for (let from = 0; from < count; from += ROWS_AT_ONCE) {
      const runs = Array.from({ length: Math.min(ROWS_AT_ONCE, count - from) }, (_, i) => createRun(from + i, count));
      const transports = runs.flatMap(({ id, savedAt, transports: names }) =>
        names.map((transport) => ({ run_id: id, transport, saved_at: savedAt })),
      );
      const documents = runs.map(({ id }) => ({ run_id: id, document: Buffer.alloc(100) }));
      await trx
        .insertInto('saved_runs')
        .values(runs.map((run) => toRow(run, Buffer.alloc(32))))
        .execute();
      await trx.insertInto('run_transports').values(transports).execute();
      await trx.insertInto('run_documents').values(documents).execute();
    }
  });
  return { ...createSavedRuns(database), close: database.close };
}

/**
 * @param {SavedRuns} store
 * @param {typeof WANTED[string]} wanted
 * @returns {Promise<number>} microseconds per page
 */
async function measurePage(store, wanted) {
  const startedAtMs = performance.now();
  for (let page = 0; page < PAGES; page++) await store.list({ ...wanted, limit: PAGE_RUNS });
  return ((performance.now() - startedAtMs) / PAGES) * 1000;
}

/**
 * @param {SavedRuns} store
 * @param {string} name of what is wanted
 * @throws {Error} where it is less than a page, which would not be what a page costs
 */
async function checkPage(store, name) {
  const runs = await store.list({ ...WANTED[name], limit: PAGE_RUNS });
  if (runs.length < PAGE_RUNS) throw new Error(`${name}: expected ${PAGE_RUNS} runs, got ${runs.length}`);
}

/**
 * @param {string} folder
 * @param {number} blockCount
 */
async function bench(folder, blockCount) {
  const few = await openFilled(path.join(folder, 'few'), FEW);
  const many = await openFilled(path.join(folder, 'many'), MANY);
  const names = Object.keys(WANTED);
  const progressLine = createProgressLine(process.stderr, names.length * blockCount * PAIRS_PER_BLOCK);
  /** @type {Outcome[]} */
  const outcomes = [];
  for (const name of names) {
    const ours = () => measurePage(many, WANTED[name]);
    const baseline = () => measurePage(few, WANTED[name]);
    // Warm caches are what a site has.
    for (const store of [few, many]) await checkPage(store, name);
    await baseline();
    await ours();
    /** @type {Block[]} */
    const blocks = [];
    for (let block = 0; block < blockCount; block++) {
      const onPair = () => progressLine.step(name);
      blocks.push(await measurePairs({ pairCount: PAIRS_PER_BLOCK, ours, baseline, onPair }));
    }
    const measure = async () => blocks;
    const limit = name === HARDLY_ANY ? undefined : LIMIT;
    const comparison = { group: 'store', name: `${MANY} / ${FEW}: ${name}`, unit: 'us/page', limit, measure };
    outcomes.push({ comparison, blocks, verdict: judge(blocks, limit) });
  }
  progressLine.end();
  await Promise.all([few.close(), many.close()]);
  return outcomes;
}

const { help, json, blocks } = readOptions({ blocks: { most: 1000, usual: DEFAULT_BLOCKS } });
if (help) process.stdout.write(HELP);
else {
  const startedAt = new Date().toISOString();
  const folder = await mkdtemp(path.join(os.tmpdir(), 'sockshootout-bench-'));
  try {
    const outcomes = await bench(folder, blocks);
    const environment = { startedAt, node: process.version, system: `${os.type()} ${os.release()}` };
    process.stdout.write(json ? formatJson(outcomes, environment) : formatTable(outcomes));
    if (outcomes.some(({ verdict }) => verdict.word === 'falls short')) process.exitCode = 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
