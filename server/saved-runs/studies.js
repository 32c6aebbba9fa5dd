/** Studies: the runs that were shared with one label, summed up by place. */
import { InvalidInputError } from '../../core/base/foreign-text.js';
import { studyPath } from '../../core/base/base-url.js';
import { foldName } from '../../core/base/fold.js';
import { EXPERIMENTS } from '../../core/experiments/all.js';
import { fullTest } from '../../core/full-test/all.js';
import { MAX_STUDY_RUNS } from '../../core/matrix/export.js';
import { createStudy } from '../../core/matrix/index.js';
import { formatInvitation, linkOfPlan, parseInvitation, usualPlan } from '../../core/matrix/link.js';
import { formatMatrix } from './matrix.js';

/**
 * @import { SavedRun } from '../store/index.js'
 * @import { ExportParts, ReadingParts } from '../parts.js'
 * @import { Invitation } from '../../core/matrix/link.js'
 * @import { MatrixForm } from './matrix.js'
 */

const KNOWN = Object.freeze({ experiments: EXPERIMENTS, fullTest });

/** @param {URLSearchParams} query of a study's link @throws {InvalidInputError} */
export const readInvitation = (query) => parseInvitation(query, KNOWN);

/**
 * @param {readonly SavedRun[]} runs of a label, the newest
 * @param {{ label: string, form: MatrixForm, olderCount: number }} given `olderCount`: of the label's other runs
 */
export function formatStudy(runs, { label, form, olderCount }) {
  return formatMatrix(form, createStudy(runs, EXPERIMENTS, { olderCount }), {
    title: `study ${label}`,
    asked: { label },
  });
}

/**
 * Reads the newest runs with a label, and has them summed up.
 * @param {ReadingParts} parts @param {{ label: string, form: MatrixForm }} study
 * @param {string | undefined} address of who asks
 */
export async function readStudy({ archive, documents }, study, address) {
  const found = await archive.listRows({ filter: { label: study.label }, limit: MAX_STUDY_RUNS });
  return documents.sumUp({ ...study, ...found }, address);
}

/** How many of a study's newest runs tell what it measures. */
const RECENT_COUNT = 50;

/**
 * Returns what most places of a study measured: its page asks for the same where its address has no plan.
 * @param {ExportParts} parts @param {string} label @param {string | undefined} address of who asks
 * @returns {Promise<Invitation['plan']>} absent if there is no whole run, or if it is of a test that is no part of a study
 */
export async function readUsualPlan({ archive, documents, madeOnce }, label, address) {
  const plan = await madeOnce.read(`plan of ${label}`, async () => {
    const run = findUsual((await archive.list({ filter: { label, isValid: true }, limit: RECENT_COUNT })).runs);
    const document = run && (await archive.findDocument(run.id));
    return document ? documents.planOf({ experiment: run.experiment, document }, address) : '';
  });
  try {
    return plan ? readInvitation(new URLSearchParams({ plan })).plan : undefined;
  } catch (error) {
    if (error instanceof InvalidInputError) return undefined;
    throw error;
  }
}

/**
 * Finds the run whose plan a study asks for. Anybody can share a run with its label, so one run alone decides nothing: most places
 * measured the same tests, and as many samples or more.
 * @param {readonly SavedRun[]} runs the newest first @returns {SavedRun | undefined} the newer one of two that are as usual
 */
export function findUsual(runs) {
  /** @type {Map<string, Map<string, SavedRun>>} the newest run of each place, by its tests; nameless ones may be of one place */
  const groups = new Map();
  for (const run of runs) {
    const tests = testsOf(run);
    const places = groups.get(tests) ?? new Map();
    groups.set(tests, places);
    const place = foldName(run.place?.name ?? '');
    if (!places.has(place)) places.set(place, run);
  }
  const [most] = [...groups.values()].sort((a, b) => b.size - a.size);
  if (!most) return undefined;
  const bySize = [...most.values()].sort((a, b) => a.digest.sampleCount - b.digest.sampleCount);
  return bySize[Math.floor((bySize.length - 1) / 2)];
}

/** @param {SavedRun} run @returns {string} the same where the same was measured */
function testsOf({ experiment, digest }) {
  const { parts = [] } = /** @type {{ parts?: readonly string[] }} */ (digest[fullTest.name] ?? {});
  return JSON.stringify([experiment, [...parts].sort()]);
}

/** @param {string} label @param {Invitation} invitation @returns {string} the study's address, without its site */
export const invitationPath = (label, invitation) =>
  [studyPath(label), formatInvitation(invitation)].filter(Boolean).join('&');

/** @param {readonly string[]} measured experiments @returns {string} the link of a plan that asks for these, without its site */
export const linkOfMeasured = (measured) => linkOfPlan(usualPlan(KNOWN, measured));

/**
 * Adds to each column the form of a link to send to places where nobody has measured it.
 * @template {{ experiment: string }} C @param {readonly C[]} columns @param {string} label empty for none
 */
export const withAsking = (columns, label) =>
  columns.map((column) => ({ ...column, askHref: formPath(label, linkOfMeasured([column.experiment])) }));

/** @param {string} label @param {string} plan @returns {string} the page that makes a link to send, filled in */
export const formPath = (label, plan) => `/c?${new URLSearchParams({ label, plan, make: 'link' })}`;

/** Where what a study asks for comes from: `usual` is where neither its link nor a run says it. */
const SOURCES = Object.freeze({
  link: 'As this link asks',
  most: 'As most places here did',
  all: 'All that the places here measured',
  usual: 'Measures the full test',
});

/**
 * Describes what whoever opens the link is asked to measure.
 * @param {string} label @param {Invitation & { isLinked: boolean }} invitation `isLinked`: the link itself has the plan
 * @param {readonly string[]} measured experiments of the study's runs
 */
export function describeAsked(label, { plan: given, say, isLinked }, measured) {
  const plan = given ?? usualPlan(KNOWN, measured);
  const source = isLinked ? 'link' : given ? 'most' : measured.length > 0 ? 'all' : 'usual';
  // The visitor has pressed the button: the page starts the run by itself.
  const fields = [...new URLSearchParams(plan.query), ['label', label], ['autostart', '1']];
  return {
    say,
    source: SOURCES[source],
    action: plan.path,
    fields,
    description: plan.description,
    duration: plan.duration,
  };
}
