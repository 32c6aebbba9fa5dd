import { drawCurves } from '../../../core/experiments/shootout/curve-chart.js';
import { element } from '../ui/element.js';
import { createSvg } from './svg.js';

/** On a phone, where it is as wide as the page, it is no taller than wide. */
const HEIGHT_PX = 400;

/**
 * The speed-up over the round-trip time, at its place's width whatever that becomes.
 * @param {Omit<Parameters<typeof drawCurves>[0], 'width' | 'height'>} initial
 * @param {string} words the same for those who do not see it
 * @returns {{ ask(rttMs: number, words: string): void, destroy(): void }}
 */
export function createCurveView(initial, words) {
  const place = element('#curves .picture');
  place.setAttribute('aria-label', words);
  let options = initial;
  const draw = () => {
    const width = place.clientWidth;
    if (width > 0)
      place.replaceChildren(createSvg(drawCurves({ ...options, width, height: Math.min(HEIGHT_PX, width) })));
  };
  const observer = new ResizeObserver(draw);
  observer.observe(place);
  draw();
  return {
    ask(rttMs, next) {
      place.setAttribute('aria-label', next);
      options = { ...options, rttMs };
      draw();
    },
    destroy() {
      observer.disconnect();
      place.replaceChildren();
    },
  };
}
