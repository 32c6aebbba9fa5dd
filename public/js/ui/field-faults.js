/**
 * Marks the fields that a message is about, and says it with their labels in place of the link's parameters.
 *
 * @param {readonly HTMLInputElement[]} fields are called what the parameters are
 * @param {string} message the parameter, or several as a product; after a colon what was expected. Empty: nothing is wrong
 * @returns {string}
 */
export function markFaults(fields, message) {
  const [subject] = message.split(':');
  const words = [subject, ...subject.split(' ')];
  const wrong = fields.filter(({ name, disabled }) => !disabled && words.includes(name));
  for (const field of fields) {
    if (wrong.includes(field)) field.setAttribute('aria-invalid', 'true');
    else field.removeAttribute('aria-invalid');
  }
  if (wrong.length === 0) return message;
  /** @param {string} word */
  const nameOf = (word) => labelOf(wrong.find(({ name }) => name === word)) ?? word;
  const whole = nameOf(subject);
  const named = whole === subject ? subject.split(' ').map(nameOf).join(' ') : whole;
  return named + message.slice(subject.length);
}

/** @param {HTMLInputElement} [field] */
const labelOf = (field) => field?.labels?.[0]?.textContent?.trim();
