/** Comparisons: chosen runs of one experiment, side by side. Pages show what the runs' rows hold; their scripts read the documents. */
import { studyPath } from '../../core/base/base-url.js';
import { foldName } from '../../core/base/fold.js';
import { asClause, DASH, formatCount } from '../../core/base/format.js';
import { isByTransport, pathsOf, shortNamesOf } from '../../core/matrix/comparison.js';
import { tellDifference } from '../../core/matrix/differences.js';
import { addBrowser, formatBeside, isLoopback, sharedServerOf } from '../../core/experiment/run/names.js';
import { EXPERIMENTS } from '../../core/experiments/all.js';
import { ELSEWHERE_RTT_MS, scopeOfDigest } from '../../core/experiment/run/scope.js';
import { findDescribed, fullTest } from '../../core/full-test/all.js';
import { formatPlan } from '../../core/experiments/shootout/plan.js';
import { labelOf } from '../../core/experiment/answer/labels.js';
import { createComparison } from '../../core/matrix/index.js';
import { comparePath, describeListed, experimentOf, listPath, MAX_COMPARED, testOf } from './list.js';
import { describeMatrix } from './matrix.js';
import { MATRIX_FORMATS } from './schemas.js';
import { formPath, linkOfMeasured, withAsking } from './studies.js';

/**
 * @import { Experiment } from '../../core/experiment/contract.js'
 * @import { SavedRun } from '../store/index.js'
 * @import { ShownMatrix } from './matrix.js'
 * @typedef {{ server: string, location?: string, isLocal: boolean }} Served by which server, and whether on its own machine
 */

/** @param {readonly SavedRun[]} runs first the one that predicts the others; those of its experiment are compared */
export function compareSaved(runs) {
  const [{ experiment }] = runs;
  const compared = runs.filter((run) => run.experiment === experiment);
  /** @type {Partial<Experiment>} */
  const described = findDescribed(experiment) ?? {};
  const isGrouped = isByTransport(described);
  const paths = pathsOf(described, compared);
  const shortNames = shortNamesOf(described, compared);
  const isAlone = compared.length === 1;
  return {
    compared,
    described,
    isGrouped,
    // Of several, the rows say the browser.
    title: isAlone ? addBrowser(paths[0], compared[0].digest) : nameBeside(shortNames),
    shortNames,
    matrix: createComparison(compared, EXPERIMENTS, paths),
  };
}

/** More names are no title. */
const MAX_NAMED = 4;

/** The marks of cells without a verdict. */
const SILENT = ['unclear', 'none'];

/**
 * Where no cell has a figure or a verdict, the findings of the runs stand in their place, and what they answer above them.
 * @param {ShownMatrix} shown @param {string} [question] @returns {ShownMatrix & { isBrief?: boolean }}
 */
function withFindings(shown, question = '') {
  const isSaying = shown.rows.some(({ cells }) => cells.some(({ mark, figure }) => !SILENT.includes(mark) || figure));
  if (isSaying) return shown;
  const rows = shown.rows.map((row) => ({ ...row, cells: [] }));
  return { ...shown, compared: question, columns: [], gaps: [], hasNews: false, rows, isBrief: true };
}

/** @param {readonly string[]} names @returns {string} each once */
function nameBeside(names) {
  const [first, ...others] = new Set(names);
  if (others.length === 0 && names.length > 1) return `${first}, ${formatCount(names.length, 'run')}`;
  return others.length >= MAX_NAMED
    ? `${first} compared with ${others.length} others`
    : formatBeside([first, ...others]);
}

/** What the page of a comparison shows. @param {readonly SavedRun[]} runs first the one that predicts the others @param {string} siteUrl */
export function describeComparison(runs, siteUrl) {
  const ids = runs.map(({ id }) => id);
  const [{ experiment, label, digest }] = runs;
  const { compared, described, isGrouped, title, shortNames, matrix } = compareSaved(runs);
  // What an experiment says of several runs is about the first one, unless it groups them.
  const isComparedWithFirst = Boolean(described.comparisonPart) && !isGrouped;
  const shown = withFindings(describeMatrix(matrix, { shortNames }), described.question);
  const rows = compared.map((run, index) => {
    const others = ids.filter((id) => id !== run.id);
    return {
      ...shown.rows[index],
      ...describeListed(run),
      // The last of its lines says less than the transport, as all of them follow.
      ...(isGrouped && { headline: run.transports.map(labelOf).join(', ') }),
      number: index + 1,
      shortName: shortNames[index],
      predictedFor: predictedFor(run),
      firstHref: isComparedWithFirst && index > 0 ? comparePath([run.id, ...others]) : undefined,
      removeHref: others.length > 0 ? comparePath(others) : undefined,
    };
  });
  const tests = [...new Set(compared.map(testOf))];
  const isDrawn = findDescribed(experiment) !== undefined;
  const measured = matrix.columns.map((column) => column.experiment);
  const plan = digest.shootout ? `?${formatPlan(digest.shootout.plan)}` : linkOfMeasured(measured);
  return {
    ...shown,
    columns: withAsking(shown.columns, label ?? ''),
    title,
    experiment,
    experimentTitle: `${tests.length === 1 ? tests[0] : experimentOf(experiment)}:`,
    isDrawn,
    isByTransport: isGrouped,
    isComparedWithFirst,
    ...setSide(rows),
    sharedServer: compared.every(({ digest }) => isLoopback(digest.origin)) ? '' : sharedServerOf(compared),
    rows,
    others: groupOthers(runs, experiment),
    exports: MATRIX_FORMATS.map((format) => ({ format, href: exportPath(ids, format) })),
    links: [
      ...(runs.length < MAX_COMPARED
        ? [{ text: 'Add a run', href: listPath({ beside: ids.join(','), experiment }) }]
        : []),
      ...(label && isOneLabel(runs, label) ? [{ text: 'Open study', href: studyPath(label) }] : []),
      { text: 'Invite', href: formPath(label ?? '', plan) },
    ],
    preview: {
      title,
      description: compared.map((run, index) => `${rows[index].name}: ${asClause(run.digest.headline)}.`).join(' '),
      url: siteUrl + comparePath(ids),
      image: siteUrl + (ids.length === 1 ? `/api/results/${ids[0]}.png` : exportPath(ids, 'png')),
    },
    script: isDrawn ? `js/compare-${experiment}.js` : undefined,
  };
}

/**
 * What the runs have set otherwise, and what all have. The names of rows say the places, and the rows say their distances.
 * @param {readonly (Served & { floor: string, number: number, shortName: string, place?: string, browser?: string })[]} rows
 * @returns {{ differing: { name: string, lead: string, words: string }[], same: string[] }} `same`: sentences
 */
function setSide(rows) {
  /** @type {{ name: string, values: string[], isInRows?: boolean }[]} */
  const facts = [
    { name: 'Place', values: rows.map(({ place }) => place ?? ''), isInRows: true },
    { name: 'Server', values: rows.map(nameServer) },
    { name: 'Fastest round trip', values: rows.map(({ floor }) => floor), isInRows: true },
    { name: 'Browser', values: rows.map(({ browser }) => browser ?? '') },
  ];
  const isSame = (/** @type {readonly string[]} */ values) => new Set(values).size === 1;
  const differing = facts.filter(({ values, isInRows }) => !isInRows && !isSame(values));
  return {
    differing: differing.map(({ name, values }) => ({
      name,
      ...tellDifference(
        { name, values: values.map((value, i) => ({ number: rows[i].number, value: value || DASH })) },
        rows.map(({ shortName }) => shortName),
      ),
    })),
    same: facts.filter(({ values }) => isSame(values) && values[0]).map(({ name, values }) => `${name}: ${values[0]}.`),
  };
}

/**
 * The finding of a full test is for users elsewhere, if it measured none; those of other tests say so themselves.
 * @param {SavedRun} run @returns {string | undefined}
 */
function predictedFor({ experiment, isValid, digest }) {
  const isPredicted = experiment === fullTest.name && isValid && scopeOfDigest(digest) !== 'path';
  return isPredicted ? `Predicted for users ${ELSEWHERE_RTT_MS} ms away` : undefined;
}

/** @param {readonly string[]} ids @param {string} format @returns {string} */
const exportPath = (ids, format) => `/api/compare?ids=${ids.join(',')}&format=${format}`;

/** @param {readonly SavedRun[]} runs @param {string} label */
const isOneLabel = (runs, label) => runs.every((run) => foldName(run.label ?? '') === foldName(label));

/** @param {Served} run @returns {string} like 'fra-1, Frankfurt, on localhost' */
function nameServer({ server, location, isLocal }) {
  return [server, location, isLocal && 'on localhost'].filter(Boolean).join(', ');
}

/** Groups the runs of other experiments. @param {readonly SavedRun[]} runs @param {string} experiment that is compared */
function groupOthers(runs, experiment) {
  const others = new Set(runs.map((run) => run.experiment).filter((name) => name !== experiment));
  return [...others].map((name) => {
    const ids = runs.filter((run) => run.experiment === name).map(({ id }) => id);
    return { name: experimentOf(name), count: ids.length, href: comparePath(ids) };
  });
}
