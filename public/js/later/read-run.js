import * as valibot from 'valibot';
import { InvalidInputError } from '../../../core/base/foreign-text.js';
import { describeMarks, openDocument } from '../../../core/experiment/documents/contradictions.js';
import { parseDocument } from '../../../core/experiment/documents/check.js';
import { withoutComparison as shootout } from '../../../core/experiments/shootout/index.js';
import { fullTest, isFullTest } from '../run/home-parts.js';

/** @import { Measured } from '../run/home-parts.js' */

/**
 * @param {string} text of a file
 * @returns {{ result: Measured, contradictions: string } | { problem: string }} `contradictions`: its contradictions as
 *   sentences, empty if there are none; `problem`: why it is not a run. It is not thrown, as the classes of errors in
 *   this script are its own
 */
export function readRun(text) {
  try {
    const document = parseDocument(text, valibot, [shootout, fullTest]);
    const opened = openDocument(isFullTest(document) ? fullTest : shootout, document, { nowMs: Date.now() });
    return { result: opened.document, contradictions: describeMarks(opened.marks) };
  } catch (error) {
    if (error instanceof InvalidInputError) return { problem: error.message };
    throw error;
  }
}
