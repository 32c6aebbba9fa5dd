import { describeMeans, meansOf } from '../../../core/experiments/countdown/measure.js';
import { labelOf } from '../../../core/net/echo/labels.js';
import { element } from '../ui/element.js';

/** @import { Countdown, TransportMean } from '../../../core/experiments/countdown/measure.js' */

/**
 * A bar per transport, as long as its mean; all that it shows is said in words beneath it.
 *
 * @param {readonly Countdown[]} tests
 */
export function showMeanBars(tests) {
  const place = element('#means .bars', HTMLElement);
  const means = meansOf(tests);
  const longest = Math.max(...means.map(({ meanMs = 0 }) => meanMs));
  place.replaceChildren(...means.flatMap((transportMean) => createBar(transportMean, longest)));
  const words = describeMeans(tests);
  place.setAttribute('aria-label', `Chart. ${words}`);
  element('#means .alternative', HTMLElement).textContent = words;
}

/**
 * @param {TransportMean} transportMean
 * @param {number} longest of all means; 0 where there is none, or the clock saw none
 */
function createBar({ transport, meanMs, finishedCount }, longest) {
  const [name, track, bar, figure] = ['span', 'span', 'span', 'span'].map((tag) => document.createElement(tag));
  name.textContent = labelOf(transport);
  bar.className = 'bar';
  bar.style.inlineSize = longest > 0 ? `${(100 * (meanMs ?? 0)) / longest}%` : '0';
  bar.style.backgroundColor = `var(--${transport})`;
  track.append(bar);
  figure.className = 'figure';
  figure.textContent = meanMs === undefined ? '–' : `${meanMs.toFixed(3)} (of ${finishedCount})`;
  return [name, track, figure];
}
