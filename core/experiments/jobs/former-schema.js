/** Documents of schema 1: the same runs by other names. Only names change; what is wrong about one is for the check to say. */
import { measurement } from './measure.js';

/** By its former name, what each field is called today. */
const OF_PLAN = new Map([
  ['ways', 'deliveries'],
  ['leastMs', 'minMs'],
  ['mostMs', 'maxMs'],
]);
const OF_TRIAL = new Map([
  ['way', 'delivery'],
  ['told', 'notified'],
]);
const OF_NOTIFIED = new Map([['toldAtMs', 'notifiedAtMs']]);

/** By its schema, what makes today's document of a former one. @type {Record<string, (document: any) => any>} */
export const formerSchemas = { 'sockshootout/jobs/1': upgrade };

/** @param {any} document whose schema alone is known */
function upgrade({ plan, trials, ...rest }) {
  return {
    ...rest,
    schema: measurement.schema,
    plan: rename(plan, OF_PLAN),
    trials: Array.isArray(trials) ? trials.map(upgradeTrial) : trials,
  };
}

/** @param {unknown} trial */
function upgradeTrial(trial) {
  const renamed = rename(trial, OF_TRIAL);
  return renamed?.notified ? { ...renamed, notified: rename(renamed.notified, OF_NOTIFIED) } : renamed;
}

/** @param {any} value @param {ReadonlyMap<string, string>} names @returns {any} as it was, where it has no fields */
function rename(value, names) {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [names.get(name) ?? name, part]));
}
