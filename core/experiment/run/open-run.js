/**
 * Opens a stored document of any schema, and says whether its run is whole. Reports, lists and exports read its plan and its
 * trials, never the form in which a program stored them.
 */
import { linkPath } from '../plan/plan-link.js';

/**
 * @import { Described, Ending, Experiment } from '../contract.js'
 * @import { Linking } from '../plan/plan-link.js'
 * @import { Status } from '../../net/status.js'
 * @import { Situation } from '../plan/situation.js'
 * @typedef {object} Part what was measured by one experiment, whatever its schema
 * @property {string} [startedAt] absent if a client of 2019 measured
 * @property {any} plan
 * @property {any} environment absent if a client of 2019 measured
 * @property {Status} [statusBefore]
 * @property {Status} [statusAfter]
 * @property {any[]} trials
 * @property {Ending} [ending]
 * @property {Situation} [situation] for whom it answers, as a part of a full test
 * @property {readonly string[]} [paths] of the records that trials were stored in. Each says itself when it began and why it
 *   ended, and the plan is made of them: nothing else was stored of it
 *
 * @typedef {Part & { experiment: Experiment, document: any, path: string }} RunPart `document`: as it is stored; `path`: of it in
 *   that of the whole run, empty if it is all of it
 * @typedef {{ openStored?: Described['openStored'], members?: readonly Experiment[] }} Opening
 * @typedef {{ schema: string | readonly string[] }} Schemas of an experiment's documents
 */

/** @param {Schemas} experiment @returns {string[]} the schemas of all documents that it reads */
export const schemasOf = ({ schema }) => [schema].flat();

/** @param {Schemas} experiment @param {{ schema?: any }} document @returns {boolean} does it read such a document? */
export const isDocumentOf = (experiment, { schema }) => schemasOf(experiment).includes(schema);

/**
 * @param {{ openStored?: Described['openStored'] }} experiment @param {any} document of it, or a part that is open already
 * @returns {Part & Record<string, any>}
 */
export const openPart = ({ openStored }, document) =>
  openStored && Object.hasOwn(document, 'schema') ? openStored(document) : document;

/** @param {Linking} experiment @param {any} document @returns {string} the link that makes the same run */
export const planPath = (experiment, document) =>
  experiment.planPath?.(document) ?? linkPath(experiment, openPart(experiment, document).plan);

/**
 * Opens a document as a run: that of a full test has several parts, any other is one.
 * @param {Opening} experiment @param {any} whole its document @returns {{ parts: RunPart[] }} those that were measured
 */
export const openRun = ({ members, ...experiment }, whole) => ({
  parts: members
    ? whole.parts.flatMap((/** @type {any} */ { experiment: name, document: own }, /** @type {number} */ i) => {
        const member = members.find((one) => one.name === name);
        return member && own ? [{ ...asPart(member, own, `parts.${i}.document`), situation: whole.situation }] : [];
      })
    : [asPart(experiment, whole, '')],
});

/** @param {any} experiment @param {any} document @param {string} path @returns {RunPart} */
const asPart = (experiment, document, path) => ({ ...openPart(experiment, document), experiment, document, path });

/**
 * Opens a list of records, each of which has a trial.
 * @param {string} list its name in the document @param {readonly any[]} records
 */
export const openRecords = (list, records) => ({
  startedAt: records[0]?.startedAt,
  trials: records.map(({ trial, ...own }) => ({ ...own, ...trial })),
  paths: records.map((_, i) => `${list}.${i}`),
});

/**
 * Checks whether a run ended as planned: nobody shares by a press of a study's button, or by a command, what was stopped.
 * @param {any} document of one test, or of a full test, whose parts may have failed or been skipped
 * @returns {boolean}
 */
export const isWhole = ({ ending, parts = [] }) =>
  !ending &&
  parts.every((/** @type {any} */ { missing, document }) => missing?.kind !== 'stopped' && !document?.ending);

/**
 * Checks whether its visitor stopped a run before any part of it was whole: it has nothing to tell others.
 * @param {any} document as above @returns {boolean}
 */
export const isStopped = ({ ending, parts }) => (parts ? parts.every(isStoppedPart) : ending?.kind === 'cancelled');

/** @param {any} part */
const isStoppedPart = ({ missing, document }) => missing?.kind === 'stopped' || document?.ending?.kind === 'cancelled';
