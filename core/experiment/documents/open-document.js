/**
 * A document that was stored or downloaded, as it is shown: it may be older than what is refused today, or changed by hand.
 */
import { visible, visibleThroughout } from '../../base/foreign-text.js';
import { findContradictions } from './contradictions/index.js';

/** As many as a page shows of one run; the first says enough. */
const MOST_MARKS = 5;

/**
 * @template T
 * @param {T} document that fits its format
 * @param {{ nowMs: number }} options `nowMs`: when it was saved, or is opened
 * @returns {{ document: T, marks: string[] }} its texts as they may be shown; what cannot be true of it, in sentences
 */
export function openDocument(document, { nowMs }) {
  const found = findContradictions(document, { nowMs });
  const marks = found.slice(0, MOST_MARKS).map(({ path, message }) => visible(`${path}: ${message}`));
  const others = found.length - marks.length;
  return { document: visibleThroughout(document), marks: others > 0 ? [...marks, `and ${others} more`] : marks };
}

/** @param {readonly string[]} marks @returns {string} a sentence; empty where there are none */
export function describeMarks(marks) {
  return marks.length === 0 ? '' : `This run contradicts itself, so it cannot be true: ${marks.join('; ')}.`;
}
