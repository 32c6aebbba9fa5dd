/**
 * What a person reads who starts the site in a terminal: what prevents a start, in one line on standard error, and notes beside the
 * log. It imports nothing, as it also says why no module can be loaded.
 */

export const NO_WORKING_FOLDER =
  'Working folder: expected one that exists, got one that was deleted; change to another folder';
/** The files that a start opens at once, most of them modules, and some more. */
const FILE_COUNT = 256;

/** Exits with one line that says why. @param {any} error @returns {never} */
export function fail(error) {
  // Where so few files may be open, that is the likely cause, whatever it led to.
  process.stderr.write(`${describeFileLimit() ?? error.message}\n`);
  process.exit(1);
}

/** @param {any} error of an import, or of what it began @returns {never} */
export function failToLoad(error) {
  // Where no more files may be open, Node.js says of some packages that they do not exist.
  if (describeFileLimit() !== undefined || error.code === 'EMFILE') fail(error);
  throw error;
}

/** Packages ask for it while they are loaded. */
export function requireWorkingFolder() {
  try {
    process.cwd();
  } catch {
    fail({ message: NO_WORKING_FOLDER });
  }
}

/** @returns {string | undefined} absent where the limit is no reason to fail */
function describeFileLimit() {
  Object.assign(process.report, { excludeNetwork: true });
  const { userLimits } = /** @type {{ userLimits?: { open_files?: { soft: unknown } } }} */ (
    process.report.getReport()
  );
  const limit = Number(userLimits?.open_files?.soft);
  if (!(limit < FILE_COUNT)) return undefined;
  return `ulimit -n: expected at least ${FILE_COUNT} files that may be open, got ${limit}; raise the limit`;
}

/**
 * Writes a line beside the log, where a person reads along.
 * @param {string} line @param {{ isTTY?: boolean, write(text: string): unknown }} [terminal]
 */
export function tell(line, terminal = process.stderr) {
  if (terminal.isTTY) terminal.write(`${line}\n`);
}
