/** Marks the button beneath a result that comes before all others: what the headline asks for, else to share the result. */
import { isWhole } from '../../../core/experiment/run/open-run.js';

/**
 * @import { Report } from '../../../core/experiment/report/findings.js'
 * @typedef {{ name: string, submit: () => void }} Start of a run of another plan: what its button says, and does
 */

/** The buttons of which one comes first, by id. */
const IDS = ['save-button', 'more-blocks', 'again', 'change'];

/**
 * Mounts the button that measures the same plan with as many blocks as a verdict needs, too, if the page has it.
 * @param {(submit: () => void) => void} again measures again
 * @param {(plan: any) => Start | undefined} startOf absent if the plan would be refused
 * @returns {(measured: any, report?: Pick<Report, 'wantedBlocks' | 'nextStep'>) => void} to be called with each document that is shown
 */
export function mountFirstAction(again, startOf) {
  const more = document.querySelector('#more-blocks');
  /** @type {Start | undefined} */
  let start;
  more?.addEventListener('click', () => start && again(start.submit));
  return (measured, { wantedBlocks, nextStep } = {}) => {
    start = wantedBlocks ? startOf({ ...measured.plan, blocks: wantedBlocks }) : undefined;
    more?.toggleAttribute('hidden', !start);
    if (more && start) more.textContent = start.name;
    const asked = isWhole(measured) ? nextStep : 'again';
    const first = more && start ? more.id : (asked ?? IDS[0]);
    for (const id of IDS) document.querySelector(`#${id}`)?.classList.toggle('first', id === first);
  };
}
