/** A slider with a logarithmic scale, for what the visitor's users are like. */
import { formatRtt } from '../../../core/base/format.js';

/** The positions of the thumb, from end to end: finer than its stops. */
const POSITION_COUNT = 1000;

/** How far users are. @param {number} rttMs */
export const formatRoundTrip = (rttMs) => `${formatRtt(rttMs)} ms`;

/**
 * @param {object} options
 * @param {HTMLInputElement} options.slider between the names of its ends @param {HTMLOutputElement} options.output beside its label
 * @param {readonly number[]} options.stops rising, from end to end
 * @param {number} options.value one of the stops
 * @param {(value: number) => string} options.format
 * @param {(value: number) => void} options.onInput called during a movement
 * @param {(value: number) => void} options.onChange called at its end: browsers limit how often an address may change
 */
export function mountAxisSlider({ slider, output, stops, value, format, onInput, onChange }) {
  const positions = positionsOf(stops);
  let chosen = stops.indexOf(value);
  const show = () => {
    slider.valueAsNumber = positions[chosen];
    output.value = format(stops[chosen]);
    slider.setAttribute('aria-valuetext', output.value);
  };
  slider.max = String(POSITION_COUNT);
  /** @type {Element} */ (slider.previousElementSibling).textContent = format(stops[0]);
  /** @type {Element} */ (slider.nextElementSibling).textContent = format(stops[stops.length - 1]);
  show();
  slider.oninput = () => {
    chosen = stopAt(slider.valueAsNumber, positions, chosen);
    show();
    onInput(stops[chosen]);
  };
  slider.onchange = () => onChange(stops[chosen]);
}

/** @param {readonly number[]} stops @returns {number[]} on the logarithmic axis: stops are not quite evenly spaced there */
function positionsOf(stops) {
  const [first, last] = [stops[0], stops[stops.length - 1]];
  return stops.map((stop) => Math.round((POSITION_COUNT * Math.log(stop / first)) / Math.log(last / first)));
}

/**
 * @param {number} position of the thumb @param {readonly number[]} positions of the stops @param {number} from the index
 *   of the last stop @returns {number} the index of the nearest stop; of the next one, if a key moved the thumb by less
 */
function stopAt(position, positions, from) {
  const distances = positions.map((one) => Math.abs(one - position));
  const nearest = distances.indexOf(Math.min(...distances));
  if (nearest !== from) return nearest;
  const next = from + Math.sign(position - positions[from]);
  return next in positions ? next : from;
}

/** Keeps a parameter in the page's address. @param {string} name @param {...number} values */
export function keepInAddress(name, ...values) {
  const url = new URL(location.href);
  url.searchParams.set(name, values.map((value) => Number(value.toFixed(3))).join());
  // A query may contain commas, which are easier to read.
  history.replaceState(history.state, '', url.href.replaceAll('%2C', ','));
}
