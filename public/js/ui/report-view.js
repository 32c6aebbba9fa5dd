/** Shows a report on a page: its texts, its tables, its arrivals, timelines and charts; all but the texts also for several compared runs. */
import { leadBeneath } from '../../../core/experiment/answer/answer-card.js';
import { captionOf } from '../../../core/picture/plot.js';
import { findingsOf } from '../../../core/experiment/report/findings.js';
import { drawDots, drawLines, drawMessages } from '../charts/svg.js';
import { create, element, keepTogether } from '../base/page.js';
import { createLead } from './answers.js';
import { createArrivals } from './arrivals-view.js';
import { showTrust } from './trust.js';
import { createHeatMaps, createScroll, fillTable } from './table.js';

/** @import { Ending } from '../../../core/experiment/contract.js' */
/** @import { Arrivals } from '../../../core/picture/arrivals.js' */
/** @import { Chart } from '../../../core/picture/plot.js' */
/** @import { Report, Summarized } from '../../../core/experiment/report/findings.js' */
/** @import { Timeline } from '../../../core/picture/timeline.js' */

/** The maximum number of columns of a table that fits its page. */
const MAX_NARROW_COLUMNS = 8;

/**
 * Shows the result of an experiment: its report, in reading order.
 * @param {Summarized} experiment @returns {{ show(document: any): Report }} `show` returns it
 */
export function createReportView(experiment) {
  /** @type {{ destroy(): void }[]} */
  let drawn = [];
  let waiting = new AbortController();
  return {
    show(document) {
      waiting.abort();
      waiting = new AbortController();
      for (const one of drawn) one.destroy();
      const findings = findingsOf(experiment, document);
      const { report, part } = findings;
      const { headline, sentences, tables } = report;
      // Arrivals show what was found, and more of it than a card.
      const lead = part.ending || report.arrivals ? undefined : leadBeneath(findings);
      showWords(report, document.ending);
      showTrust(report);
      element('#result-lead').replaceChildren(...(lead ? [createLead(lead)] : []));
      // Maps of all that was compared are an answer of their own; and a card without a verdict does not say what was found.
      const isSaid = Boolean(lead?.verdict || report.arrivals);
      const isFolded = isSaid && tables.every(({ heatMap }) => !heatMap);
      placeEvidence(isFolded);
      const { shown, folded } = createTables(tables);
      element('#result-tables').replaceChildren(...shown);
      element('#result-detail-tables').replaceChildren(...folded);
      drawn = [showArrivals(element('#result-arrivals'), report.arrivals ? [report.arrivals] : [])];
      const details = element('#result-details', HTMLDetailsElement);
      /** @param {string} place @param {boolean} ofDetails */
      const draw = (place, ofDetails) =>
        drawCharts(
          element(place),
          report.charts.filter(({ isDetail = false }) => isDetail === ofDetails),
          [headline, ...sentences].join(' '),
        );
      whenOpen(isFolded ? details : undefined, waiting.signal, () => {
        drawn.push(drawTimelines(element('#result-timelines'), report.timelines), draw('#result-charts', false));
      });
      whenOpen(details, waiting.signal, () => drawn.push(draw('#result-detail-charts', true)));
      return report;
    },
  };
}

/**
 * Shows arrivals, a figure each.
 * @param {HTMLElement} place is emptied first @param {readonly Arrivals[]} all @returns {{ destroy(): void }}
 */
export function showArrivals(place, all) {
  const figures = all.map(() => create('figure'));
  place.replaceChildren(...figures);
  const views = figures.map((figure, i) => {
    const view = createArrivals(figure);
    view.show(all[i]);
    return view;
  });
  return { destroy: () => views.forEach((view) => view.destroy()) };
}

/** Where a card says what was found, the charts and tables are its details. @param {boolean} isFolded */
function placeEvidence(isFolded) {
  const evidence = element('#result-evidence');
  if (isFolded) element('#result-details > summary').after(evidence);
  else element('.evidence').append(evidence);
}

/**
 * Draws once there is a width to draw for.
 * @param {HTMLDetailsElement | undefined} details absent where nothing is folded @param {AbortSignal} signal @param {() => void} draw
 */
function whenOpen(details, signal, draw) {
  if (!details || details.open) draw();
  else details.addEventListener('toggle', draw, { once: true, signal });
}

/** @param {Report} report @param {Ending} [ending] */
function showWords({ headline, notice = '', conditions = '', sentences, notes = [], method = '' }, ending) {
  const ended = ending ? `${ending.reason} The figures measured until then are for diagnosis only.` : '';
  element('#result').hidden = false;
  element('#result-headline').replaceChildren(...keepTogether(headline));
  element('#result-notice').replaceChildren(...keepTogether(notice));
  element('#result-conditions').replaceChildren(...keepTogether(conditions));
  element('#result-ending').replaceChildren(...keepTogether(ended));
  element('#result-words').replaceChildren(...keepTogether(sentences.join(' ')));
  element('#result-notes').replaceChildren(...createParagraphs(notes));
  element('#result-method').textContent = method;
}

/**
 * @param {Report['tables']} tables
 * @returns {{ shown: HTMLElement[], folded: HTMLElement[] }} each after its heading, if it has one; heat maps first
 */
export function createTables(tables) {
  const maps = tables.filter(({ heatMap }) => heatMap);
  const others = tables.filter(({ heatMap, isDetail }) => !heatMap && !isDetail);
  const parts = others.flatMap((table) => table.parts ?? [table]);
  const details = tables.filter(({ isDetail }) => isDetail);
  return {
    shown: [...(maps.length > 0 ? [createHeatMaps(maps)] : []), ...parts.flatMap(createTable)],
    folded: details.flatMap(createTable),
  };
}

/** @param {Report['tables'][number]} table @returns {HTMLElement[]} */
function createTable({ heading, note, isFolded, ...table }) {
  const isWide = table.columns.length > MAX_NARROW_COLUMNS;
  const target = create('table', { class: `figures stacked${isWide ? ' wide' : ''}` });
  const shown = createScroll(heading ?? 'Figures', fillTable(target, table));
  const beneath = note ? [create('p', {}, create('small', {}, note))] : [];
  if (isFolded) return [create('details', {}, create('summary', {}, heading ?? ''), shown, ...beneath)];
  return [...(heading ? [create('h3', {}, ...keepTogether(heading))] : []), shown, ...beneath];
}

/**
 * @param {HTMLElement} place is emptied first @param {readonly Timeline[]} [timelines] @returns {{ destroy(): void }}
 */
export function drawTimelines(place, timelines = []) {
  const figures = timelines.map(({ heading }) => ({
    head: heading ? [create('h3', {}, ...keepTogether(heading))] : [],
    figure: create('figure'),
  }));
  place.replaceChildren(...figures.flatMap(({ head, figure }) => [...head, figure]));
  // Their width is known when they are on the page.
  const drawn = figures.map(({ figure }, i) => drawMessages(figure, timelines[i], i === 0 ? timelines : []));
  return { destroy: () => drawn.forEach((timeline) => timeline.destroy()) };
}

/**
 * @param {HTMLElement} place is emptied first @param {readonly Chart[]} charts
 * @param {string} words the text alternative of charts without their own sentences
 * @returns {{ destroy(): void }}
 */
export function drawCharts(place, charts, words) {
  const figures = charts.map((chart) => ({ chart, ...createFigure(chart, words) }));
  place.replaceChildren(...figures.map(({ section }) => section));
  // Their width is known when they are on the page.
  const drawn = figures.map(({ chart, canvas }) => (chart.dots ? drawDots(canvas, chart) : drawLines(canvas, chart)));
  return { destroy: () => drawn.forEach((chart) => chart.destroy()) };
}

/** @param {Chart} chart @param {string} words */
function createFigure(chart, words) {
  const { heading, sentences = [] } = chart;
  const caption = captionOf(chart);
  const own = sentences.length > 0 ? sentences.join(' ') : words;
  const label = ['Chart.', heading && `${heading}:`, `${caption}.`, own].filter(Boolean).join(' ');
  const canvas = create('div', { class: 'chart', role: 'img', 'aria-label': label });
  const figure = create('figure', {}, create('figcaption', {}, ...keepTogether(caption)), canvas);
  const said = create('div', {}, ...createParagraphs(sentences));
  return {
    section: create('section', {}, ...(heading ? [create('h3', {}, ...keepTogether(heading))] : []), said, figure),
    canvas,
  };
}

/** Creates a paragraph for each sentence. @param {readonly string[]} sentences @returns {HTMLElement[]} */
export const createParagraphs = (sentences) => sentences.map((text) => create('p', {}, ...keepTogether(text)));
