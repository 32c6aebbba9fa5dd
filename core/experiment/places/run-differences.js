/** In what shared runs differ, in words. */

/** @typedef {Record<string, string | undefined>} Facts of one run, by what they are about; undefined where not known */

/**
 * @param {readonly { number: number, facts: Facts }[]} runs
 * @returns {string[]} a sentence for each fact that is not the same in all that have it, with the runs' numbers
 * @example listDifferences([{ number: 1, facts: { Plan: 'a' } }, { number: 2, facts: { Plan: 'b' } }]) // ['Plan: a (1); b (2).']
 */
export function listDifferences(runs) {
  const names = [...new Set(runs.flatMap(({ facts }) => Object.keys(facts)))];
  return names.flatMap((name) => {
    const groups = groupNumbers(runs, name);
    if (groups.size < 2) return [];
    return `${name}: ${[...groups].map(([value, numbers]) => `${value} (${numbers.join(', ')})`).join('; ')}.`;
  });
}

/**
 * @param {readonly { number: number, facts: Facts }[]} runs @param {string} name
 * @returns {Map<string, number[]>} who has which
 */
function groupNumbers(runs, name) {
  /** @type {Map<string, number[]>} */
  const groups = new Map();
  for (const { number, facts } of runs.filter((run) => Object.hasOwn(run.facts, name))) {
    const value = facts[name] ?? 'not known';
    groups.set(value, [...(groups.get(value) ?? []), number]);
  }
  return groups;
}
