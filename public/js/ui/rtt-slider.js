import { DEFAULT_RTT_MS, formatRtt, rttRange } from '../../../core/decision/rtt.js';
import { element } from './element.js';

/**
 * The round-trip time that is asked about, on a logarithmic scale: each step is some 7% more.
 *
 * @param {object} options
 * @param {number} options.floorMs of the run, which can be chosen exactly
 * @param {number} options.rttMs to begin with
 * @param {(rttMs: number) => void} options.onChange
 * @returns {{ destroy(): void }}
 */
export function createRttSlider({ floorMs, rttMs, onChange }) {
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
  const change = () => {
    const step = slider.valueAsNumber;
    const ms = exactMs.get(step) ?? Number((low * (high / low) ** (step / steps)).toPrecision(2));
    say(ms);
    onChange(ms);
  };

  slider.valueAsNumber = stepOf(rttMs);
  say(rttMs);
  slider.addEventListener('input', change);
  return { destroy: () => slider.removeEventListener('input', change) };
}
