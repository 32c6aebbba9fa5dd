/** The help of `sockshootout run all`. */
import { formatCommon, formatField, line } from '../run/help.js';
import { fieldsOf } from './options.js';

/**
 * @import { Experiment } from '../../core/experiment/contract.js'
 * @import { Member } from '../../core/full-test/plan.js'
 */

/** @param {Experiment} fullTest @param {readonly Member[]} members @returns {string} */
export const formatHelp = ({ intro, failureRule }, members) => `usage: npx sockshootout run all [options]

${intro}
Measures several experiments, one after the other. Runs in Node.js, or in Chromium with --browser.

Your situation
${Object.values(fieldsOf(members)).map(formatField).join('\n')}
${line('--plan LINK|FILE', 'repeat a full test: its link, or the JSON file of one; options of the situation make new plans')}

${formatCommon({
  browser: 'run on the page of the site in Chromium',
  conditions: ["'failures>0'", "'invalid'"],
  failure: String(failureRule?.words),
})}`;
