import * as valibot from 'valibot';
import { InvalidInputError } from '../../../core/base/foreign-text.js';
import { describeMarks, openDocument } from '../../../core/experiment/documents/contradictions.js';
import { parseDocument } from '../../../core/experiment/documents/check.js';
import { shootout } from '../../../core/experiments/shootout/index.js';

/** @import { Result } from '../../../core/experiments/shootout/index.js' */

/**
 * @param {string} text of a file
 * @returns {{ result: Result, contradictions: string } | { problem: string }} `contradictions`: what cannot be true of it, in
 *   words, empty where it may be; `problem`: why it is no run. Not thrown: this script's classes of errors are its own
 */
export function readRun(text) {
  try {
    const { document, marks } = openDocument(shootout, parseDocument(text, valibot, shootout), { nowMs: Date.now() });
    return { result: document, contradictions: describeMarks(marks) };
  } catch (error) {
    if (error instanceof InvalidInputError) return { problem: error.message };
    throw error;
  }
}
