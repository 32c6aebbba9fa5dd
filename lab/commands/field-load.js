/**
 * `lab field-load`: what records of a study of users cost other visitors, for as long as you want. It needs no link, and no root.
 */
import { choiceOption, createCommand, integerOption, parseArguments } from '../../cli/program/command.js';
import { withServer } from '../../cli/program/child.js';
import { cancelOnSignals, EXIT, RunError } from '../../cli/program/program.js';
import { formatMs } from '../../core/base/format.js';
import { MAX_SEED } from '../../core/base/random.js';
import { quantile } from '../../core/base/statistics.js';
import { toMarkdown, words } from '../../core/experiment/report/table.js';
import { measureFieldLoad } from '../field-load.js';
import { say, throwUnlessCancelled } from '../machine.js';
import { parseNumber } from '../options.js';
import { startPostgres } from '../postgres.js';

/**
 * @import { Column } from '../../core/experiment/report/table.js'
 * @import { FieldLoad, Waits } from '../field-load.js'
 * @typedef {FieldLoad['memory'][number]} Memory
 * @typedef {Waits & { what: string }} Waited
 */

const MINUTE_MS = 60_000;
const MINUTES = { min: 0.05, max: 1440 };
const MAX_PER_MINUTE = 60_000;
const MAX_WORKERS = 64;
const MIB = 2 ** 20;
/** A visitor with an address of their own sends one record. Some share one: thirty in an hour. */
const ADDRESSES_PER_RECORD_A_MINUTE = 2;

const createFieldLoad = () =>
  createCommand(
    'npx sockshootout lab field-load',
    'Starts a site of its own, sends it records of a study of users, asks it as another visitor once a second, and a second site that gets none. Prints how many records were counted and lost, and how long everybody waited.',
  )
    .option('--minutes <n>', `for how long; ${MINUTES.min} to ${MINUTES.max}; default: 60`, '60')
    .addOption(integerOption('per-minute', 'records', { max: MAX_PER_MINUTE, default: 1000 }))
    .addOption(choiceOption('--database <name>', 'of the site', ['sqlite', 'postgres']).default('sqlite'))
    .addOption(integerOption('workers', 'processes of the site', { max: MAX_WORKERS, default: 1 }))
    .addOption(integerOption('seed', 'of the users and their times', { min: 0, max: MAX_SEED, default: 1 }));

/** @type {readonly Column<FieldLoad>[]} */
const COUNTS = [
  { title: 'Sent', value: ({ sentCount }) => sentCount },
  { title: 'Acknowledged', value: ({ acknowledgedCount }) => acknowledgedCount },
  { title: 'Refused', value: ({ refusedCount }) => refusedCount },
  { title: 'No answer', value: ({ unansweredCount }) => unansweredCount },
  { title: 'Counted', value: ({ countedCount }) => countedCount },
  { title: 'Lost', value: ({ lostCount }) => lostCount },
  { title: 'Wrong counters', value: ({ differingCount }) => differingCount },
];

/** @param {number} probability @returns {(waited: Waited) => number | undefined} */
const quantileAt =
  (probability) =>
  ({ sortedMs }) =>
    quantile(sortedMs, probability);

/** @type {readonly Column<Waited>[]} */
const WAITS = [
  words('Waiting time', ({ what }) => what),
  { title: 'Requests', value: ({ sortedMs }) => sortedMs.length },
  { title: 'Failed', value: ({ failedCount }) => failedCount },
  { title: 'p50', unit: 'ms', value: quantileAt(0.5), format: formatMs },
  { title: 'p95', unit: 'ms', value: quantileAt(0.95), format: formatMs },
  { title: 'Max', unit: 'ms', value: quantileAt(1), format: formatMs },
];

/** @type {readonly Column<Memory>[]} */
const MEMORY = [
  words('Memory (RSS), MiB', ({ at }) => at),
  words('Workers', ({ rssBytes }) => rssBytes.map((bytes) => Math.round(bytes / MIB)).join(' and ')),
];

/** @param {FieldLoad} found @returns {string} */
function formatFieldLoad(found) {
  const { records, visitor, idleVisitor, memory, openedMs, zoneCount } = found;
  const waits = [
    { what: 'Another visitor, echo', ...visitor.echoes },
    { what: 'The same at a site without records', ...idleVisitor.echoes },
    { what: 'Another visitor, home page', ...visitor.pages },
    { what: 'The same at a site without records', ...idleVisitor.pages },
    { what: 'Record, until acknowledged', ...records },
  ];
  return [
    toMarkdown({ columns: COUNTS, rows: [found] }),
    toMarkdown({ columns: WAITS, rows: waits }),
    toMarkdown({ columns: MEMORY, rows: memory }),
    [`The study’s page, with ${zoneCount} time zones, opened in ${openedMs.map(formatMs).join(', ')} ms.`],
  ]
    .map((lines) => `${lines.join('\n')}\n`)
    .join('\n');
}

/** A record without an answer may have been counted. @param {FieldLoad} found @returns {boolean} */
const isExact = ({ lostCount, differingCount, unansweredCount }) =>
  lostCount === 0 && (differingCount === 0 || unansweredCount > 0);

/**
 * @template T @param {string} database @param {(env: Record<string, string>) => Promise<T>} use gets the site's settings
 * @returns {Promise<T>}
 */
async function withDatabase(database, use) {
  if (database === 'sqlite') return use({});
  const { url, close } = await startPostgres();
  try {
    return await use({ DATABASE_URL: url });
  } finally {
    await close();
  }
}

/**
 * @template T @param {Record<string, string>} settings @param {(baseUrl: string) => Promise<T>} use @returns {Promise<T>}
 */
const withSite = (settings, use) =>
  withServer(
    (argv) => argv,
    // Each user's address is what a proxy would name.
    { HOST: '127.0.0.1', TRUST_PROXY: '1', ...settings },
    (port) => use(`http://127.0.0.1:${port}`),
    settings.WORKERS === '1' ? undefined : 'cli/program/cluster.js',
  );

/** @param {string[]} args @returns {Promise<number>} the exit code */
export async function main(args) {
  const { minutes, perMinute, database, workers, seed } = parseArguments(createFieldLoad(), args);
  const durationMs = parseNumber('--minutes', minutes, MINUTES) * MINUTE_MS;
  const load = {
    count: Math.round((perMinute * durationMs) / MINUTE_MS),
    durationMs,
    addressCount: ADDRESSES_PER_RECORD_A_MINUTE * perMinute,
    seed,
  };
  const signal = cancelOnSignals({ mustTidyUp: true });
  const onMinute = (/** @type {number} */ minute) => say(`${minute} min`);
  try {
    const found = await withDatabase(database, (settings) =>
      withSite({ WORKERS: '1' }, (idleUrl) =>
        withSite({ ...settings, WORKERS: String(workers) }, (baseUrl) =>
          measureFieldLoad({ baseUrl, idleUrl }, load, { signal, onMinute }),
        ),
      ),
    );
    process.stdout.write(formatFieldLoad(found));
    return isExact(found) ? EXIT.done : EXIT.failed;
  } catch (error) {
    throwUnlessCancelled(error, signal);
    throw new RunError('Stopped before the end.');
  }
}
