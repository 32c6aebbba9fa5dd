/** What the words mean that tables use. `docs/terms.md` has these sentences, too. */

/**
 * @typedef {{ name: string, pattern: RegExp, definition: string }} Term `name`: of the term, and for an ID; `pattern`: of the word in a head;
 *   `definition`: without a capital letter, as behind a colon
 */

/** @type {readonly Term[]} */
export const TERMS = Object.freeze([
  {
    name: 'percentile',
    pattern: /\bp(?:50|90|95|99)\b/,
    definition: '90% of all values are at or below p90. p50 is the median.',
  },
  { name: 'jitter', pattern: /\bjitter\b/i, definition: 'how much a latency differs from the one before, on average.' },
  {
    name: 'break-even',
    pattern: /\bbreak-even\b/i,
    definition: 'after how many messages a slower connection setup is made up for by faster messages.',
  },
  { name: 'block', pattern: /\bblocks?\b/i, definition: 'everything in the plan once, in random order.' },
  {
    name: 'trial',
    pattern: /\btrials?\b/i,
    definition: 'one transport, method or load in one block: it connects, warms up, and is measured.',
  },
  {
    name: 'sample',
    pattern: /\bsamples\b/i,
    definition: 'one message and its echo, or one notification.',
  },
  {
    name: 'connection setup',
    pattern: /\bsetup\b/i,
    definition:
      'how long a connection takes to open. “New” counts the trials that opened one, “reused” those that used an open one.',
  },
]);

/**
 * Finds the first word of a text that has a definition.
 * @param {string} text @returns {{ before: string, word: string, after: string, term: Term } | undefined}
 */
export function findTerm(text) {
  for (const term of TERMS) {
    const found = term.pattern.exec(text);
    if (!found) continue;
    const end = found.index + found[0].length;
    return { before: text.slice(0, found.index), word: found[0], after: text.slice(end), term };
  }
  return undefined;
}
