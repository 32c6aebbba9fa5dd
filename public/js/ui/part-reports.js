/** Shows the full results of a full test's parts, folded: each is the report of its experiment. */
import { reportOf } from '../../../core/experiment/report/report.js';
import { membersOf } from '../../../core/full-test/plan.js';
import { create, element, keepTogether } from '../base/page.js';
import { createParagraphs, createTables, drawCharts, drawTimelines, showArrivals } from './report-view.js';

/** @import { Experiment } from '../../../core/experiment/contract.js' */
/** @import { Report } from '../../../core/experiment/report/report.js' */
/** @import { FullTestDocument } from '../../../core/full-test/schema.js' */

/** @typedef {{ experiment: Experiment, question: string, document: any }} ShownPart */

/**
 * Lists the runs of a full test that have a document.
 * @param {FullTestDocument} document @param {readonly Experiment[]} experiments @returns {ShownPart[]}
 */
export const partsIn = ({ parts }, experiments) =>
  membersOf(experiments).flatMap((experiment) => {
    const { document } = parts.find((part) => part.experiment === experiment.name) ?? {};
    return document ? [{ experiment, question: experiment.fullTest.question, document }] : [];
  });

/** @param {string} experiment @returns {string} the id of its folded result */
export const idOfPart = (experiment) => `part-${experiment}`;

/**
 * @param {readonly ShownPart[]} parts
 * @returns {{ destroy(): void }} charts are drawn when a part is opened first, as a folded one has no width
 */
export function showPartReports(parts) {
  /** @type {{ destroy(): void }[]} */
  const drawn = [];
  const shown = parts.map((part) =>
    createPart(part, ({ arrivals, timelines, charts }, report, words) => {
      drawn.push(showArrivals(arrivals, report.arrivals ? [report.arrivals] : []));
      drawn.push(drawTimelines(timelines, report.timelines), drawCharts(charts, report.charts, words));
    }),
  );
  element('#part-reports').replaceChildren(...shown);
  return {
    destroy() {
      for (const charts of drawn) charts.destroy();
      element('#part-reports').replaceChildren();
    },
  };
}

/**
 * @param {ShownPart} part
 * @param {(places: { arrivals: HTMLElement, timelines: HTMLElement, charts: HTMLElement }, report: Report, words: string) => void} draw
 */
function createPart({ experiment, question, document }, draw) {
  const report = reportOf(experiment, document);
  const { headline, conditions = '', sentences, notes = [], tables, method = '' } = report;
  const { shown, folded } = createTables(tables);
  const places = { arrivals: create('div'), timelines: create('div'), charts: create('div') };
  const part = create(
    'details',
    { id: idOfPart(experiment.name) },
    create('summary', {}, create('h3', {}, question)),
    ...(conditions ? [create('p', { class: 'eyebrow' }, ...keepTogether(conditions))] : []),
    create('p', {}, create('strong', {}, ...keepTogether(headline))),
    ...createParagraphs([document.ending?.reason, sentences.join(' ')].filter(Boolean)),
    places.arrivals,
    places.timelines,
    ...shown,
    places.charts,
    ...folded,
    create(
      'details',
      {},
      create('summary', {}, 'How this was measured'),
      ...createParagraphs([...notes, method].filter(Boolean)),
    ),
  );
  part.addEventListener('toggle', () => part.open && draw(places, report, [headline, ...sentences].join(' ')), {
    once: true,
  });
  return part;
}
