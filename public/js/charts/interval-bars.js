import { createIntervalBars } from '../../../core/experiments/shootout/decision/interval-bars.js';
import { formatRtt } from '../../../core/experiments/shootout/decision/rtt.js';
import { labelOf } from '../../../core/net/echo/labels.js';
import { element } from '../ui/element.js';
import { createSvg } from './svg.js';

/** @import { Report } from '../../../core/experiments/shootout/report.js' */

/**
 * Each transport’s speed against the baseline, one interval a line.
 *
 * @param {Report} report
 */
export function showIntervalBars({ result: { ending }, rows, baseline, floorMs }) {
  // Of a run that ended early nothing is concluded.
  element('#candidates', HTMLElement).hidden = Boolean(ending);
  if (ending) return;
  const place = floorMs === undefined ? '' : ` at ${formatRtt(floorMs)} ms`;
  element('#candidates-title', HTMLElement).textContent = `Measured${place}, compared with ${labelOf(baseline)}`;
  const { bars, axis } = createIntervalBars(rows);
  element('#interval-bars', HTMLElement).replaceChildren(
    ...bars.map(({ transport, words, picture }) => {
      const [item, name, figures] = ['li', 'strong', 'span'].map((tag) => document.createElement(tag));
      name.textContent = labelOf(transport);
      name.classList.add(`of-${transport}`);
      figures.textContent = words;
      const place = document.createElement('div');
      if (picture) place.append(createSvg(picture));
      item.append(name, place, figures);
      return item;
    }),
  );
  element('#interval-axis', HTMLElement).replaceChildren(createSvg(axis));
}
