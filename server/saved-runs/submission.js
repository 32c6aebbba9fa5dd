/** Checks what a visitor shares: a document and, optionally, a label, a note and a place. Only the samples are used. */
import { isUtf8 } from 'node:buffer';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import busboy from 'busboy';
import * as v from 'valibot';
import { atMost, OF_LINE } from '../../core/experiment/documents/document-fields.js';
import { formatIssue, DocumentError, MAX_DOCUMENT_BYTES } from '../../core/experiment/documents/check.js';
import { boundDigest } from '../../core/experiment/documents/digest.js';
import { digestOf } from '../../core/experiment/documents/document-digest.js';
import { findContradictions } from '../../core/experiment/documents/contradictions.js';
import { MAX_SAMPLES } from '../../core/experiment/plan/fields.js';
import { openRun } from '../../core/experiment/run/open-run.js';
import { createDocumentCheck, fullTest } from '../../core/full-test/all.js';
import { SUBMISSION_SCHEMA } from '../../core/experiments/countdown/submission.js';

/**
 * @import { Experiment } from '../../core/experiment/contract.js'
 * @import { Digest } from '../../core/experiment/documents/digest.js'
 * @typedef {{ label?: string, note?: string, place?: { name: string } }} CheckedWords those that are given; undefined: to be removed
 * @typedef {{ experiment: string, digest: Digest, document: Buffer }} PackedRun `document`: its JSON, by gzip
 * @typedef {PackedRun & { parts: PackedRun[] }} PackedWhole `parts`: the runs that it is made of, if there are any
 * @typedef {PackedWhole & CheckedWords} CheckedSubmission
 * @typedef {object} CheckedForm
 * @property {PackedWhole} submission
 * @property {{ count: number, total_iterations: number }} counts
 * @property {string} [uuid] of the submission that it replaces
 */

/** Text with line breaks and tabs. */
const OF_LINES = `(?:${OF_LINE}|[\\n\\t])`;

/** The maximum size of a request body: the words, with the longest escapes of JSON, and a document with them. */
export const MAX_WORDS_BYTES = 64 * 1024;
export const MAX_SUBMISSION_BYTES = MAX_DOCUMENT_BYTES + MAX_WORDS_BYTES;
/** The maximum size of the form of 2019: a thousand runs, with the longest names, need half of it. */
export const MAX_FORM_BYTES = 1024 * 1024;
/** The limits of the form that saves a run: the characters of each field, and the bytes of the document's JSON. */
export const FORM_LIMITS = { label: 80, note: 2000, place: 100, documentBytes: MAX_DOCUMENT_BYTES };

const compress = promisify(gzip);

/** Of the form of 2019. */
const FORM_FIELDS = ['runs', 'submission'];

/** @param {number} max as it is sent: in normal form a character may be three */
export const text = (max, character = OF_LINE) =>
  v.pipe(
    v.string(),
    v.regex(
      atMost(max, character),
      `expected at most ${max} characters, without direction-changing or control characters`,
    ),
    v.normalize('NFC'),
    v.trim(),
    v.transform((trimmed) => trimmed || undefined),
  );

const placeSchema = v.pipe(
  v.strictObject({ name: v.optional(text(FORM_LIMITS.place)) }),
  v.transform(({ name }) => (name === undefined ? undefined : { name })),
);

/** What the visitor says about a run. */
export const wordsSchema = v.strictObject({
  label: v.optional(text(FORM_LIMITS.label)),
  note: v.optional(text(FORM_LIMITS.note, OF_LINES)),
  place: v.optional(placeSchema),
});

export const submissionSchema = v.strictObject({
  // The document's own schema checks it.
  document: v.unknown(),
  ...wordsSchema.entries,
});

const checkDocument = createDocumentCheck(v);

/**
 * @param {Uint8Array} body JSON @param {{ nowMs: number }} options by the server's clock
 * @returns {Promise<CheckedSubmission>} @throws {DocumentError}
 */
export async function checkSubmission(body, { nowMs }) {
  const { document, ...words } = parseBody(submissionSchema, body);
  return { ...words, ...(await checkWhole(document, { nowMs, place: 'document' })) };
}

/** Checks what a visitor says about a run. @param {Uint8Array} body JSON @returns {CheckedWords} @throws {DocumentError} */
export const checkWords = (body) => parseBody(wordsSchema, body);

/**
 * Parses JSON by a schema; throws a DocumentError that names the field.
 * @template {v.GenericSchema} S @param {S} schema @param {Uint8Array} body @returns {v.InferOutput<S>}
 */
export function parseBody(schema, body) {
  const given = parseJson(body);
  refuseLists(given);
  const { output, issues } = v.safeParse(schema, given, { abortEarly: true });
  if (issues) throw problem(v.getDotPath(issues[0]) ?? '', formatIssue(issues[0]));
  return output;
}

/**
 * Checks what the app of 2019 shares. @throws {DocumentError}
 * @param {{ body: Uint8Array<ArrayBuffer>, contentType: string, nowMs: number }} form `nowMs`: by the server's clock
 * @returns {Promise<CheckedForm>}
 */
export async function checkForm({ body, contentType, nowMs }) {
  // The form's parser replaces bytes that are not valid UTF-8.
  if (!isUtf8(body)) throw problem('runs', 'expected JSON in UTF-8');
  const form = await parseForm(body, contentType);
  const runs = parseJson(Buffer.from(String(form.get('runs'))), 'runs');
  const submission = await checkWhole({ schema: SUBMISSION_SCHEMA, runs }, { nowMs });
  const total_iterations = runs.reduce((/** @type {number} */ sum, /** @type {any} */ run) => sum + run.iterations, 0);
  const uuid = form.get('submission') || undefined;
  return { submission, counts: { count: runs.length, total_iterations }, uuid };
}

/**
 * Reads three parts at most: a form that is compressed to a few kilobytes may have tens of thousands.
 * @param {Uint8Array} body @param {string} contentType
 * @returns {Promise<Map<string, string>>} the fields @throws {DocumentError}
 */
async function parseForm(body, contentType) {
  /** @type {Map<string, string>} */
  const fields = new Map();
  const headers = { 'content-type': contentType };
  // busboy emits partsLimit once it has read that many parts, even if no other follows.
  const parts = FORM_FIELDS.length + 1;
  await new Promise((resolve, reject) => {
    const refuse = () => reject(problem('', `expected ${FORM_FIELDS.join(' and ')}, each at most once, and no file`));
    const parser = busboy({ headers, limits: { parts, files: 0, fieldSize: MAX_FORM_BYTES } });
    parser.on('field', (name, value) => {
      if (!FORM_FIELDS.includes(name) || fields.has(name)) refuse();
      else fields.set(name, value);
    });
    for (const limit of ['partsLimit', 'filesLimit']) parser.on(limit, refuse);
    parser.on('error', reject).on('close', resolve);
    parser.end(body);
  }).catch((error) => {
    throw error instanceof DocumentError ? error : problem('', 'expected a multipart/form-data form');
  });
  return fields;
}

/**
 * @param {unknown} given @param {{ nowMs: number, place?: string }} options `place`: its path in what was sent
 * @returns {Promise<PackedWhole>}
 */
async function checkWhole(given, { nowMs, place }) {
  const { experiment, document } = checkIn(place, given, nowMs);
  const whole = await packRun(experiment, document);
  const runs = experiment === fullTest ? openRun(fullTest, document).parts : [];
  const parts = await Promise.all(runs.map((run) => packRun(run.experiment, run.document)));
  return { ...whole, parts };
}

/** @param {Experiment} experiment @param {any} document that was checked @returns {Promise<PackedRun>} */
async function packRun(experiment, document) {
  const json = JSON.stringify(document);
  refuseAbove(MAX_DOCUMENT_BYTES, 'bytes', Buffer.byteLength(json));
  const digest = boundDigest(digestOf(experiment, document));
  refuseAbove(MAX_SAMPLES, 'samples', digest.sampleCount);
  if (!isFiniteThroughout(digest)) throw problem('document', 'expected samples that give finite figures');
  return { experiment: experiment.name, digest, document: await compress(json) };
}

/** @param {string} path @param {string} message */
function problem(path, message) {
  return new DocumentError({ path, message });
}

/** @param {number} max @param {string} unit @param {number} got */
function refuseAbove(max, unit, got) {
  if (got > max) throw problem('document', `expected at most ${max} ${unit}, got ${got}`);
}

/** Refuses lists, as the validation library accepts an empty list as an object without fields. @param {any} given */
function refuseLists(given) {
  const objects = { place: given?.place, 'document.coldSetUpMs': given?.document?.coldSetUpMs };
  const [path] = Object.entries(objects).find(([, part]) => Array.isArray(part)) ?? [];
  if (path) throw problem(path, 'expected an object, got an array');
}

/** @param {Uint8Array} body @param {string} [path] of it in what was sent */
function parseJson(body, path = '') {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw problem(path, 'expected JSON in UTF-8');
  }
}

/** @param {string | undefined} place @param {unknown} given @param {number} nowMs @throws {DocumentError} whose path begins there */
function checkIn(place, given, nowMs) {
  try {
    const checked = checkDocument(given);
    const [contradiction] = findContradictions(checked.experiment, checked.document, { nowMs });
    if (contradiction) throw new DocumentError(contradiction);
    return checked;
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    throw problem([place, error.path].filter(Boolean).join('.'), error.reason);
  }
}

/** Checks that all numbers are finite, as JSON cannot represent others. @param {unknown} value @returns {boolean} */
function isFiniteThroughout(value) {
  if (typeof value === 'number') return Number.isFinite(value);
  return value === null || typeof value !== 'object' || Object.values(value).every(isFiniteThroughout);
}
