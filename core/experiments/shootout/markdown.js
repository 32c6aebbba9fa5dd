import { shootout } from './index.js';

/** @import { Report } from './report.js' */

/** A report to paste into an issue or a wiki. @param {Pick<Report, 'result'>} report @returns {string} */
export const formatMarkdown = ({ result }) => shootout.formatMarkdown(result);
