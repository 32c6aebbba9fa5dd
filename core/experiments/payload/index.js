import { digest, formatCsv, problemOf, schemaOf } from './document.js';
import { measurement } from './measure.js';
import { describePayloadPlan, formatPayloadPlan, parsePayloadPlan } from './plan.js';
import { describePayload, describeReading, formatPayloadMarkdown, tabulatePayload } from './report.js';

/**
 * @import { Experiment, Planned, Report } from '../../experiment/contract.js'
 * @import { PayloadDocument } from './document.js'
 * @import { PayloadPlan } from './plan.js'
 */

/**
 * Messages of many sizes, up, down, and both ways.
 *
 * @satisfies {Experiment & Planned<PayloadPlan>}
 */
export const payload = Object.freeze({
  ...measurement,
  name: 'payload',
  label: 'Payload',
  path: '/payloadtest',
  hasChart: true,
  schemaOf,
  problemOf,
  digest,
  formatCsv,
  formatMarkdown: formatPayloadMarkdown,
  planPath: ({ plan }) => `/payloadtest?${formatPayloadPlan(plan)}`,
  parsePlan: parsePayloadPlan,
  formatPlan: formatPayloadPlan,
  describePlan: describePayloadPlan,
  report,
});

/**
 * @param {PayloadDocument} document
 * @returns {Report}
 */
function report({ plan, trials, environment }) {
  return {
    // A sweep's are many: each direction has its own.
    words: plan.preset ? describePayload(plan, trials, environment).join(' ') : '',
    notes: describeReading(plan),
    table: tabulatePayload(plan, trials, environment),
  };
}
