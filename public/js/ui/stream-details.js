/** What the page of streams has beneath its rows: the code of the recommended method, and what turns a proxy's buffering off. */
import { findingsOf } from '../../../core/experiment/report/findings.js';
import { adviceOf } from '../../../core/experiments/stream/advice.js';
import { chooseCompared } from '../../../core/experiments/stream/full-test.js';
import { COLLECTING_OFF } from '../../../core/experiments/stream/report.js';
import { summarize } from '../../../core/experiments/stream/summary.js';
import { moduleOf } from '../../../core/net/stream/index.js';
import { element } from '../base/page.js';
import { mountCopyButton } from './export-buttons.js';

/**
 * @import { Summarized } from '../../../core/experiment/report/findings.js'
 * @import { StreamDocument } from '../../../core/experiments/stream/schema.js'
 */

const NGINX = 'proxy_buffering off;\n';

/** @param {Summarized} experiment @returns {{ show(document: StreamDocument): void }} */
export function createStreamDetails(experiment) {
  const tabs = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('#code-tabs button'));
  const panels = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[data-code]'));
  const shown = () => [...panels].find(({ hidden }) => !hidden);
  const choose = (/** @type {string | undefined} */ module) => {
    for (const panel of panels) panel.hidden = panel.dataset.code !== module;
    for (const tab of tabs) {
      const isChosen = tab.dataset.module === module;
      tab.setAttribute('aria-pressed', String(isChosen));
      if (isChosen) element('#code-method').textContent = tab.textContent;
    }
    element('#code-status').textContent = '';
  };
  for (const tab of tabs) tab.addEventListener('click', () => choose(tab.dataset.module));
  mountCopyButton('#copy-code', () => String(shown()?.querySelector('code')?.textContent), '#code-status');
  mountCopyButton('#copy-proxy', () => NGINX, '#proxy-status');
  return {
    show(run) {
      choose(moduleOf(recommendedBy(run)));
      const { tables, wantedBlocks } = findingsOf(experiment, run).report;
      // Without a verdict, a name would read as one.
      if (wantedBlocks) element('#code-method').textContent = '';
      element('#stream-proxy').hidden = tables.every(({ heading }) => heading !== COLLECTING_OFF);
    },
  };
}

/** @param {StreamDocument} document @returns {string} a method: today's, where the answer recommends none */
function recommendedBy(document) {
  const summary = summarize(document);
  const compared = chooseCompared(summary);
  const { rule } = adviceOf(summary, compared);
  return (rule.recommends && compared[rule.recommends]?.method) ?? document.plan.today;
}
