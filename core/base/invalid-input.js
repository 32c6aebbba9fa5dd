/** Somebody gave what cannot be used, and may give something else: "what: expected ..., got ...". */
export class InvalidInputError extends RangeError {
  /** @param {string} message @param {ErrorOptions} [options] */
  constructor(message, options) {
    super(message, options);
    this.name = 'InvalidInputError';
  }
}
