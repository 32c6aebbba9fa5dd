/** What visitors type, or a link asks for: read, and marked where it is wrong. */

/**
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

/** @param {HTMLElement} field @param {boolean} isWrong */
export function markField(field, isWrong) {
  if (isWrong) field.setAttribute('aria-invalid', 'true');
  else field.removeAttribute('aria-invalid');
}

/**
 * Marks the fields that a message is about, and says it with their labels in place of the link's parameters.
 * @param {readonly HTMLInputElement[]} fields are called what the parameters are
 * @param {string} message the parameter, or several as a product; after a colon what was expected. Empty: nothing is wrong
 */
export function markFaults(fields, message) {
  const [subject] = message.split(':');
  const parameters = [subject, ...subject.split(' ')];
  const wrong = fields.filter(({ name, disabled }) => !disabled && parameters.includes(name));
  for (const field of fields) markField(field, wrong.includes(field));
  /** @param {string} word */
  const nameOf = (word) => wrong.find(({ name }) => name === word)?.labels?.[0]?.textContent?.trim() ?? word;
  const whole = nameOf(subject);
  const named = whole === subject ? subject.split(' ').map(nameOf).join(' ') : whole;
  return named + message.slice(subject.length);
}
