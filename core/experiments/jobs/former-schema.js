/** Reads documents of schema 1: the same runs under other names. Only names change; faults are found by the check. */
import { measurement } from './measure.js';

/** The current name of each field, by its former name. */
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

/** The functions that upgrade a document, by its former schema. @type {Record<string, (document: any) => any>} */
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

/** @param {any} value @param {ReadonlyMap<string, string>} names @returns {any} the same value, if it has no fields */
function rename(value, names) {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  // Today's names are unknown to schema 1.
  if ([...names.values()].some((name) => Object.hasOwn(value, name))) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [names.get(name) ?? name, part]));
}
