/** What a visitor shares: a document and, optionally, a label, a note and a place. Only the samples are taken from it. */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import * as v from 'valibot';
import { atMost, OF_LINE } from '../../core/experiment/documents/fields.js';
import { formatIssue, DocumentError, MAX_DOCUMENT_BYTES } from '../../core/experiment/documents/check.js';
import { findContradictions } from '../../core/experiment/documents/contradictions.js';
import { MAX_SAMPLES } from '../../core/experiment/fields.js';
import { createDocumentCheck } from '../../core/experiments/all.js';

/**
 * @import { Digest } from '../../core/experiment/contract.js'
 * @import { Place } from '../store/index.js'
 */

/** Text with line breaks and tabs. */
const OF_LINES = `(?:${OF_LINE}|[\\n\\t])`;
/** No address can end in these: a browser takes them for the folder itself and the one above. */
const MORE_THAN_DOTS = '(?!\\s*\\.{1,2}\\s*$)';

/** What stands around a document, escaped as badly as JSON allows. */
const MAX_AROUND_BYTES = 64 * 1024;

/** Of a request's body. */
export const MAX_SUBMISSION_BYTES = MAX_DOCUMENT_BYTES + MAX_AROUND_BYTES;

/** What a form that saves must keep to, by its fields: characters, and the bytes of the document's JSON. */
export const FORM_LIMITS = Object.freeze({ label: 80, note: 2000, place: 100, documentBytes: MAX_DOCUMENT_BYTES });

const compress = promisify(gzip);

/**
 * @param {number} most as it is sent: in normal form a character may be three
 * @param {string} character
 * @param {string} [beginning]
 */
const text = (most, character, beginning) =>
  v.pipe(
    v.string(),
    v.regex(
      atMost(most, character, beginning),
      `expected at most ${most} characters of text, more than dots and without control characters`,
    ),
    v.normalize('NFC'),
    v.trim(),
    v.transform((trimmed) => trimmed || undefined),
  );

/** @param {number} most */
const degrees = (most) =>
  v.pipe(
    v.number(),
    v.minValue(-most),
    v.maxValue(most),
    // No finer than some 10 km, whatever was sent.
    v.transform((exact) => Math.round(exact * 10) / 10 + 0),
  );

const placeSchema = v.pipe(
  v.strictObject({
    name: v.optional(text(FORM_LIMITS.place, OF_LINE)),
    latitude: v.optional(degrees(90)),
    longitude: v.optional(degrees(180)),
  }),
  v.check(
    ({ latitude, longitude }) => (latitude === undefined) === (longitude === undefined),
    'expected latitude and longitude, or neither',
  ),
  v.metadata({ dependentRequired: { latitude: ['longitude'], longitude: ['latitude'] } }),
);

export const submissionSchema = v.strictObject({
  // Looked at by its own schema.
  document: v.unknown(),
  label: v.optional(text(FORM_LIMITS.label, OF_LINE, MORE_THAN_DOTS)),
  note: v.optional(text(FORM_LIMITS.note, OF_LINES)),
  place: v.optional(placeSchema),
});

/**
 * @typedef {object} CheckedSubmission
 * @property {string} experiment
 * @property {string} [label]
 * @property {string} [note]
 * @property {Place} [place]
 * @property {Digest} digest
 * @property {Uint8Array} document its JSON, by gzip
 */

const checkDocument = createDocumentCheck(v);

/**
 * @param {Uint8Array} body JSON
 * @param {{ nowMs: number }} options by the server's clock
 * @returns {Promise<CheckedSubmission>} rejects with a DocumentError
 */
export async function checkSubmission(body, { nowMs }) {
  const given = parseJson(body);
  refuseLists(given);
  const { output, issues } = v.safeParse(submissionSchema, given, { abortEarly: true });
  if (issues) throw new DocumentError({ path: v.getDotPath(issues[0]) ?? '', message: formatIssue(issues[0]) });
  const { label, note, place } = output;
  const { experiment, document } = checkInDocument(output.document, nowMs);
  const json = JSON.stringify(document);
  const byteCount = Buffer.byteLength(json);
  if (byteCount > MAX_DOCUMENT_BYTES) throw tooMuch(`${MAX_DOCUMENT_BYTES} bytes`, byteCount);
  const digest = experiment.digest(document);
  if (digest.sampleCount > MAX_SAMPLES) throw tooMuch(`${MAX_SAMPLES} samples`, digest.sampleCount);
  if (!isFiniteThroughout(digest)) {
    throw new DocumentError({ path: 'document', message: 'expected samples that give finite figures' });
  }
  const isPlaced = place && Object.values(place).some((part) => part !== undefined);
  return {
    experiment: experiment.name,
    label,
    note,
    place: isPlaced ? place : undefined,
    digest,
    document: await compress(json),
  };
}

/** The validation library takes an empty list for an object without fields. @param {any} given */
function refuseLists(given) {
  const objects = { place: given?.place, 'document.coldSetUpMs': given?.document?.coldSetUpMs };
  const [path] = Object.entries(objects).find(([, part]) => Array.isArray(part)) ?? [];
  if (path) throw new DocumentError({ path, message: 'expected an object, got a list' });
}

/** @param {Uint8Array} body */
function parseJson(body) {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw new DocumentError({ path: '', message: 'expected JSON in UTF-8' });
  }
}

/** @param {unknown} given @param {number} nowMs @throws {DocumentError} whose path begins at the submission */
function checkInDocument(given, nowMs) {
  try {
    const checked = checkDocument(given);
    const [contradiction] = findContradictions(checked.document, { nowMs });
    if (contradiction) throw new DocumentError(contradiction);
    return checked;
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    const path = ['document', error.path].filter(Boolean).join('.');
    throw new DocumentError({ path, message: error.reason });
  }
}

/** @param {string} most @param {number} got */
function tooMuch(most, got) {
  return new DocumentError({ path: 'document', message: `expected at most ${most}, got ${got}` });
}

/** JSON has no place for what is not finite. @param {unknown} value @returns {boolean} */
function isFiniteThroughout(value) {
  if (typeof value === 'number') return Number.isFinite(value);
  return value === null || typeof value !== 'object' || Object.values(value).every(isFiniteThroughout);
}
