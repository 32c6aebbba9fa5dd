/** What the charts have in common: the transports' colours, the page's, and a size that follows the page. */
import { element } from '../ui/element.js';

/** @import { AlignedData, Axis, Options } from 'uplot' */

const HEIGHT_PX = 260;
const FONT = '14px system-ui';
const NOT_DRAWN = 'This chart cannot be shown. Reload the page.';

/** @typedef {typeof import('uplot') | undefined} UPlot absent where it could not be loaded */
/** @typedef {Omit<Options, 'width' | 'height'>} ChartOptions */

/** Says what a figure shows, for those who do not see it. @param {string} figure selector @param {string} words */
export function describeFigure(figure, words) {
  element(`${figure} [role=img]`).setAttribute('aria-label', `Chart. ${words}`);
  element(`${figure} .alternative`).textContent = words;
}

/** @param {string} name of a custom property of site.css @returns {string} */
export const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** @param {string} label @param {Partial<Axis>} [options] @returns {Axis} */
export function axis(label, options) {
  const grid = { stroke: () => colour('--chart-grid'), width: 1 };
  const fonts = { font: FONT, labelFont: FONT, labelSize: 20 };
  return { label, stroke: () => colour('--chart-text'), grid, ticks: grid, ...fonts, ...options };
}

/**
 * Draws into a figure, at the figure's width whatever that becomes. Figures do not depend on their charts: where one cannot
 * be drawn, its place says so, and nothing else happens.
 * @param {UPlot} uPlot @param {HTMLElement} place @param {ChartOptions} options @param {AlignedData} data
 * @returns {{ setData(data: AlignedData): void, destroy(): void }}
 */
export function drawChart(uPlot, place, options, data) {
  try {
    if (uPlot) return draw(uPlot, place, options, data);
  } catch (error) {
    reportError(error);
  }
  place.textContent = NOT_DRAWN;
  return { setData() {}, destroy() {} };
}

/** @param {NonNullable<UPlot>} uPlot @param {HTMLElement} place @param {ChartOptions} options @param {AlignedData} data */
function draw(uPlot, place, options, data) {
  const size = () => ({ width: place.clientWidth, height: HEIGHT_PX });
  place.replaceChildren();
  const chart = new uPlot({ ...size(), cursor: { show: false }, legend: { live: false }, ...options }, data, place);
  const observer = new ResizeObserver(() => chart.setSize(size()));
  observer.observe(place);
  const scheme = matchMedia('(prefers-color-scheme: dark)');
  const redraw = () => chart.redraw();
  scheme.addEventListener('change', redraw);
  return {
    setData: (/** @type {AlignedData} */ next) => chart.setData(next),
    destroy() {
      observer.disconnect();
      scheme.removeEventListener('change', redraw);
      chart.destroy();
    },
  };
}
