/**
 * Counts records. Those that come within a moment are written together, as a database takes as long for hundreds as for one; each is
 * acknowledged once it is durable.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import * as v from 'valibot';
import { nameBrowser } from '../../core/experiment/run/names.js';
import { createRecordSchema } from '../../core/field/record.js';
import { countersOf } from '../../core/field/tally.js';
import { RefusalError } from '../http/exchange.js';
import { parseBody } from '../saved-runs/submission.js';

/**
 * @import { FieldRecord } from '../../core/field/record.js'
 * @import { Store } from '../store/index.js'
 * @typedef {object} FieldRecords
 * @property {(record: FieldRecord, userAgent: string) => Promise<void>} add counts a record; resolves when it is durable, and rejects with
 *   a RefusalError with too many that are not written
 * @typedef {{ counters: Map<string, Map<string, number>>, count: number, written: Promise<void> }} Batch `counters`: by label
 */

const GATHERED_MS = 50;
/** More records are refused: the database takes none. */
const MAX_GATHERED = 10_000;
/** What programs call themselves that read pages as browsers do. */
const PROGRAMS = /Headless|bot\b|spider|crawl|Lighthouse|^Node\.js/i;

const recordSchema = createRecordSchema(v);

/** @param {Uint8Array} body JSON @returns {FieldRecord} @throws {DocumentError} for anything else */
export const checkRecord = (body) => named(parseBody(recordSchema, body));

/** Names of time zones, as to find one takes as long as all else about a record. @type {LRUCache<string, string>} */
const zoneNames = new LRUCache({ max: 1000 });

/**
 * Names the time zone as Node.js does: of two names for one, such as Asia/Calcutta and Asia/Kolkata, browsers say either.
 * @param {FieldRecord} record @returns {FieldRecord}
 */
function named(record) {
  const zone = zoneNames.get(record.zone) ?? nameZone(record.zone);
  zoneNames.set(record.zone, zone);
  return { ...record, zone };
}

/** @param {string} zone @returns {string} */
function nameZone(zone) {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    throw new RefusalError('bad-request', 'zone: expected a time zone of IANA, such as Europe/Zurich');
  }
}

/** Creates what counts the records of studies of users. @param {{ store: Store, clock?: () => Date }} parts @returns {FieldRecords} */
export function createFieldRecords({ store, clock = () => new Date() }) {
  /** @type {Batch | undefined} */
  let gathered;
  /** The batch before is written first: this process has one connection that writes. @type {Promise<unknown>} */
  let last = Promise.resolve();

  /** @returns {Batch} */
  function openBatch() {
    /** @type {Batch['counters']} */
    const counters = new Map();
    const write = async () => {
      await Promise.all([last.catch(() => {}), sleep(GATHERED_MS)]);
      gathered = undefined;
      await store.addFieldCounts([...counters].map(([label, own]) => ({ label, counters: own })));
    };
    const written = write();
    // Each who waits for it hears of a failure; that nobody does must not end the process.
    written.catch(() => {});
    last = written;
    return { counters, count: 0, written };
  }

  return {
    async add(record, userAgent) {
      gathered ??= openBatch();
      if (gathered.count >= MAX_GATHERED)
        throw new RefusalError('busy', 'Too many records are being saved. Try again later', 503);
      gathered.count++;
      const isAutomated = record.isAutomated || PROGRAMS.test(userAgent);
      const added = countersOf({ ...record, isAutomated }, { browser: browserOf(userAgent), day: dayOf(clock()) });
      const own = gathered.counters.get(record.study) ?? new Map();
      gathered.counters.set(record.study, own);
      for (const [name, amount] of added) own.set(name, (own.get(name) ?? 0) + amount);
      await gathered.written;
    },
  };
}

/** No browser has such a version: a client that makes them up would make as many counters. */
const MADE_UP = / \d{4,}$/;

/** @param {string} userAgent @returns {string} such as 'Firefox 145' */
function browserOf(userAgent) {
  const browser = nameBrowser(userAgent);
  return MADE_UP.test(browser) ? nameBrowser('') : browser;
}

/** @param {Date} date @returns {string} in UTC */
const dayOf = (date) => date.toISOString().slice(0, 10);
