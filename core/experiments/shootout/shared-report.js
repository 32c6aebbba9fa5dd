/**
 * What is said of a run in the form that all experiments share: for exports and terminals. Its pages draw more.
 */
import { tabulateReport, tabulateSetUps, tabulateSteps } from './report-table.js';

/**
 * @import { Report as SharedReport } from '../../experiment/contract.js'
 * @import { Table } from '../../experiment/table.js'
 * @import { Report } from './report.js'
 * @import { Fact } from './trust.js'
 */

/**
 * @param {Report} found
 * @returns {SharedReport}
 */
export function report(found) {
  const { result, verdict, notes, trust } = found;
  const tables = [
    { heading: 'Latency by transport', ...tabulateReport(found) },
    { heading: 'Latency breakdown', ...tabulateSteps(found) },
    { heading: 'Connection setup and break-even', ...tabulateSetUps(found) },
    { heading: 'Trust checks (⚠: casts doubt)', ...tabulateTrust(trust) },
  ];
  return {
    heading: 'Latency by transport',
    answer: `${verdict.headline}.`,
    // Whoever shows the report says why a run ended.
    sentences: [result.ending ? verdict.counts : verdict.detail, verdict.advice].filter(Boolean),
    notes,
    tables: tables.filter(({ rows }) => rows.length > 0),
    charts: [],
  };
}

/**
 * @param {readonly Fact[]} rows
 * @returns {Table<Fact>}
 */
function tabulateTrust(rows) {
  return {
    columns: [
      { title: 'Check', isText: true, value: ({ name, isWarning }) => (isWarning ? `⚠ ${name}` : name) },
      { title: 'Found', isText: true, value: ({ value }) => value },
    ],
    rows,
  };
}
