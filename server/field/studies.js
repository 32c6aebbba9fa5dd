/** Studies of users: each has an organiser, whose key alone may change it. */
import { createHash, randomBytes } from 'node:crypto';
import { checkStudy, checkStudyChanges } from '../saved-runs/study-of-users.js';

/**
 * @import { FieldStudy } from '../store/field.js'
 * @import { Store } from '../store/index.js'
 * @typedef {ReturnType<typeof createFieldStudies>} FieldStudies
 */

const KEY_BYTES = 24;

/** @param {{ store: Store, clock?: () => Date }} parts */
export function createFieldStudies({ store, clock = () => new Date() }) {
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

    /** @param {string} label @param {string} key @param {Uint8Array} body JSON of what changes @throws {DocumentError} */
    change: (label, key, body) => store.changeFieldStudy(label, hashOf(key), checkStudyChanges(body)),

    /** @param {string} label @param {string} key */
    delete: (label, key) => store.deleteFieldStudy(label, hashOf(key)),
  };
}

/** @param {string} key */
const hashOf = (key) => createHash('sha256').update(`field ${key}`).digest();
