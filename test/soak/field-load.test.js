/** Many users of another site's pages at once: each that is acknowledged is counted, and no other visitor waits for them. */
import assert from 'node:assert/strict';
import { Agent, get } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { quantile } from '../../core/base/statistics.js';
import { createRecord, createStudyOfUsers, sendRecord } from '../support/field-records.js';
import { startMeasuredServer } from '../support/measured-server.js';
import { openServer } from '../support/server.js';

/**
 * @import { FieldRecord } from '../../core/field/record.js'
 * @import { TestServer } from '../support/server.js'
 */

/** The best of them is held to the limit, as a machine may be busy with something else. */
const ROUNDS = 3;
const RECORD_COUNT = 3000;
const AT_ONCE = 40;
const ZONES = ['Europe/Berlin', 'America/New_York', 'Asia/Tokyo', 'Africa/Lagos', 'Australia/Sydney'];
const EVERY_MS = 10;
const MAX_OTHER_MS = 50;
const MAX_PAGE_MS = 1000;

/** @param {number} i @returns {FieldRecord} each fifth is of the same time zone; of each hundred two got no WebSocket, and one left */
function recordOf(i) {
  const isLeft = i % 100 === 99;
  return createRecord({
    requestMs: 20 + (i % 200),
    ratio: 1.3,
    socket: i % 50 === 7 ? 'failed' : 'opened',
    more: { zone: ZONES[i % ZONES.length], ...(isLeft && { ending: 'hidden', blocks: [] }) },
  });
}

/**
 * Sends records as fast as they are acknowledged.
 * @param {string} origin @param {{ from: number, to: number }} range of their numbers @returns {Promise<Set<number>>} the statuses
 */
async function sendAll(origin, { from, to }) {
  /** @type {Set<number>} */
  const statuses = new Set();
  let next = from;
  const sendOnes = async () => {
    while (next < to) statuses.add(await sendRecord(origin, recordOf(next++)));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sendOnes));
  return statuses;
}

/**
 * Sends a message every 10 ms, as another visitor would.
 * @param {string} origin @param {Promise<unknown>} meanwhile
 * @returns {Promise<number[]>} ms of each from when it was due, so that one that waits delays no other unseen; rising
 */
async function timeMessages(origin, meanwhile) {
  const agent = new Agent({ keepAlive: true });
  /** @type {number[]} */
  const times = [];
  let isOver = false;
  meanwhile.finally(() => (isOver = true)).catch(() => {});
  for (let dueAtMs = performance.now(); !isOver; dueAtMs += EVERY_MS) {
    await sleep(Math.max(0, dueAtMs - performance.now()));
    await new Promise((resolve, reject) => {
      get(`${origin}/ajaxecho?count=1`, { agent }, (res) => res.resume().on('end', resolve)).on('error', reject);
    });
    times.push(performance.now() - dueAtMs);
  }
  agent.destroy();
  return times.sort((a, b) => a - b);
}

describe('the users of a busy page', () => {
  it('are all counted, exactly, and another visitor’s messages do not wait for them', async (t) => {
    const server = await startMeasuredServer({ fieldRecordsPerHour: 2 * RECORD_COUNT });
    try {
      await createStudyOfUsers(server.origin, 'dashboard');
      const p95s = [];
      for (let round = 0; round < ROUNDS; round++) {
        const [from, to] = [round, round + 1].map((i) => (i * RECORD_COUNT) / ROUNDS);
        const sent = sendAll(server.origin, { from, to });
        const times = await timeMessages(server.origin, sent);
        assert.deepEqual([...(await sent)], [204]);
        assert.ok(times.length >= 50, `${times.length} messages`);
        p95s.push(Number(quantile(times, 0.95)));
        t.diagnostic(`another visitor: ${times.length} messages, p95 ${p95s[round].toFixed(1)} ms`);
      }
      assert.ok(Math.min(...p95s) < MAX_OTHER_MS, `p95 ${p95s.join(', ')} ms`);

      const read = await fetch(`${server.origin}/api/studies?label=dashboard&part=users`);
      const { all, zones, days, apart } = (await read.json()).users;
      const [left, failed] = [RECORD_COUNT / 100, RECORD_COUNT / 50];
      assert.deepEqual(apart, { automated: 0, contradictory: 0, cut: left });
      assert.equal(all.count, RECORD_COUNT - left);
      assert.deepEqual([all.got.stream.count, all.got.opened.count], [failed, RECORD_COUNT - left - failed]);
      assert.deepEqual(
        Object.fromEntries(zones.map((/** @type {any} */ { name, count }) => [name, count])),
        // Whoever left is of the last one.
        Object.fromEntries(ZONES.map((zone, i) => [zone, RECORD_COUNT / 5 - (i === 4 ? left : 0)])),
      );
      assert.equal(
        days.reduce((/** @type {number} */ sum, /** @type {any} */ { count }) => sum + count, 0),
        all.count,
      );
    } finally {
      await server.close();
    }
  });
});

describe('a study of 100,000 users', () => {
  const STUDIES = ['first', 'second', 'third'];
  const BIN_COUNT = 200;
  /** @type {TestServer} */
  let server;
  before(async () => {
    server = await openServer();
    const counters = countMany(Intl.supportedValuesOf('timeZone').slice(0, 400));
    for (const label of STUDIES) {
      await createStudyOfUsers(server.origin, label);
      await server.store.addFieldCounts([{ label, counters }]);
    }
  });
  after(() => server?.close());

  /** @param {readonly string[]} zones @returns {Map<string, number>} 250 browsers of each, spread over all bins */
  function countMany(zones) {
    /** @type {Map<string, number>} */
    const counters = new Map();
    const add = (/** @type {string} */ name, /** @type {number} */ count) =>
      counters.set(name, (counters.get(name) ?? 0) + count);
    for (const zone of zones)
      for (let bin = 0; bin < BIN_COUNT; bin++) {
        const count = bin % 4 === 0 ? 2 : 1;
        for (const group of ['all', `zone=${zone}`, 'browser=Chrome'])
          for (const measure of ['count', 'got=opened', 'verdict=faster', `rtt=${bin}`])
            add(`${group} ${measure}`, count);
        for (const measure of ['count', 'verdict=faster']) add(`band=${bin % 50} ${measure}`, count);
        add('day=2026-11-22 count', count);
      }
    return counters;
  }

  it('has its page within a second', async (t) => {
    // Each of another study, as what was made is kept for a moment; the best, as a machine may be busy.
    const times = [];
    for (const label of STUDIES) {
      const startedAtMs = performance.now();
      const html = await (await fetch(`${server.origin}/c?label=${label}`)).text();
      times.push(performance.now() - startedAtMs);
      assert.ok(html.includes('100,000 browsers in 400 time zones'));
    }
    const bestMs = Math.min(...times);
    t.diagnostic(`the page took ${times.map((ms) => ms.toFixed()).join(', ')} ms`);
    assert.ok(bestMs < MAX_PAGE_MS, `${bestMs} ms`);
  });
});
