/** The documents that a run leaves behind, read and checked; docs/results-format.md describes them. */
import { InvalidInputError, parseJson, visible } from '../../base/foreign-text.js';
import { withoutSummary } from './export.js';
import { schemaOf } from './schemas.js';
import { isDocumentOf, schemasOf } from '../run/open-run.js';
import { createFields } from './document-fields.js';
import { problemOf } from './problem.js';

/**
 * @import { Experiment, Problem } from '../contract.js'
 * @import { Valibot } from '../../base/valibot.js'
 * @typedef {(document: unknown) => { experiment: Experiment, document: any }} DocumentCheck throws a DocumentError
 */

export const MAX_DOCUMENT_BYTES = 4 * 1024 * 1024;

/** An error in a document, with its path. */
export class DocumentError extends InvalidInputError {
  /** @param {Problem} problem */
  constructor({ path, message }) {
    super(message, { fields: path ? [path] : [] });
    this.path = path;
  }
}

/**
 * @param {Valibot} v the validation library @param {readonly Experiment[]} experiments whose documents are expected
 * @returns {DocumentCheck}
 */
export function createDocumentCheck(v, experiments) {
  const fields = createFields(v);
  const schemas = new Map(experiments.map((experiment) => [experiment, schemaOf(experiment, v, fields)]));

  return (exported) => {
    const given = withoutSummary(exported);
    const name = given?.schema;
    const experiment = experiments.find((one) => isDocumentOf(one, { schema: name }));
    const schema = experiment && schemas.get(experiment);
    if (!schema) {
      const expected = experiments.flatMap(schemasOf).join(', ');
      const got = typeof name === 'string' ? `“${visible(name.slice(0, 60))}”` : 'none';
      const message = `expected ${experiments.length > 1 ? 'one of ' : ''}${expected}, got ${got}`;
      throw new DocumentError({ path: 'schema', message });
    }
    const { output: document, issues } = v.safeParse(schema, given, { abortEarly: true });
    if (issues) throw new DocumentError({ path: v.getDotPath(issues[0]) ?? '', message: formatIssue(issues[0]) });
    const problem = problemOf(experiment, document);
    if (problem) throw new DocumentError(problem);
    return { experiment, document };
  };
}

/**
 * Formats an issue in this project's form: expected, got.
 * @param {{ message: string, expected: string | null, received: string }} issue
 */
export function formatIssue({ message, expected, received }) {
  if (message.startsWith('expected ')) return message;
  if (expected === 'never') return 'expected no such field';
  if (expected === null) return message;
  const wanted = expected
    .replace(/[()]/g, '')
    .replaceAll(' | ', ', ')
    .replace(/^>=/, 'at least ')
    .replace(/^<=/, 'at most ');
  return `expected ${wanted}, got ${visible(received.slice(0, 60))}`;
}

/**
 * Reads a run from the text of a file, and checks it.
 * @param {string} text @param {Valibot} v @param {Experiment | readonly Experiment[]} expected @returns {any}
 * @throws {InvalidInputError} why not
 */
export function parseDocument(text, v, expected) {
  try {
    const given = parseJson(text);
    if (given === undefined) throw new DocumentError({ path: '', message: 'expected JSON, got something else' });
    // The answer of `/api/results/ID` has the document within it.
    const isAnswer = given?.schema === undefined && given?.document;
    return createDocumentCheck(v, [expected].flat())(isAnswer ? given.document : given).document;
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    throw new InvalidInputError(`This file is not a SockShootout run: ${error.message}`, { cause: error });
  }
}
