/** What a run was set to, in the words of its form: its plan, and the situation of a full test. */
import { formatSpan } from '../base/format.js';
import { openRun } from '../experiment/run/open-run.js';
import { SITUATION_FIELDS } from '../experiment/plan/situation.js';

/**
 * @import { Experiment, FullTestPart } from '../experiment/contract.js'
 * @import { Field, Fields } from '../experiment/plan/fields.js'
 * @import { Opening } from '../experiment/run/open-run.js'
 * @typedef {Opening & { fields?: Fields, fullTest?: FullTestPart }} WithSettings an experiment, or the full test
 */

/** What earlier releases did not ask for was as it is if nothing else is chosen. @param {Fields} fields @returns {Fields} */
function withDefaults(fields) {
  const entries = Object.entries(fields).map(([name, field]) => [name, { before: field.default, ...field }]);
  return Object.freeze(Object.fromEntries(entries));
}

/** Some labels continue the sentence of a form, which nothing does here. @type {Fields} */
const SITUATION = withDefaults({
  ...SITUATION_FIELDS,
  does: { ...SITUATION_FIELDS.does, label: 'The page' },
  uses: { ...SITUATION_FIELDS.uses, label: 'It uses' },
  considers: { ...SITUATION_FIELDS.considers, label: 'Compared with' },
  messageMattersMs: { ...SITUATION_FIELDS.messageMattersMs, label: 'Users notice, per message' },
  newsMattersMs: { ...SITUATION_FIELDS.newsMattersMs, label: 'Users notice, for news' },
  lateMs: { ...SITUATION_FIELDS.lateMs, label: 'News may be late by' },
});

/**
 * Returns the settings of a run.
 * @param {WithSettings} experiment @param {any} whole its document
 * @returns {Record<string, string>} by label, of those that a form shows
 */
export function settingsOf(experiment, whole) {
  const { parts } = openRun(experiment, whole);
  const { situation } = whole;
  if (!experiment.members) return describePlan(parts[0].experiment, parts[0].plan);
  const tests = parts.map(({ experiment: { fullTest } }) => String(fullTest?.question));
  return Object.assign(
    { ...describe(SITUATION, situation), Tests: tests.join(', ') },
    ...parts.map(({ experiment: member, plan }, i) =>
      describePlan({ fields: withoutFitted(member, situation) }, plan, `${tests[i]}: `),
    ),
  );
}

/**
 * What a full test fits to the round-trip time differs with the place. @param {Experiment} member @param {any} situation
 * @returns {Fields}
 */
function withoutFitted({ fields, fullTest }, situation) {
  const [near, far] = [1, 1000].map((roundTripMs) => fullTest?.quickPlan(situation, { roundTripMs, seed: 1 }));
  const isKept = (/** @type {string} */ name) => String(near?.[name]) === String(far?.[name]);
  return Object.fromEntries(Object.entries(fields).filter(([name]) => isKept(name)));
}

/** @param {{ fields?: Fields }} experiment @param {any} [plan] @param {string} [before] its labels */
const describePlan = ({ fields = {} }, plan = {}, before = '') => ({
  ...(plan.preset && { [`${before}Preset`]: String(plan.preset) }),
  ...describe(fields, plan, before),
});

/** @param {Fields} fields @param {any} values @param {string} [start] of labels @returns {Record<string, string>} */
const describe = (fields, values, start = '') =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => {
      const value = values[name] ?? field.before;
      return field.label && value !== undefined ? [[start + field.label, formatValue(field, value)]] : [];
    }),
  );

/** @param {Field} field @param {any} value @returns {string} */
function formatValue(field, value) {
  const values = [value].flat();
  if ('choices' in field) return values.map((name) => field.choices[name] ?? name).join(', ');
  if (field.unit === 'ms') return values.map(formatSpan).join(', ');
  return [values.map((one) => one.toLocaleString('en')).join(', '), field.unit].filter(Boolean).join(' ');
}
