/** Finds what differs between runs, and says it: in Markdown by the runs' numbers, on pages by their names. */
import { capitalize, listOf } from '../base/format.js';
import { nameRuns } from './sentence.js';

/** @typedef {{ name: string, values: { number: number, value: string }[] }} Difference the value of each run that has one */

/**
 * Lists the facts that differ between the runs that have them.
 * @param {readonly { number: number, facts: Readonly<Record<string, string | undefined>> }[]} runs undefined: unknown
 * @returns {Difference[]}
 */
export function findDifferences(runs) {
  const names = [...new Set(runs.flatMap(({ facts }) => Object.keys(facts)))];
  return names
    .map((name) => ({
      name,
      values: runs
        .filter(({ facts }) => Object.hasOwn(facts, name))
        .map(({ number, facts }) => ({ number, value: facts[name] ?? 'unknown' })),
    }))
    .filter(({ values }) => new Set(values.map(({ value }) => value)).size > 1);
}

/** @param {Difference} difference @returns {string} like 'Plan: a (1, 3); b (2).' */
export function describeDifference({ name, values }) {
  const clauses = groupByValue(values).map(({ value, numbers }) => `${value} (${numbers.join(', ')})`);
  return `${name}: ${clauses.join('; ')}.`;
}

/** What a run did with a fact; of others, the sentence has its name and its values. @type {Readonly<Record<string, string>>} */
const VERBS = Object.freeze({ Browser: 'used', Protocols: 'used', Server: 'measured', Plan: 'ran' });
/** Longer names, in characters, would hide what differs. */
const MAX_NAME = 32;

/**
 * Says a difference on a page: what few runs have stands first, and most are 'the others'.
 * @param {Difference} difference @param {readonly string[]} names of all runs, by their number from 1 on
 * @returns {{ lead: string, words: string }} such as 'Bonn' and 'used Firefox 152; the others used Chrome 156.'
 */
export function tellDifference({ name, values }, names) {
  const nameAll = (/** @type {readonly number[]} */ numbers) => {
    const own = numbers.map((number) => names[number - 1] ?? '');
    const isClear = own.every(
      (one) => one !== '' && one.length <= MAX_NAME && names.indexOf(one) === names.lastIndexOf(one),
    );
    return isClear ? listOf(own) : nameRuns(numbers.map(String));
  };
  const groups = groupByValue(values);
  const usual = groups.find(({ numbers }) => numbers.length > values.length / 2 && numbers.length > 1);
  const said = [
    ...groups.filter((one) => one !== usual).map(({ value, numbers }) => ({ value, who: nameAll(numbers) })),
    ...(usual ? [{ value: usual.value, who: 'the others' }] : []),
  ];
  const verb = VERBS[name];
  if (!verb) return { lead: `${name}:`, words: `${said.map(({ value, who }) => `${value} (${who})`).join('; ')}.` };
  const [first, ...rest] = said;
  const clauses = [`${verb} ${first.value}`, ...rest.map(({ value, who }) => `${who} ${verb} ${value}`)];
  return { lead: capitalize(first.who), words: `${clauses.join('; ')}.` };
}

/** @param {Difference['values']} values @returns {{ value: string, numbers: number[] }[]} `numbers`: of the runs that have it */
const groupByValue = (values) =>
  [...new Set(values.map(({ value }) => value))].map((value) => ({
    value,
    numbers: values.filter((one) => one.value === value).map(({ number }) => number),
  }));
