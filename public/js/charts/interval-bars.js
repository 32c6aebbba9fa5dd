import { createIntervalBars } from '../../../core/experiments/shootout/interval-bars.js';
import { formatRtt } from '../../../core/experiments/shootout/distance-model.js';
import { labelOf } from '../../../core/net/labels.js';
import { create, element } from '../ui/element.js';
import { createSvg } from './svg.js';

/** @import { Report } from '../../../core/experiments/shootout/report.js' */

/** Each transport’s speed against the baseline, one interval a line. @param {Report} report */
export function showIntervalBars({ result: { ending }, rows, baseline, floorMs }) {
  // Of a run that ended early nothing is concluded.
  element('#candidates').hidden = Boolean(ending);
  if (ending) return;
  const place = floorMs === undefined ? '' : ` at ${formatRtt(floorMs)} ms`;
  element('#candidates-title').textContent = `Measured${place}, compared with ${labelOf(baseline)}`;
  const { bars, axis } = createIntervalBars(rows);
  element('#interval-bars').replaceChildren(
    ...bars.map(({ transport, words, picture }) =>
      create(
        'li',
        {},
        create('strong', { class: `of-${transport}` }, labelOf(transport)),
        create('div', {}, ...(picture ? [createSvg(picture)] : [])),
        create('span', {}, words),
      ),
    ),
  );
  element('#interval-axis').replaceChildren(createSvg(axis));
}
