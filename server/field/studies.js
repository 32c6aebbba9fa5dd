/** Studies of users: each has an organiser, whose key alone may change it. */
import { createHash, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { foldName } from '../../core/base/fold.js';
import { checkStudy, checkStudyChanges } from '../saved-runs/study-of-users.js';

/**
 * @import { FieldStudy } from '../store/field.js'
 * @import { Store } from '../store/index.js'
 */

const KEY_BYTES = 24;
/** What another worker changes is known to this one by then. */
export const KEPT_MS = 5000;
const MAX_KEPT = 1000;

/** @typedef {ReturnType<typeof createFieldStudies>} FieldStudies */

/** @param {{ store: Store, clock?: () => Date, timer?: { now(): number } }} parts */
export function createFieldStudies({ store, clock = () => new Date(), timer = performance }) {
  /** @type {LRUCache<string, Promise<FieldStudy | undefined>>} those that records came for */
  const kept = new LRUCache({ max: MAX_KEPT, ttl: KEPT_MS, ttlResolution: 0, perf: timer });
  return {
    /**
     * @param {Uint8Array} body JSON @returns {Promise<{ study: FieldStudy, key: string } | undefined>} absent where the label is taken
     * @throws {DocumentError} for a body that is none
     */
    async create(body) {
      const { label, ...settings } = checkStudy(body);
      const study = { label, ...settings, isOn: true, createdAt: clock().toISOString() };
      const key = randomBytes(KEY_BYTES).toString('base64url');
      const outcome = await store.createFieldStudy(study, hashOf(key));
      return outcome === 'created' ? { study, key } : undefined;
    },

    /** @param {string} label */
    find: (label) => store.getFieldStudy(label),

    /**
     * Finds a study without asking the database for each record: as it was up to {@link KEPT_MS} ago, if another worker has changed it.
     * @param {string} label @returns {Promise<FieldStudy | undefined>}
     */
    findOfRecord(label) {
      const name = foldName(label);
      const known = kept.get(name);
      if (known) return known;
      const found = store.getFieldStudy(label);
      kept.set(name, found);
      const forget = () => kept.get(name) === found && kept.delete(name);
      // Of labels that are none, anybody can invent many.
      found.then((study) => study ?? forget(), forget);
      return found;
    },

    /** @param {string} label @param {string} key @param {Uint8Array} body JSON of what changes @throws {DocumentError} */
    async change(label, key, body) {
      const outcome = await store.changeFieldStudy(label, hashOf(key), checkStudyChanges(body));
      kept.delete(foldName(label));
      return outcome;
    },

    /** @param {string} label @param {string} key */
    async delete(label, key) {
      const outcome = await store.deleteFieldStudy(label, hashOf(key));
      kept.delete(foldName(label));
      return outcome;
    },
  };
}

/** @param {string} key */
const hashOf = (key) => createHash('sha256').update(`field ${key}`).digest();
