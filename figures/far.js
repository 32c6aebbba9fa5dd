/**
 * The figures over simulated links, which need root, and the payload's on this machine.
 */
import { describeConditions } from '../core/experiment/emulated-link.js';
import { median } from '../core/base/statistics.js';
import { COLUMNS } from '../core/experiments/classic/comparison.js';
import { PUBLISHED, withRatio } from '../core/net/echo/published.js';
import { rateOf } from '../core/experiments/classic/summary.js';
import { formatSize } from '../core/experiments/payload/plan.js';
import { toMarkdown, words } from '../core/experiment/table.js';
import { labelOf, labelOfDelivery, labelOfTransfer } from '../core/net/labels.js';
import { PROFILES } from '../lab/options.js';
import { clientOf } from './here.js';
import { measureFar, runJson, summarize, withFarPage, withFarRuns } from './measure.js';
import { rangeOf, tabulate } from './values.js';

/**
 * @import { LoadReport } from '../cli/load/report.js'
 * @import { Column } from '../core/experiment/contract.js'
 * @import { Conditions } from '../core/experiment/emulated-link.js'
 * @import { ClassicRecord } from '../core/experiments/classic/schema.js'
 * @import { Figure } from './list.js'
 * @import { Run } from './measure.js'
 * @import { Cell } from './values.js'
 */

/**
 * Creates a figure that no single command of the site can make.
 *
 * @param {string} name
 * @param {string} file
 * @param {Figure['make']} make
 * @returns {Figure}
 */
const createFarFigure = (name, file, make) => ({
  ...{ name, file, make },
  command: `sudo npm run figures -- --only ${name}`,
  needsRoot: true,
});

const DISTANCE = { rttMs: 100 };
const CI = 'in brackets, the 95% CI';

/** @param {Conditions} conditions @param {string} plan of the run */
const describeFar = (conditions, plan) => `${describeConditions(conditions)}; \`${plan}\`; ${CI}`;

export const inFlight = createFarFigure('in-flight', 'docs/method.md', async (signal) => {
  const plan = 'depths=1,8,32&blocks=6';
  const http1 = await measureFar('in-flight', DISTANCE, `transports=ajax,sockjs&${plan}`, { signal });
  const http2 = await measureFar('in-flight', DISTANCE, `transports=ajax&${plan}`, { signal, isBehindNginx: true });
  const cells = [];
  for (const [document, protocol] of [
    [http1, 'HTTP/1.1'],
    [http2, 'HTTP/2'],
  ]) {
    const { rows } = await summarize(document, 'in-flight');
    for (const { transport, depth, messagesPerSecond: interval } of rows) {
      cells.push({ place: [String(depth)], kind: `${labelOf(transport)}, ${protocol}`, interval });
    }
  }
  const conditions = describeFar(DISTANCE, plan);
  return { client: clientOf(http1), conditions, markdown: tabulate(['in flight, messages/s'], cells) };
});

export const fixedRate = createFarFigure('fixed-rate', 'docs/method.md', async (signal) => {
  const plan = 'transports=ajax,sockjs&rate=100&messages=60&blocks=6';
  const document = await measureFar('fixed-rate', DISTANCE, plan, { signal });
  const { transports } = await summarize(document, 'fixed-rate');
  /** @type {Cell[]} */
  const cells = transports.flatMap((/** @type {any} */ { transport, answersPerSecond, p50Ms }) => [
    { place: [labelOf(transport)], kind: 'answers/s', interval: answersPerSecond },
    { place: [labelOf(transport)], kind: 'p50 from the plan, ms', interval: p50Ms },
  ]);
  const conditions = describeFar(DISTANCE, plan);
  return { client: clientOf(document), conditions, markdown: tabulate(['transport'], cells) };
});

const JOBS =
  'run jobs --deliveries poll,long-poll,sse,push --interval 500 --users 5 --jobs 20 --max 2000 --limit 10000 --blocks 6 --seed 19';

export const jobsHttp = createFarFigure('jobs-http', 'docs/jobs.md', async () => {
  const cells = [];
  let client = '';
  for (const [kind, isBehindNginx] of /** @type {const} */ ([
    ['HTTP/1.1', false],
    ['HTTP/2', true],
  ])) {
    const document = await withFarRuns({ rttMs: 0 }, (run) => run(JOBS), { isBehindNginx });
    client = clientOf(document);
    for (const { delivery, intervalMs, lag } of await summarize(document, 'jobs')) {
      cells.push({ place: [labelOfDelivery(delivery, intervalMs)], kind, interval: lag.interval });
    }
  }
  const conditions = describeFar({ rttMs: 0 }, JOBS);
  return { client, conditions, markdown: tabulate(['latency, ms'], cells) };
});

const SMALL_SERVER = { rttMs: 0, cpus: 0.125, memoryMib: 1024 };
/** The number of runs with which two ranges of the same server rarely have nothing in common. */
const REPEATS = 5;
const VISIT = 'run shootout --preset quick --seed 7';

export const smallServer = createFarFigure('small-server', 'docs/scale.md', async () => {
  const servers = await withFarRuns(SMALL_SERVER, (runSmall) =>
    withFarRuns({ rttMs: 0 }, (runUnlimited) =>
      measureInTurn([
        { kind: '1/8 CPU, 1 GiB', run: runSmall },
        { kind: 'no limits', run: runUnlimited },
      ]),
    ),
  );
  const cells = [];
  for (const { kind, visits, loads } of servers) {
    cells.push(...(await echoCells(visits, kind)), ...loadCells(loads, kind));
  }
  const conditions = `median (range) of ${REPEATS} runs, the two servers in turn`;
  return { client: clientOf(servers[0].visits[0]), conditions, markdown: tabulate(['clients', 'measured'], cells) };
});

/**
 * Measures visits and loads of each server in turn, so that other work of the machine affects all of them.
 *
 * @param {readonly { kind: string, run: Run }[]} servers
 */
async function measureInTurn(servers) {
  /** @type {{ kind: string, run: Run, visits: any[], loads: LoadReport[] }[]} */
  const measured = servers.map((server) => ({ ...server, visits: [], loads: [] }));
  for (let repeat = 0; repeat <= REPEATS; repeat++) {
    const inTurn = repeat % 2 === 0 ? measured : measured.toReversed();
    for (const { run, visits } of inTurn) visits.push(await run(VISIT));
    for (const { run, loads } of inTurn) loads.push(await run('load'));
  }
  // The first of each is the server's warm-up.
  return measured.map(({ kind, visits, loads }) => ({ kind, visits: visits.slice(1), loads: loads.slice(1) }));
}

/** @param {readonly any[]} documents of one visitor at a time @param {string} kind @returns {Promise<Cell[]>} */
async function echoCells(documents, kind) {
  const reports = await Promise.all(documents.map((document) => summarize(document, 'shootout')));
  return ['fetch', 'sockjs'].map((name) => ({
    place: ['one visitor', `messages/s, ${labelOf(name)}`],
    kind,
    interval: rangeOf(
      reports.flatMap(
        ({ rows }) => rows.find((/** @type {any} */ { transport }) => transport === name).summary.messagesPerSecond,
      ),
    ),
  }));
}

/** @param {readonly LoadReport[]} loads @param {string} kind @returns {Cell[]} */
const loadCells = (loads, kind) =>
  /** @type {const} */ ([
    ['requests/s, AJAX', 'perSecond'],
    ['p50, ms', 'p50Ms'],
    ['p99, ms', 'p99Ms'],
  ]).map(([title, name]) => ({
    place: ['100 connections', title],
    kind,
    interval: rangeOf(loads.flatMap(({ rows: [row] }) => row[name] ?? [])),
  }));

/** The networks, each with its sizes, without those that would take minutes. */
const NETWORKS = [
  { title: 'localhost', query: 'sizes=1000,100000,10000000&directions=up&budget=10000&repeats=20' },
  { title: 'LAN', profile: 'lan', query: 'sizes=1000,10000000&directions=up&budget=10000&repeats=8' },
  { title: 'WAN', profile: 'wan', query: 'sizes=1000,1000000&directions=up&budget=10000&repeats=6' },
  { title: 'HSDPA+', profile: 'hsdpa-plus', query: 'sizes=1000,1000000&directions=up&budget=10000&repeats=6' },
];

/**
 * Returns the cells by network, or else by direction.
 * @param {any} document @param {string} [network] @returns {Promise<Cell[]>}
 */
const payloadCells = async (document, network) =>
  (await summarize(document, 'payload')).map((/** @type {any} */ { direction, size, transport, timeMs }) => ({
    place: [network ?? direction, formatSize(size)],
    kind: labelOfTransfer(transport),
    interval: timeMs,
  }));

export const payload = createFarFigure('payload', 'docs/payload.md', async (signal) => {
  const cells = [];
  let client = '';
  for (const { title, profile, query } of NETWORKS) {
    const document = profile
      ? await measureFar('payload', PROFILES[profile].conditions, query, { signal })
      : await runJson(`npx sockshootout run payload --browser --plan ?${query}&seed=7`);
    client = clientOf(document);
    cells.push(...(await payloadCells(document, title)));
  }
  return { client, conditions: `ms per upload; ${CI}`, markdown: tabulate(['network', 'size'], cells) };
});

/** @type {Figure} */
export const masking = {
  name: 'masking',
  file: 'docs/seeds.md',
  command:
    'npx sockshootout run payload --sizes 10000000 --directions up,down --transports fetch,websocket-binary --budget 1000',
  async make() {
    const document = await runJson(masking.command);
    return {
      client: clientOf(document),
      conditions: `ms; ${CI}`,
      markdown: tabulate(['direction', 'size'], await payloadCells(document)),
    };
  },
};

const PLACES_2012 = /** @type {const} */ ({ localhost: { rttMs: 0 }, distance: { rttMs: 230 } });

export const of2012 = createFarFigure('2012', 'docs/seeds.md', async (signal) => {
  /** @type {ReturnType<typeof rowsOf2012>} */
  const rows = [];
  let client = '';
  for (const [place, conditions] of Object.entries(PLACES_2012)) {
    // Both use one browser, as a visitor measures one after the other.
    const runs = await withFarPage(conditions, measure2012, { signal });
    client = runs.client;
    rows.push(...rowsOf2012(/** @type {keyof typeof PUBLISHED} */ (place), runs));
  }
  /** @type {Column<typeof rows[0]>[]} */
  const columns = [words('Network', ({ place }) => place), ...COLUMNS];
  return {
    client,
    conditions: `distance: ${describeConditions(PLACES_2012.distance)}`,
    markdown: toMarkdown({ columns, rows }).join('\n'),
  };
});

/** @param {(name: string, query: string) => Promise<any>} measure */
async function measure2012(measure) {
  const iterations = 'iterations=10,10,10,100,100,1000';
  const ajax = await measure('classic', `transport=ajax&${iterations}`);
  const sockjs = await measure('classic', `transport=sockjs&${iterations}`);
  const runsOf = async (/** @type {any} */ document) => (await summarize(document, 'classic')).runs;
  return { client: clientOf(ajax), ajax: await runsOf(ajax), sockjs: await runsOf(sockjs) };
}

/** @param {keyof typeof PUBLISHED} place @param {{ ajax: readonly ClassicRecord[], sockjs: readonly ClassicRecord[] }} runs */
const rowsOf2012 = (place, { ajax, sockjs }) =>
  Object.entries(PUBLISHED[place].rates).map(([count, rates]) => {
    const iterations = Number(count);
    const ratesOf = (/** @type {readonly ClassicRecord[]} */ runs) =>
      runs.filter(({ trial }) => trial.iterations === iterations).flatMap((run) => rateOf(run) ?? []);
    return {
      place,
      iterations,
      measured: withRatio({ ajax: median(ratesOf(ajax)), sockjs: median(ratesOf(sockjs)) }),
      published: withRatio(rates),
    };
  });
