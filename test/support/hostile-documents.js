/**
 * Documents of every experiment in which each text that a visitor may choose is one given text.
 */
import { readSavedDocument } from './saved-documents.js';

/** What a schema takes any text for. */
const TEXTS = [
  'message', 'untested', 'refusal', 'httpVersion', 'headers', 'userAgent', 'protocol', 'server', 'location', 'version',
]; // prettier-ignore
/** So that lines about failures are made, too. */
const MADE = { failure: { outcome: 'timeout', message: '' }, answered: { status: 403, headers: '' } };

/**
 * @param {string} name of a saved document
 * @param {string} text
 * @returns {any} a document that fits its format, in which that text stands wherever any may
 */
export function createHostileDocument(name, text) {
  const { document } = readSavedDocument(name);
  if (name.startsWith('reach')) document.trials = document.trials.map(withFailure);
  const hostile = spoil(document, text);
  hostile.environment.url = new URL(encodePath(text), document.environment.url).href;
  return hostile;
}

/** What an address may have unencoded, and short enough for one. @param {string} text */
const encodePath = (text) => encodeURI([...text].slice(0, 30).join('')).replace(/%5B|%5D/g, decodeURIComponent);

/** A run whose server did not answer over HTTP would be invalid. @param {any} trial of reachability */
const withFailure = (trial) => (trial.untested || trial.check === 'http' ? trial : { ...trial, ...MADE });

/** @param {any} value @param {string} text @param {string} [name] of its field @returns {any} */
function spoil(value, text, name = '') {
  if (typeof value === 'string' && name === 'reason') return text.replaceAll('\n', ' ');
  if (typeof value === 'string') return TEXTS.includes(name) ? text : value;
  if (Array.isArray(value)) return value.map((part) => spoil(part, text));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, spoil(part, text, key)]));
}
