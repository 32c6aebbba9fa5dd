import { createReport } from '../../../../core/experiments/shootout/report.js';
import { element } from '../element.js';

/**
 * @import { Result } from '../../../../core/experiments/shootout/result.js'
 * @import { MeasuredServer } from '../../run/measure-here.js'
 */

/**
 * Which of several servers' results is shown: a choice with each one's verdict.
 *
 * @param {(index: number) => void} onChoose
 * @returns {{ show(servers: readonly MeasuredServer[], results: readonly Result[]): void }} `show` has nothing to say
 *   of the page's own server alone
 */
export function mountServerResults(onChoose) {
  const group = element('#server-results', HTMLFieldSetElement);
  const list = element('#server-results .choices', HTMLElement);
  list.addEventListener('change', ({ target }) => onChoose(Number(/** @type {HTMLInputElement} */ (target).value)));

  return {
    show(servers, results) {
      // What the page's heading says holds for its own server alone.
      group.hidden = results.length === 1 && servers[0].origin === location.origin;
      list.replaceChildren(
        ...results.map((result, index) => createChoice(describe(servers[index].name, result), index)),
      );
    },
  };
}

/** @param {string} name of the server @param {Result} result */
function describe(name, result) {
  const { verdict, floorMs } = createReport(result);
  const distance = floorMs === undefined ? '' : `, ${floorMs.toFixed(floorMs < 10 ? 1 : 0)} ms away`;
  return `${name}${distance}: ${verdict.headline}`;
}

/** @param {string} words @param {number} index */
function createChoice(words, index) {
  const label = document.createElement('label');
  const input = document.createElement('input');
  Object.assign(input, { type: 'radio', name: 'server-result', value: String(index), checked: index === 0 });
  label.append(input, ` ${words}`);
  return label;
}
