/**
 * The users of a busy page for a long time: sends a record of each at a random time, as people come, and asks as another visitor once a
 * second, also a site without records, as the machine may be busy with something else. In the end, what the study says is compared with
 * what it acknowledged.
 */
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRandom } from '../core/base/random.js';
import { sort } from '../core/base/statistics.js';
import { nameBrowser } from '../core/experiment/run/names.js';
import { findUsers } from '../core/field/find.js';
import { FIELD_BLOCKS, RECORD_VERSION } from '../core/field/record.js';
import { countersOf } from '../core/field/tally.js';
import { readTraffic } from '../core/net/delivery/traffic.js';
import { RunError } from '../cli/program/program.js';

/**
 * @import { FieldFindings, Users } from '../core/field/find.js'
 * @import { FieldRecord } from '../core/field/record.js'
 *
 * @typedef {{ record: FieldRecord, userAgent: string, address: string }} User who sends a record
 * @typedef {{ status?: number, ms: number }} Answer `status`: absent without an answer; `ms`: from the planned instant of the request
 * @typedef {{ sortedMs: readonly number[], failedCount: number }} Waits of requests; without an answer, one waited for its limit, or more
 * @typedef {{ echoes: Waits, pages: Waits }} Visitor
 * @typedef {Map<string, number>} Counters
 *
 * @typedef {object} Load
 * @property {number} count of records
 * @property {number} durationMs in which they are sent
 * @property {number} addressCount of the users
 * @property {number} seed of who comes, and when
 *
 * @typedef {object} FieldLoad what was found
 * @property {number} sentCount
 * @property {number} acknowledgedCount
 * @property {number} refusedCount answers with another status
 * @property {number} unansweredCount
 * @property {number} countedCount records in the study
 * @property {number} lostCount records that were acknowledged, and are in no counter
 * @property {number} differingCount counters that are not those of the records that were acknowledged
 * @property {number} zoneCount
 * @property {Waits} records until they were acknowledged
 * @property {Visitor} visitor of the same site
 * @property {Visitor} idleVisitor of the site without records
 * @property {readonly number[]} openedMs how long the study's page took, each time anew
 * @property {readonly { at: string, rssBytes: readonly number[] }[]} memory of each worker
 */

const STUDY = 'load';
const HOST = 'https://shop.example';
const LIMIT_MS = 10_000;
const PROBE_EVERY_MS = 1000;
/** Until the site makes a study's page anew. */
const MADE_ANEW_MS = 2500;
const OPENINGS = 3;
/** The server records nothing for this trial. */
const NO_TRIAL = 'fieldLoadRun';

/** As this Node.js names them: the site says each by one of its names. */
const ZONES = Intl.supportedValuesOf('timeZone').map(
  (timeZone) => new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone,
);
const USER_AGENTS = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Safari/605.1.15',
  'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0',
];

/**
 * Invents a user: most are of a few time zones, 10 to 250 ms away; a few get no WebSocket, or leave before the end.
 * @param {() => number} random @param {number} addressCount @returns {User}
 */
function createUser(random, addressCount) {
  const farMs = 10 * Math.exp(3.2 * random());
  const ratio = 1 + 0.4 * random();
  const [isBlocked, isLeft] = [random() < 0.02, random() < 0.03];
  const blocks = Array.from({ length: isLeft ? 2 : FIELD_BLOCKS }, () => {
    const requestMs = farMs * (1 + 0.04 * random());
    return isBlocked ? { requestMs } : { requestMs, socketMs: requestMs / ratio };
  });
  const address = Math.floor(addressCount * random());
  return {
    record: {
      version: RECORD_VERSION,
      study: STUDY,
      ending: isLeft ? 'hidden' : 'whole',
      tookMs: 9000,
      zone: pick(ZONES, random() ** 3),
      protocol: 'h2',
      socket: isBlocked ? 'failed' : 'opened',
      stream: random() < 0.01 ? 'batched' : 'streamed',
      blocks,
    },
    userAgent: pick(USER_AGENTS, random() ** 2),
    address: `10.${address >> 16}.${(address >> 8) & 255}.${address & 255}`,
  };
}

/** @template T @param {readonly T[]} list @param {number} at from 0 to 1 @returns {T} */
const pick = (list, at) => list[Math.floor(list.length * at)];

/**
 * Begins something at each of some times, and waits for all.
 * @template T @param {readonly number[]} timesMs rising, from now @param {(dueAtMs: number, index: number) => Promise<T>} begin
 * @param {AbortSignal} signal @returns {Promise<T[]>}
 */
async function doAt(timesMs, begin, signal) {
  const startedAtMs = performance.now();
  const begun = [];
  for (const [index, timeMs] of timesMs.entries()) {
    const waitMs = startedAtMs + timeMs - performance.now();
    if (waitMs > 0) await sleep(waitMs, undefined, { signal });
    begun.push(begin(startedAtMs + timeMs, index));
  }
  return Promise.all(begun);
}

/**
 * Sends a request. Counts its time from the instant at which it was to be sent.
 * @param {string} url @param {number} dueAtMs @param {{ agent: Agent, method?: string, headers?: Record<string, string>, body?: string }} sent
 * @returns {Promise<Answer>}
 */
function ask(url, dueAtMs, { body, ...options }) {
  return new Promise((resolve) => {
    const end = (/** @type {number | undefined} */ status) => resolve({ status, ms: performance.now() - dueAtMs });
    const fail = () => resolve({ ms: Math.max(LIMIT_MS, performance.now() - dueAtMs) });
    const req = request(url, { ...options, signal: AbortSignal.timeout(LIMIT_MS) }, (res) => {
      res
        .resume()
        .on('error', fail)
        .on('end', () => end(res.statusCode));
    });
    req.on('error', fail).end(body);
  });
}

/** @param {readonly Answer[]} answers @param {number} expected status @returns {Waits} */
function waitsOf(answers, expected) {
  const isFailed = (/** @type {Answer} */ { status }) => status !== expected;
  const ofEach = answers.map((answer) => (isFailed(answer) ? Math.max(LIMIT_MS, answer.ms) : answer.ms));
  return { sortedMs: sort(ofEach), failedCount: answers.filter(isFailed).length };
}

/** @param {string} baseUrl @returns {Promise<void>} when the study is made */
async function createStudy(baseUrl) {
  const response = await fetch(`${baseUrl}/api/studies`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ label: STUDY, users: { origins: [HOST] } }),
  });
  if (response.status !== 201) throw new RunError(`The study could not be made: ${await response.text()}`);
}

/**
 * Sends the records, each over a connection of its own.
 * @param {string} baseUrl @param {Load} load @param {AbortSignal} signal
 * @returns {Promise<{ answers: readonly Answer[], counters: Counters }>} `counters`: of those that were acknowledged
 */
async function sendRecords(baseUrl, { count, durationMs, addressCount, seed }, signal) {
  const agent = new Agent({ keepAlive: false });
  const random = createRandom(seed);
  const timesMs = sort(Array.from({ length: count }, () => durationMs * random()));
  /** @type {Counters} */
  const counters = new Map();
  const send = async (/** @type {number} */ dueAtMs) => {
    const { record, userAgent, address } = createUser(random, addressCount);
    const headers = {
      Origin: HOST,
      'User-Agent': userAgent,
      'X-Forwarded-For': address,
      'Content-Type': 'text/plain;charset=UTF-8',
    };
    const answer = await ask(`${baseUrl}/field/records`, dueAtMs, {
      agent,
      method: 'POST',
      headers,
      body: JSON.stringify(record),
    });
    if (answer.status === 204) add(counters, countersOf(record, { browser: nameBrowser(userAgent), day: '' }));
    return answer;
  };
  return { answers: await doAt(timesMs, send, signal), counters };
}

/** @param {Counters} sums @param {ReadonlyMap<string, number>} added */
function add(sums, added) {
  for (const [name, amount] of added) sums.set(name, (sums.get(name) ?? 0) + amount);
}

/**
 * Asks for something once a second, over one connection, as a browser does.
 * @param {string} url @param {{ durationMs: number, offsetMs: number }} times @param {AbortSignal} signal @returns {Promise<Waits>}
 */
async function probe(url, { durationMs, offsetMs }, signal) {
  const agent = new Agent({ keepAlive: true });
  try {
    const count = Math.ceil(durationMs / PROBE_EVERY_MS);
    const timesMs = Array.from({ length: count }, (_, i) => i * PROBE_EVERY_MS + offsetMs);
    return waitsOf(await doAt(timesMs, (dueAtMs) => ask(url, dueAtMs, { agent }), signal), 200);
  } finally {
    agent.destroy();
  }
}

/**
 * Asks as a visitor, for each thing at a time of its own.
 * @param {string} baseUrl @param {{ durationMs: number, offsetMs: number }} times @param {AbortSignal} signal @returns {Promise<Visitor>}
 */
async function visit(baseUrl, { durationMs, offsetMs }, signal) {
  const [echoes, pages] = await Promise.all([
    probe(`${baseUrl}/ajaxecho?count=1`, { durationMs, offsetMs }, signal),
    probe(`${baseUrl}/`, { durationMs, offsetMs: offsetMs + PROBE_EVERY_MS / 2 }, signal),
  ]);
  return { echoes, pages };
}

/** @param {string} baseUrl @returns {Promise<number[]>} of each worker */
async function readMemory(baseUrl) {
  const { workers = [] } = (await readTraffic(fetch, `${baseUrl}/traffic/${NO_TRIAL}`)) ?? {};
  return workers.map(({ rssBytes = NaN }) => rssBytes);
}

/** @param {string} baseUrl @param {AbortSignal} signal @returns {Promise<number[]>} ms of each time that the study's page was made */
async function openStudy(baseUrl, signal) {
  const times = [];
  for (let i = 0; i < OPENINGS; i++) {
    await sleep(MADE_ANEW_MS, undefined, { signal });
    const startedAtMs = performance.now();
    const response = await fetch(`${baseUrl}/c?label=${STUDY}`);
    await response.text();
    if (!response.ok) throw new RunError(`The study’s page has the status ${response.status}`);
    times.push(performance.now() - startedAtMs);
  }
  return times;
}

/** @param {string} group @param {Users} users @returns {[string, number][]} */
const countsOf = (group, { count, got, verdicts }) => [
  [group, count],
  ...Object.entries({ ...got, ...verdicts }).map(
    ([name, share]) => /** @type {[string, number]} */ ([`${group} ${name}`, share.count]),
  ),
];

/** @param {FieldFindings} findings @returns {Counters} what a study says, but for the days: the run may end on another */
const flatten = ({ all, browsers, zones, others, versions, protocols, apart }) =>
  new Map([
    ...countsOf('all', all),
    ...browsers.flatMap((one) => countsOf(`browser ${one.name}`, one)),
    ...zones.flatMap((one) => countsOf(`zone ${one.name}`, one)),
    ...(others?.users ? countsOf('other zones', others.users) : []),
    ...[...versions, ...protocols].map(({ name, count }) => /** @type {[string, number]} */ ([name, count])),
    ...Object.entries(apart),
  ]);

/** @param {Counters} one @param {Counters} other @returns {number} how many counters are not the same */
const countDiffering = (one, other) =>
  [...new Set([...one.keys(), ...other.keys()])].filter((name) => (one.get(name) ?? 0) !== (other.get(name) ?? 0))
    .length;

/** @param {FieldFindings} findings */
const recordsIn = ({ all, apart }) => all.count + apart.automated + apart.contradictory + apart.cut;

/**
 * Loads a site with records, in a study of its own.
 * @param {{ baseUrl: string, idleUrl: string }} sites the loaded one, and one without records @param {Load} load
 * @param {{ signal: AbortSignal, onMinute?: (minute: number) => void }} options @returns {Promise<FieldLoad>}
 */
export async function measureFieldLoad({ baseUrl, idleUrl }, load, { signal, onMinute = () => {} }) {
  const { durationMs } = load;
  await createStudy(baseUrl);
  const memory = [{ at: 'start', rssBytes: await readMemory(baseUrl) }];
  const minutesMs = Array.from({ length: Math.floor(durationMs / 60_000) }, (_, i) => (i + 1) * 60_000);
  const [{ answers, counters }, visitor, idleVisitor] = await Promise.all([
    sendRecords(baseUrl, load, signal),
    visit(baseUrl, { durationMs, offsetMs: 0 }, signal),
    // At another time, as the one would wait for the other.
    visit(idleUrl, { durationMs, offsetMs: PROBE_EVERY_MS / 4 }, signal),
    doAt([durationMs / 2], async () => memory.push({ at: 'half', rssBytes: await readMemory(baseUrl) }), signal),
    doAt(minutesMs, async (_dueAtMs, i) => onMinute(i + 1), signal),
  ]);
  memory.push({ at: 'end', rssBytes: await readMemory(baseUrl) });
  const openedMs = await openStudy(baseUrl, signal);
  const exported = await (await fetch(`${baseUrl}/api/studies?label=${STUDY}&part=users`)).json();
  const [said, expected] = [/** @type {FieldFindings} */ (exported.users), findUsers(counters)];
  const acknowledgedCount = answers.filter(({ status }) => status === 204).length;
  const unansweredCount = answers.filter(({ status }) => status === undefined).length;
  return {
    sentCount: answers.length,
    acknowledgedCount,
    refusedCount: answers.length - acknowledgedCount - unansweredCount,
    unansweredCount,
    countedCount: recordsIn(said),
    lostCount: Math.max(0, acknowledgedCount - recordsIn(said)),
    differingCount: countDiffering(flatten(said), flatten(expected)),
    zoneCount: said.zones.length + (said.others?.zoneCount ?? 0),
    records: waitsOf(answers, 204),
    visitor,
    idleVisitor,
    openedMs,
    memory,
  };
}
