/** A slider that is the logarithmic axis of a chart: its thumb stands beneath the value that the chart asks about. */

/**
 * @param {object} options
 * @param {HTMLInputElement} options.slider @param {HTMLOutputElement} options.output beside its label
 * @param {readonly number[]} options.stops rising, evenly spaced on the axis
 * @param {number} options.value one of the stops
 * @param {(value: number) => string} options.format
 * @param {(value: number) => void} options.onInput called during a movement
 * @param {(value: number) => void} options.onChange called at its end: browsers limit how often an address may change
 */
export function mountAxisSlider({ slider, output, stops, value, format, onInput, onChange }) {
  const chosen = () => stops[slider.valueAsNumber];
  const sayValue = () => {
    output.value = format(chosen());
    slider.setAttribute('aria-valuetext', output.value);
  };
  slider.max = String(stops.length - 1);
  slider.valueAsNumber = stops.indexOf(value);
  sayValue();
  slider.oninput = () => {
    sayValue();
    onInput(chosen());
  };
  slider.onchange = () => onChange(chosen());
}

/** Keeps a parameter in the page's address. @param {string} name @param {number} value */
export function keepInAddress(name, value) {
  const url = new URL(location.href);
  url.searchParams.set(name, String(Number(value.toFixed(3))));
  // A query may contain commas, which are easier to read.
  history.replaceState(history.state, '', url.href.replaceAll('%2C', ','));
}
