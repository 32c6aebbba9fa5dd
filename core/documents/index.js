/**
 * The documents that a run leaves behind, one kind for each experiment: read, checked, and told in short. Nothing in them
 * is taken on trust but the samples themselves.
 *
 * docs/results-format.md describes them; a kind's schema has another name with every change that an old reader would
 * misread.
 */
import { classic } from './classic.js';
import { countdown } from './countdown.js';
import { createFields } from './fields.js';
import { formatIssue } from './format-issue.js';
import { fixedRate } from './fixed-rate.js';
import { inFlight } from './in-flight.js';
import { jobs } from './jobs.js';
import { payload } from './payload.js';
import { shootout } from './shootout.js';

/**
 * @typedef {object} Problem
 * @property {string} path of the field, its steps with dots between; empty for the whole
 * @property {string} message what was expected
 *
 * @typedef {object} Digest what lists and comparisons show of a document, computed from its samples
 * @property {string} startedAt ISO 8601, by the visitor's clock
 * @property {string} origin that was measured
 * @property {string} server its name
 * @property {string} [location]
 * @property {string} [version]
 * @property {string} [browser] its name and version, or that of Node.js; absent in runs that were saved before 0.2
 * @property {string[]} transports
 * @property {boolean} isValid
 * @property {string} headline a few words
 * @property {string} detail the figures behind them
 * @property {number} sampleCount
 * @property {number} failureCount
 * @property {import('../plan.js').Plan} [plan] of a shootout
 * @property {number} [floorMs] its smallest round trip, which stands for the distance
 * @property {Omit<import('../compare.js').Comparison, 'centres'>} [comparison] what its verdict is about
 * @property {{ iterations: number, elapsedMs?: number }[]} [classic] each run of a classic page, by the clock of 2012
 *
 * @typedef {object} Kind
 * @property {string} experiment by which addresses and filters call it
 * @property {string} label for people
 * @property {string} schema its name, with its version
 * @property {(v: import('./fields.js').Valibot, fields: ReturnType<typeof createFields>) => import('valibot').GenericSchema} schemaOf
 * @property {(document: any) => Problem | undefined} problemOf what the schema cannot say; absent where all is well
 * @property {(document: any) => Digest} digest of one without a problem
 * @property {(document: any) => string} formatCsv a line for each sample and each failure
 */

/** What one document may hold. */
export const MAX_DOCUMENT_BYTES = 4 * 1024 * 1024;
export const MAX_DOCUMENT_SAMPLES = 200_000;

/** @type {readonly Kind[]} */
export const KINDS = Object.freeze([shootout, inFlight, fixedRate, jobs, payload, countdown, classic]);

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
 * @param {string} experiment
 * @returns {Kind | undefined}
 */
export function kindOf(experiment) {
  return KINDS.find((kind) => kind.experiment === experiment);
}

/**
 * @param {import('./fields.js').Valibot} v the validation library
 * @returns {(document: unknown) => { kind: Kind, document: any }} throws a DocumentError
 */
export function createDocumentCheck(v) {
  const fields = createFields(v);
  const schemas = new Map(KINDS.map((kind) => [kind, kind.schemaOf(v, fields)]));

  return (given) => {
    const name = /** @type {any} */ (given)?.schema;
    const kind = KINDS.find(({ schema }) => schema === name);
    if (!kind) {
      const expected = KINDS.map(({ schema }) => schema).join(', ');
      throw new DocumentError({ path: 'schema', message: `expected one of ${expected}, got ${quote(name)}` });
    }
    const { output: document, issues } = v.safeParse(/** @type {any} */ (schemas.get(kind)), given, {
      abortEarly: true,
    });
    if (issues) {
      const [issue] = issues;
      throw new DocumentError({ path: v.getDotPath(/** @type {any} */ (issue)) ?? '', message: formatIssue(issue) });
    }
    const problem = kind.problemOf(document);
    if (problem) throw new DocumentError(problem);
    return { kind, document };
  };
}

/** @param {unknown} value */
function quote(value) {
  return typeof value === 'string' ? `“${value.slice(0, 60)}”` : 'none';
}
