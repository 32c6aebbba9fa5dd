/** Many users of another site's pages at once: each that is acknowledged is counted, and no other visitor waits for them. */
import assert from 'node:assert/strict';
import { Agent, get } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { quantile } from '../../../core/base/statistics.js';
import { holdsOnce } from '../../support/attempts.js';
import { createRecord, createStudyOfUsers, sendRecord } from '../../support/field-records.js';
import { startMeasuredServer } from '../../support/measured-server.js';
import { openServer } from '../../support/server.js';

/**
 * @import { FieldRecord } from '../../../core/field/record.js'
 * @import { TestServer } from '../../support/server.js'
 */

/** Nearly each holds: the records of another one are acknowledged in five seconds. */
const ATTEMPTS = 6;
const RECORD_COUNT = 3000;
const AT_ONCE = 40;
const ZONES = ['Europe/Berlin', 'America/New_York', 'Asia/Tokyo', 'Africa/Lagos', 'Australia/Sydney'];
const EVERY_MS = 10;
const MAX_OTHER_MS = 50;
const MAX_PAGE_MS = 1000;

/** @param {string} study @param {number} i @returns {FieldRecord} each fifth is of the same time zone; of each hundred two got no WebSocket, and one left */
function recordOf(study, i) {
  const isLeft = i % 100 === 99;
  return createRecord({
    requestMs: 20 + (i % 200),
    ratio: 1.3,
    socket: i % 50 === 7 ? 'failed' : 'opened',
    more: { study, zone: ZONES[i % ZONES.length], ...(isLeft && { ending: 'hidden', blocks: [] }) },
  });
}

/**
 * Sends records as fast as they are acknowledged.
 * @param {string} origin @param {string} study @returns {Promise<Map<number, number>>} how many had which status
 */
async function sendAll(origin, study) {
  /** @type {Map<number, number>} */
  const statuses = new Map();
  let next = 0;
  const sendOnes = async () => {
    while (next < RECORD_COUNT) {
      const status = await sendRecord(origin, recordOf(study, next++));
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
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
  /** Holds what a study says to what was sent. @param {string} origin @param {string} study */
  async function assertExact(origin, study) {
    const read = await fetch(`${origin}/api/studies?label=${study}&part=users`);
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
    const byDay = days.reduce((/** @type {number} */ sum, /** @type {any} */ { count }) => sum + count, 0);
    assert.equal(byDay, all.count);
  }

  it('are all counted, exactly, and another visitor’s messages do not wait for them', async (t) => {
    const server = await startMeasuredServer({ fieldRecordsPerHour: ATTEMPTS * RECORD_COUNT });
    let count = 0;
    try {
      await holdsOnce(
        t,
        async () => {
          const study = `users-${count++}`;
          await createStudyOfUsers(server.origin, study);
          const sent = sendAll(server.origin, study);
          const times = await timeMessages(server.origin, sent);
          assert.deepEqual([...(await sent)], [[204, RECORD_COUNT]]);
          await assertExact(server.origin, study);
          const p95Ms = Number(quantile(times, 0.95));
          const said = `p95 ${p95Ms.toFixed(1)} ms of ${times.length} messages`;
          t.diagnostic(said);
          return times.length >= 100 && p95Ms < MAX_OTHER_MS ? undefined : said;
        },
        ATTEMPTS,
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
        // In thousandths of a logarithm: a fifth faster.
        add(`band=${bin % 50} gain`, 182 * count);
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
