/**
 * Reads what a visitor typed or a link asks for.
 *
 * @template T
 * @param {() => T} read throws a RangeError: what, expected, got
 * @param {(message: string) => void} [say] gets what is wrong; empty where all is right
 * @returns {T | undefined} absent where something is wrong
 */
export function tryOrSay(read, say = () => {}) {
  try {
    say('');
    return read();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    say(error.message);
    return undefined;
  }
}
