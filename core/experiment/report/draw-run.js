/** Draws the answer of a run as a picture to share. */
import { formatDay, formatRtt } from '../../base/format.js';
import { drawShareCard } from '../../picture/share-card.js';
import { WHERE } from './headline.js';
import { findingsOf } from './findings.js';
import { ELSEWHERE_RTT_MS } from '../run/scope.js';
import { formatWarningCount, warningsIn } from '../run/trust.js';

/**
 * @import { Report, Summarized } from './findings.js'
 * @import { Scoped } from '../run/scope.js'
 */

/**
 * @param {Summarized} experiment @param {any} document @param {{ place?: string, site?: string }} shared
 * @returns {string} an SVG file
 */
export function drawRun(experiment, document, shared) {
  const { report, part, ...scoped } = findingsOf(experiment, document);
  const { startedAt } = part;
  return drawShareCard({
    ...shared,
    sentence: report.headline,
    bars: report.bars,
    arrivals: report.arrivals,
    about: describeReach(report, scoped),
    day: startedAt && formatDay(startedAt),
  });
}

/** @param {Report} report @param {Scoped} scoped @returns {string} for whom it holds, and how many warnings there are */
function describeReach({ about, bars, trust }, { scope, floorMs }) {
  const warningCount = warningsIn(trust).length;
  const warnings = warningCount > 0 ? `, ${formatWarningCount(warningCount)}` : '';
  if (about) return about + warnings;
  if (scope === 'path') return (floorMs === undefined ? '' : `${formatRtt(floorMs)} ms round trip`) + warnings;
  return (bars ? `predicted for users ${ELSEWHERE_RTT_MS} ms away` : `measured on ${WHERE[scope]}`) + warnings;
}
