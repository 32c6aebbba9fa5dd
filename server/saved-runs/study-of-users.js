/** Checks what an organiser says of a study of users: its label, the pages that may measure, and how many browsers do. */
import * as v from 'valibot';
import { readOrigin } from '../http/identity.js';
import { FORM_LIMITS, parseBody, text } from './submission.js';

/** @import { FieldSettings } from '../store/field.js' */

const MAX_ORIGINS = 20;
const DEFAULT_SAMPLE = 0.01;

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

/**
 * @param {Uint8Array} body JSON @returns {{ label: string, origins: FieldSettings['origins'], sample: number }}
 * @throws {DocumentError} where, what was expected, and what came
 */
export function checkStudy(body) {
  const { label, users } = parseBody(fieldStudySchema, body);
  return { label: String(label), ...users };
}

/** @param {Uint8Array} body JSON @returns {Partial<FieldSettings>} what changes @throws {DocumentError} */
export const checkStudyChanges = (body) => /** @type {Partial<FieldSettings>} */ (parseBody(fieldChangesSchema, body));
