/** Studies of users: each has an organiser, whose key alone may change it. */
import { createHash, randomBytes } from 'node:crypto';
import * as v from 'valibot';
import { readOrigin } from '../http/identity.js';
import { FORM_LIMITS, parseBody, text } from '../saved-runs/submission.js';

/**
 * @import { FieldSettings, FieldStudy } from '../store/field.js'
 * @import { Store } from '../store/index.js'
 * @typedef {ReturnType<typeof createFieldStudies>} FieldStudies
 */

const MAX_ORIGINS = 20;
const DEFAULT_SAMPLE = 0.01;
const KEY_BYTES = 24;

const originSchema = v.pipe(
  v.string(),
  v.transform((given) => readOrigin(given) ?? ''),
  v.check((origin) => origin !== '', 'expected the origin of a page, such as https://shop.example'),
);

const settings = {
  origins: v.pipe(
    v.array(originSchema),
    v.minLength(1, 'expected at least one origin'),
    v.maxLength(MAX_ORIGINS, `expected at most ${MAX_ORIGINS} origins`),
  ),
  sample: v.pipe(
    v.number(),
    v.check((sample) => sample > 0 && sample <= 1, 'expected a share of browsers above 0 and up to 1, such as 0.01'),
  ),
};

export const fieldStudySchema = v.strictObject({
  label: v.pipe(
    text(FORM_LIMITS.label),
    v.check((label) => label !== undefined, 'expected a label'),
  ),
  users: v.strictObject({ origins: settings.origins, sample: v.optional(settings.sample, DEFAULT_SAMPLE) }),
});

export const fieldChangesSchema = v.strictObject({
  origins: v.optional(settings.origins),
  sample: v.optional(settings.sample),
  isOn: v.optional(v.boolean()),
});

/** @param {{ store: Store, clock?: () => Date }} parts */
export function createFieldStudies({ store, clock = () => new Date() }) {
  return {
    /**
     * @param {Uint8Array} body JSON @returns {Promise<{ study: FieldStudy, key: string } | undefined>} absent where the label is taken
     * @throws {DocumentError} for a body that is none
     */
    async create(body) {
      const { label, users } = parseBody(fieldStudySchema, body);
      const study = { label: String(label), ...users, isOn: true, createdAt: clock().toISOString() };
      const key = randomBytes(KEY_BYTES).toString('base64url');
      const outcome = await store.createFieldStudy(study, hashOf(key));
      return outcome === 'created' ? { study, key } : undefined;
    },

    /** @param {string} label */
    find: (label) => store.getFieldStudy(label),

    /** @param {string} label @param {string} key @param {Uint8Array} body JSON of what changes @throws {DocumentError} */
    change: (label, key, body) =>
      store.changeFieldStudy(
        label,
        hashOf(key),
        /** @type {Partial<FieldSettings>} */ (parseBody(fieldChangesSchema, body)),
      ),

    /** @param {string} label @param {string} key */
    delete: (label, key) => store.deleteFieldStudy(label, hashOf(key)),
  };
}

/** @param {string} key */
const hashOf = (key) => createHash('sha256').update(`field ${key}`).digest();
