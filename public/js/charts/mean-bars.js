import { describeMeans, meansOf } from '../../../core/experiments/countdown/measure.js';
import { labelOf } from '../../../core/net/labels.js';
import { create, element } from '../ui/element.js';
import { describeFigure } from './chart.js';

/** @import { Countdown, TransportMean } from '../../../core/experiments/countdown/measure.js' */

/**
 * A bar per transport, as long as its mean; all that it shows is said in words beneath it.
 * @param {readonly Countdown[]} tests
 */
export function showMeanBars(tests) {
  const means = meansOf(tests);
  const longest = Math.max(...means.map(({ meanMs = 0 }) => meanMs));
  element('#means .bars').replaceChildren(...means.flatMap((transportMean) => createBar(transportMean, longest)));
  describeFigure('#means', describeMeans(tests));
}

/** @param {TransportMean} transportMean @param {number} longest of all means; 0 where there is none */
function createBar({ transport, meanMs, finishedCount }, longest) {
  const bar = create('span', { class: 'bar' });
  bar.style.inlineSize = longest > 0 ? `${(100 * (meanMs ?? 0)) / longest}%` : '0';
  bar.style.backgroundColor = `var(--${transport})`;
  const figure = meanMs === undefined ? '–' : `${meanMs.toFixed(3)} (of ${finishedCount})`;
  return [create('span', {}, labelOf(transport)), create('span', {}, bar), create('span', { class: 'figure' }, figure)];
}
