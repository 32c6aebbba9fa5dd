/**
 * A report as its page shows it, and as it is made of the document: they must be equal.
 */
import { captionOf } from '../../core/picture/plot.js';
import { reportOf } from '../../core/experiment/report/findings.js';
import { cellsOf, headsOf } from '../../core/experiment/report/table.js';
import { drawTimeline } from '../../core/picture/timeline.js';

/**
 * @import { Page } from 'playwright-core'
 * @import { Planned } from '../../core/experiment/contract.js'
 */

/**
 * @typedef {object} ShownReport
 * @property {string} heading
 * @property {string} notice
 * @property {string} conditions
 * @property {string[]} sentences as one paragraph, if there are any
 * @property {string[]} notes
 * @property {string} method
 * @property {string[]} timelines their text alternatives
 * @property {{ heading: string, caption: string, sentences: string[] }[]} charts
 * @property {{ heading: string, heads: string[], cells: string[][] }[]} tables
 */

/**
 * @param {Planned} experiment
 * @param {any} document
 * @returns {ShownReport}
 */
export function expectReport(experiment, document) {
  const {
    headline,
    notice = '',
    conditions = '',
    sentences,
    notes = [],
    method = '',
    timelines = [],
    charts,
    tables,
  } = reportOf(experiment, document);
  // Pages fold them.
  const inOrder = tables
    .flatMap((table) => table.parts ?? [table])
    .sort((a, b) => Number(a.isDetail ?? false) - Number(b.isDetail ?? false));
  return {
    heading: headline,
    notice,
    conditions,
    sentences: [sentences.join(' ')].filter(Boolean),
    notes: [...notes],
    method,
    timelines: timelines.map((timeline) => String(drawTimeline(timeline, { width: 900 }).attributes['aria-label'])),
    // Those of the details are drawn when these are opened.
    charts: charts
      .filter(({ isDetail }) => !isDetail)
      .map((chart) => ({
        heading: chart.heading ?? '',
        caption: captionOf(chart),
        sentences: [...(chart.sentences ?? [])],
      })),
    tables: inOrder.map((table) => ({
      heading: table.heading ?? '',
      heads: headsOf(table),
      cells: cellsOf(table).map((cells) => cells.map(String)),
    })),
  };
}

/**
 * @param {Page} page with a result
 * @returns {Promise<ShownReport>}
 */
export function readReport(page) {
  return page.locator('#result').evaluate((result) => {
    /** @param {Element} root @param {string} selector */
    const textsOf = (root, selector) =>
      [...root.querySelectorAll(selector)].map(({ textContent }) => String(textContent));
    const textOf = (/** @type {string} */ selector) => textsOf(result, selector).join('');
    return {
      heading: textOf('#result-headline'),
      notice: textOf('#result-notice'),
      conditions: textOf('#result-conditions'),
      sentences: textsOf(result, '#result-words').filter(Boolean),
      notes: textsOf(result, '#result-notes p'),
      method: textOf('#result-method'),
      timelines: [...result.querySelectorAll('#result-timelines svg')].map((svg) => String(svg.ariaLabel)),
      charts: [...result.querySelectorAll('#result-charts section')].map((section) => ({
        heading: textsOf(section, 'h3').join(''),
        caption: textsOf(section, 'figcaption').join(''),
        sentences: textsOf(section, 'p'),
      })),
      tables: [...result.querySelectorAll('#result-tables table, #result-detail-tables table')].map((table) => {
        const before = (table.closest('.shaded') ?? table.parentElement)?.previousElementSibling;
        return {
          heading: before?.matches('h3, summary') ? String(before.textContent) : '',
          heads: textsOf(table, 'thead th'),
          // What is shortened has its whole text besides.
          cells: [...table.querySelectorAll('tr')].flatMap((row) =>
            row.closest('thead') ? [] : [[...row.cells].map(({ title, textContent }) => title || String(textContent))],
          ),
        };
      }),
    };
  });
}

/**
 * @param {ShownReport['tables'][number]} table
 * @returns {Record<string, string>[]} a row by its columns' heads
 */
export function rowsOf({ heads, cells }) {
  return cells.map((row) => Object.fromEntries(heads.map((head, i) => [head, row[i]])));
}
