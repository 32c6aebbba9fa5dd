/** Shows the full results of a full test's parts, folded: each is the report of its experiment. */
import { create, element, keepTogether } from '../base/page.js';
import { createParagraphs, createTables, drawCharts, drawTimelines, showArrivals } from './report-view.js';

/** @import { Findings } from '../../../core/experiment/contract.js' */
/** @import { Report } from '../../../core/experiment/report/findings.js' */
/** @import { MeasuredPart } from '../../../core/full-test/score.js' */
/** @import { Member } from '../../../core/full-test/plan.js' */

/** @param {string} experiment @returns {string} the id of its folded result */
export const idOfPart = (experiment) => `part-${experiment}`;

/**
 * @param {readonly MeasuredPart[]} parts of which those with a run are shown
 * @returns {{ destroy(): void }} charts are drawn when a part is opened first, as a folded one has no width
 */
export function showPartReports(parts) {
  /** @type {{ destroy(): void }[]} */
  const drawn = [];
  const draw = (/** @type {Places} */ { arrivals, timelines, charts }, /** @type {Report} */ report, words = '') => {
    drawn.push(showArrivals(arrivals, report.arrivals ? [report.arrivals] : []));
    drawn.push(drawTimelines(timelines, report.timelines), drawCharts(charts, report.charts, words));
  };
  const shown = parts.flatMap(({ member, findings }) => (findings ? [createPart(member, findings, draw)] : []));
  element('#part-reports').replaceChildren(...shown);
  return {
    destroy() {
      for (const charts of drawn) charts.destroy();
      element('#part-reports').replaceChildren();
    },
  };
}

/** @typedef {{ arrivals: HTMLElement, timelines: HTMLElement, charts: HTMLElement }} Places */

/**
 * @param {Member} member @param {Findings} findings of its run
 * @param {(places: Places, report: Report, words: string) => void} draw
 */
function createPart({ name, fullTest: { question } }, { report, part: { ending } }, draw) {
  const { headline, conditions = '', sentences, notes = [], tables, method = '' } = report;
  const { shown, folded } = createTables(tables);
  const places = { arrivals: create('div'), timelines: create('div'), charts: create('div') };
  const part = create(
    'details',
    { id: idOfPart(name) },
    create('summary', {}, create('h3', {}, question)),
    ...(conditions ? [create('p', { class: 'eyebrow' }, ...keepTogether(conditions))] : []),
    create('p', {}, create('strong', {}, ...keepTogether(headline))),
    ...createParagraphs([ending?.reason ?? '', sentences.join(' ')].filter(Boolean)),
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
