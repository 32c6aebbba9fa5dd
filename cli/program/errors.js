/** What was asked for cannot be done as it was asked: what, expected, got. The program ends with 2. */
export class UsageError extends Error {}

/** The run did not come to a result, and why. The program ends with 1. */
export class RunError extends Error {}
