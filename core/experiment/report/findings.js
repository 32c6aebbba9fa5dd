/** Finds all that follows from a run's document, as every page, list, export and command shows it: its answers and its {@link Report}. */
import { formatCount, formatRtt, listOf } from '../../base/format.js';
import { labelOfProtocol } from '../answer/labels.js';
import { describeChance } from '../answer/compare.js';
import { describeLink } from '../run/emulated-link.js';
import { wordsOf } from './headline.js';
import { openPart } from '../run/open-run.js';
import { nameBrowser, serverOf, titleOf } from '../run/names.js';
import { scopeAmong } from '../run/scope.js';
import { countTrials, protocolsOf, trialsOf } from '../run/trials.js';
import { trustFactsOf } from '../run/trust.js';

/**
 * @import { Interval } from '../../base/statistics.js'
 * @import { Answer, Compared, OwnAnswer } from '../answer/answer.js'
 * @import { Bars } from '../../picture/bars.js'
 * @import { Arrivals } from '../../picture/arrivals.js'
 * @import { Experiment, Fact, Findings } from '../contract.js'
 * @import { Opening, Part } from '../run/open-run.js'
 * @import { Chart } from '../../picture/plot.js'
 * @import { Table, TableLook } from './table.js'
 * @import { Timeline } from '../../picture/timeline.js'
 *
 * @typedef {object} OwnReport the report of a run, as its experiment makes it
 * @property {string} heading
 * @property {string} [counted] what its trials count, if not 'message'
 * @property {number} [lostCount] of messages that never came, which are no failures, if it looks for them
 * @property {string} [conclusion] what was found, in one sentence or two; absent if the run ended early
 * @property {Bars} [bars] of its conclusion, if it compares two figures
 * @property {OwnAnswer & Compared} [lead] shown as its card, if that is none of its answers
 * @property {number} [wantedBlocks] how many blocks a verdict needs, if the plan had too few
 * @property {'again' | 'change'} [nextStep] what its conclusion asks for: to measure again, or to change the options
 * @property {string} [about] for whom it holds, in a few words; absent: where it was measured
 * @property {{ headline: string, evidence?: string, lead?: OwnAnswer & Interval, here?: string }} [elsewhere] what holds for users
 *   elsewhere, whatever was measured here: a prediction, or why nothing was found; `lead`: its figures, which take the place of the
 *   measured ones; `here`: what of the conclusion it does not say, empty for nothing; absent: all of it
 * @property {readonly string[]} sentences the findings; of a run that ended early only those that are still valid
 * @property {readonly string[]} [notes] limits of the figures
 * @property {readonly (Table<any> & TableLook)[]} tables
 * @property {Arrivals} [arrivals] pages show them before the tables, which have their figures, too
 * @property {readonly Timeline[]} [timelines] pages show them before the charts; the tables have their figures, too
 * @property {readonly Chart[]} charts
 * @property {string} [method] how the figures are computed
 * @property {(report: Report) => string} [formatMarkdown] to paste, if not as other reports are
 *
 * @typedef {OwnReport & ReportWords} Report which pages, Markdown, terminals and comparisons render
 * @typedef {object} ReportWords what follows for all experiments
 * @property {string} headline the same wherever the run is shown
 * @property {string} [notice] that it measured one machine or network
 * @property {string} [conditions] what was measured, where
 * @property {readonly Fact[]} trust its trust checks
 * @property {Answer} [lead] with its question
 *
 * @typedef {Opening & { name: string, label: string, find: Experiment['find'], readTrial: Experiment['readTrial'] }} Summarized
 *   what makes a report
 */

/**
 * Finds all that follows from a document: its report, its answers, how far it reached.
 * @param {Summarized} experiment @param {any} document @returns {Findings}
 */
export function findingsOf(experiment, document) {
  const part = openPart(experiment, document);
  const trials = trialsOf(experiment, part);
  const { report: own, answers: compared = [], trust, ...found } = experiment.find(part);
  const { roundTripMs = [] } = found;
  // Those of a full test have their own experiment and question.
  const asked = { experiment: experiment.name, question: experiment.label };
  const answers = compared.map((one) => ({ ...asked, ...one }));
  const scoped = scopeAmong([{ readTrial: experiment.readTrial, part: { ...part, trials }, roundTripMs }]);
  const chance = part.ending ? undefined : describeChance(answers);
  const { lead, ...others } = own;
  const report = {
    ...others,
    ...(lead && { lead: { ...asked, ...lead } }),
    ...(chance && { notes: [...(own.notes ?? []), chance] }),
    ...wordsOf(own, { ...scoped, ending: part.ending }),
    conditions: conditionsOf(part, { ...countTrials(experiment, trials), trials, own, floorMs: scoped.floorMs }),
    trust: trustFactsOf(part, { trials, floorMs: scoped.floorMs, trust }),
  };
  return { ...found, ...scoped, part, answers, report };
}

/** Reports what a document found. @param {Summarized} experiment @param {any} document @returns {Report} */
export const reportOf = (experiment, document) => findingsOf(experiment, document).report;

/**
 * Describes what was measured, where.
 * @param {Part} part
 * @param {{ own: OwnReport, trials: readonly any[], sampleCount: number, failureCount: number, floorMs?: number }} found
 * @returns {string | undefined} sentences; absent if the run has no address
 */
function conditionsOf({ environment, statusBefore, ending }, { own, trials, sampleCount, failureCount, floorMs }) {
  if (!environment) return undefined;
  const { counted = 'message', lostCount } = own;
  const { link, ...unlinked } = environment;
  const status = statusBefore ?? trials.find(({ server }) => server)?.server;
  const server = titleOf({ digest: serverOf(unlinked, status) });
  // A trial of several users may have several protocols.
  const protocols = new Set(protocolsOf(trials).flatMap((names) => names.split(', ')));
  const over = protocols.size > 0 ? ` over ${listOf([...protocols].sort().map(labelOfProtocol))}` : '';
  const fastest = floorMs ? `, fastest round trip ${formatRtt(floorMs)} ms` : '';
  const blockCount = new Set(trials.flatMap(({ block }) => block ?? [])).size;
  const failures = failureCount > 0 || lostCount === undefined ? [formatCount(failureCount, 'failure')] : [];
  const lost = lostCount === undefined ? [] : [`${lostCount.toLocaleString('en')} lost`];
  const counts = [formatCount(sampleCount, counted), ...lost, ...failures];
  // The last block of a run that ended early may be a part of one.
  if (blockCount > 0 && !ending) counts.unshift(formatCount(blockCount, 'block'));
  const found = `${nameBrowser(environment.userAgent)} to ${server}${over}${fastest}. ${counts.join(', ')}.`;
  return [found, describeLink(link)].filter(Boolean).join(' ');
}
