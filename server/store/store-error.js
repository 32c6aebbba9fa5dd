/**
 * The reasons why the store cannot be used, which visitors, the log and readiness checks must distinguish.
 * @typedef {keyof typeof EXPECTED} StoreReason
 */

const EXPECTED = {
  full: 'free disk space, got a full disk',
  'read-only': 'a writable database, got a read-only one',
  damaged: 'an intact database, got a damaged one',
  unavailable: 'a usable database, got none',
};

/** An error for the log and the operator. Its message has the path, the database's message, and what to do. */
export class StoreError extends Error {
  /** @param {{ reason: StoreReason, path: string, remedy: string, cause: any }} options the path is without a password */
  constructor({ reason, path, remedy, cause }) {
    super(`${path}: expected ${EXPECTED[reason]} (${cause.message || cause.code}); ${remedy}`, { cause });
    this.name = 'StoreError';
    this.reason = reason;
    this.path = path;
    this.remedy = remedy;
    /** @type {string | undefined} the database's own, or the system's */
    this.code = cause.code;
  }
}

/**
 * @param {string} path
 * @param {readonly (readonly [pattern: RegExp, reason: StoreReason, remedy: string])[]} reasons the pattern is of the
 *   error's code, or of its message where it has none
 * @returns {(error: any) => Error} a StoreError, or the error itself where no pattern matches
 */
export function createExplain(path, reasons) {
  return (error) => {
    if (error instanceof StoreError) return error;
    const found = reasons.find(([pattern]) => pattern.test(error.code ?? error.message));
    return found ? new StoreError({ reason: found[1], path, remedy: found[2], cause: error }) : error;
  };
}

/**
 * @template {Record<string, (...args: any[]) => Promise<any>>} T @param {T} functions
 * @param {(error: any) => Error} explain @returns {T} the same, but for their errors
 */
export function explainAll(functions, explain) {
  const rethrow = (/** @type {any} */ error) => Promise.reject(explain(error));
  const explained = Object.entries(functions).map(([name, act]) => {
    return [name, (/** @type {any[]} */ ...args) => act(...args).catch(rethrow)];
  });
  return Object.fromEntries(explained);
}
