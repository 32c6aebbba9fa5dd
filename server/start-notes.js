/** What a person reads who starts the site in a terminal; programs read the log. */

/**
 * Writes a line beside the log, where a person reads along.
 * @param {string} line @param {{ isTTY?: boolean, write(text: string): unknown }} [terminal]
 */
export function tell(line, terminal = process.stderr) {
  if (terminal.isTTY) terminal.write(`${line}\n`);
}
