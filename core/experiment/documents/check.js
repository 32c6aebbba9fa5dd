/**
 * The documents that a run leaves behind, one format for each experiment: read, and checked. Nothing in them is taken on trust
 * but the samples themselves.
 *
 * docs/results-format.md describes them; a format has another name with every change that an old reader would
 * misread.
 */
import { createFields } from './fields.js';
import { formatIssue } from './format-issue.js';

/**
 * @import { Experiment, Problem } from '../contract.js'
 * @import { Valibot } from './fields.js'
 */

/** What one document may hold. */
export const MAX_DOCUMENT_BYTES = 4 * 1024 * 1024;

/** Why a document is none, and where. */
export class DocumentError extends RangeError {
  /** @param {Problem} problem */
  constructor({ path, message }) {
    super(`${path ? `${path}: ` : ''}${message}`);
    this.path = path;
    /** Without the path. */
    this.reason = message;
  }
}

/**
 * @param {Valibot} v the validation library
 * @param {readonly Experiment[]} experiments whose documents are expected
 * @returns {(document: unknown) => { experiment: Experiment, document: any }} throws a DocumentError
 */
export function createDocumentCheck(v, experiments) {
  const fields = createFields(v);
  const schemas = new Map(experiments.map((experiment) => [experiment, experiment.schemaOf(v, fields)]));

  return (given) => {
    const name = /** @type {any} */ (given)?.schema;
    const experiment = experiments.find(({ schema }) => schema === name);
    if (!experiment) {
      const expected = experiments.map(({ schema }) => schema).join(', ');
      throw new DocumentError({
        path: 'schema',
        message: `expected ${experiments.length > 1 ? 'one of ' : ''}${expected}, got ${quote(name)}`,
      });
    }
    const { output: document, issues } = v.safeParse(/** @type {any} */ (schemas.get(experiment)), given, {
      abortEarly: true,
    });
    if (issues) {
      const [issue] = issues;
      throw new DocumentError({ path: v.getDotPath(/** @type {any} */ (issue)) ?? '', message: formatIssue(issue) });
    }
    const problem = experiment.problemOf(document);
    if (problem) throw new DocumentError(problem);
    return { experiment, document };
  };
}

/** @param {unknown} value */
function quote(value) {
  return typeof value === 'string' ? `“${value.slice(0, 60)}”` : 'none';
}
