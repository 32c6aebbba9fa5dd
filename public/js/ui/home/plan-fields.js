import { BASELINES } from '../../../../core/experiment/compare.js';
import { parseField } from '../../../../core/experiment/fields.js';
import { baselineOf, FIELDS } from '../../../../core/experiments/shootout/plan.js';
import { labelOf } from '../../../../core/net/labels.js';
import { CHALLENGERS, challengerOf } from '../../../../core/experiments/shootout/verdict.js';
import { element, inputs } from '../element.js';
import { tryOrSay } from '../fields.js';

/** @import { Plan } from '../../../../core/experiments/shootout/plan.js' */

/** @typedef {Partial<Plan>} Choices */
/** @typedef {ReturnType<typeof mountPlanFields>} PlanFields */

/**
 * The fields that a plan is made of. `read` throws a RangeError: what, expected, got; `focusWrong` leads to
 * the field that keeps the plan from being one; `describe` says the options in a few words.
 */
export function mountPlanFields() {
  const baseline = element('#baseline', HTMLSelectElement);
  const candidate = element('#candidate', HTMLSelectElement);
  const payload = element('#payload', HTMLInputElement);
  const boxes = inputs('[name=transport]');
  const presets = /** @type {RadioNodeList} */ (element('#run-form', HTMLFormElement).elements.namedItem('preset'));

  const readPayload = () =>
    parseField(payload.value, { ...FIELDS.payloadBytes, parameter: String(payload.labels?.[0].textContent) });

  const readTransports = () => boxes.filter(({ checked }) => checked).map(({ value }) => value);

  // A run is about the first that it has of jQuery AJAX and fetch, and of SockJS and WebSocket.
  const tickChosen = () => {
    for (const box of boxes) {
      const isChosen = box.value === baseline.value || box.value === candidate.value;
      const isOther =
        isBefore(BASELINES, box.value, baseline.value) || isBefore(CHALLENGERS, box.value, candidate.value);
      if (isChosen || isOther) box.checked = isChosen;
      box.disabled = isChosen || isOther;
    }
  };

  /** @param {readonly string[]} transports */
  const showTransports = (transports) => {
    baseline.value = baselineOf({ transports });
    const challenger = challengerOf({ transports });
    if (![...candidate.options].some(({ value }) => value === challenger)) {
      candidate.append(new Option(labelOf(challenger), challenger));
    }
    candidate.value = challenger;
    for (const box of boxes) box.checked = transports.includes(box.value);
    tickChosen();
  };

  for (const select of [baseline, candidate]) select.addEventListener('input', tickChosen);
  tickChosen();

  return {
    read: () => ({ transports: readTransports(), payloadBytes: readPayload() }),
    /** @param {(bytes: number) => void} onChange @param {(message: string) => void} say what is wrong with it */
    onPayload(onChange, say) {
      payload.addEventListener('change', () => {
        const payloadBytes = tryOrSay(readPayload, say);
        if (payloadBytes !== undefined) onChange(payloadBytes);
      });
    },
    preset: () => presets.value,
    /** @param {{ preset: string, choices: Choices }} linked */
    show({ preset, choices: { transports, payloadBytes } }) {
      presets.value = preset;
      if (transports) showTransports(transports);
      if (payloadBytes !== undefined) payload.value = String(payloadBytes);
    },
    focusWrong: () => payload.focus(),
    /** @param {string} preset */
    describe(preset) {
      const count = readTransports().length;
      const bytes = payload.value.trim();
      return `Options: ${preset}, ${count} transports, ${bytes === '0' ? 'no payload' : `${bytes} bytes`}`;
    },
  };
}

/**
 * @param {readonly string[]} order @param {string} name @param {string} chosen
 * @returns {boolean} would a run be about `name` instead of what is chosen? It is if that is in none of the order's places
 */
function isBefore(order, name, chosen) {
  const place = order.indexOf(name);
  const end = order.includes(chosen) ? order.indexOf(chosen) : order.length;
  return place >= 0 && place < end;
}
