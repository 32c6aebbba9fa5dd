import * as valibot from 'valibot';
import { InvalidInputError } from '../../../core/base/foreign-text.js';
import { describeMarks, openDocument } from '../../../core/experiment/documents/contradictions.js';
import { parseDocument } from '../../../core/experiment/documents/check.js';
import { shootout } from '../../../core/experiments/shootout/index.js';

/** @import { Result } from '../../../core/experiments/shootout/index.js' */

/**
 * @param {string} text of a file
 * @returns {{ result: Result, contradictions: string } | { problem: string }} `contradictions`: its contradictions as
 *   sentences, empty if there are none; `problem`: why it is not a run. It is not thrown, as the classes of errors in
 *   this script are its own
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
