import * as valibot from 'valibot';
import { describeMarks, openDocument } from '../../../core/experiment/documents/contradictions.js';
import { parseDocument } from '../../../core/experiment/documents/check.js';
import { shootout } from '../../../core/experiments/shootout/index.js';

/** @import { Result } from '../../../core/experiments/shootout/index.js' */

/**
 * @param {string} text of a file
 * @returns {{ result: Result, contradictions: string }} what cannot be
 *   true of it, in words; empty where it may be @throws {InvalidInputError} why it is no run
 */
export function readRun(text) {
  const { document, marks } = openDocument(parseDocument(text, valibot, shootout), { nowMs: Date.now() });
  return { result: document, contradictions: describeMarks(marks) };
}
