import { DEFAULT_RTT_MS, formatRtt, rttRange } from '../../../../core/experiments/shootout/distance-model.js';
import { element } from '../element.js';

/**
 * The round-trip time that is asked about, on a logarithmic scale: each step is some 7% more.
 * @param {object} options
 * @param {number} options.floorMs of the run, which can be chosen exactly
 * @param {number} options.rttMs to begin with
 * @param {(rttMs: number) => void} options.onInput while it is moved
 * @param {(rttMs: number) => void} options.onChange when it was moved: browsers limit how often an address may change
 * @returns {{ destroy(): void }}
 */
export function createRttSlider({ floorMs, rttMs, onInput, onChange }) {
  const slider = element('#rtt', HTMLInputElement);
  const value = element('#rtt-value', HTMLOutputElement);
  const { low, high } = rttRange([floorMs]);
  const steps = Number(slider.max);
  /** @param {number} ms */
  const stepOf = (ms) => Math.round((steps * Math.log(Math.min(high, Math.max(low, ms)) / low)) / Math.log(high / low));
  // Some are to be had exactly, not as their step's round number.
  const exactMs = new Map([DEFAULT_RTT_MS, rttMs, floorMs].map((ms) => [stepOf(ms), ms]));

  /** @param {number} ms */
  const say = (ms) => {
    value.value = `${formatRtt(ms)} ms`;
    slider.setAttribute('aria-valuetext', value.value);
  };
  const read = () => {
    const step = slider.valueAsNumber;
    return exactMs.get(step) ?? Number((low * (high / low) ** (step / steps)).toPrecision(2));
  };
  const stopped = new AbortController();
  const { signal } = stopped;

  slider.valueAsNumber = stepOf(rttMs);
  say(rttMs);
  slider.addEventListener(
    'input',
    () => {
      say(read());
      onInput(read());
    },
    { signal },
  );
  slider.addEventListener('change', () => onChange(read()), { signal });
  return { destroy: () => stopped.abort() };
}
