/** Mounts the fields of the echo run's plan on the home page. */
import * as plans from '../../../../core/experiments/shootout/plan.js';
import { BASELINES } from '../../../../core/experiment/answer/compare.js';
import { describePlanned } from '../../../../core/experiment/plan/blocks.js';
import { parseField } from '../../../../core/experiment/plan/fields.js';
import { labelOf } from '../../../../core/experiment/answer/labels.js';
import { asksForNews, describeNews, sendsMessages } from '../../../../core/experiment/plan/situation.js';
import { element, inputs } from '../../base/page.js';

/** @import { Situation } from '../../../../core/experiment/plan/situation.js' */

/** The preset of a link that has a number of blocks or iterations. */
export const LINKED = 'linked';

/** From this round-trip time on, each control costs seconds, and isolates what hardly depends on the distance. */
const FAR_MS = 100;

/** @param {plans.Plan} plan @returns {string} such as 'at most 12 blocks of 20' */
export const formatBlocks = ({ iterations, ...plan }) => `${describePlanned(plan)} of ${iterations}`;

/** @typedef {ReturnType<typeof mountPlanFields>} PlanFields */

/** Mounts the fields of a plan. */
export function mountPlanFields() {
  const baseline = element('#baseline', HTMLSelectElement);
  const candidate = element('#candidate', HTMLSelectElement);
  const payload = element('#payload', HTMLInputElement);
  const boxes = inputs('[name=transport]');
  const presets = /** @type {RadioNodeList} */ (element('#run-form', HTMLFormElement).elements.namedItem('preset'));
  const payloadField = { ...plans.FIELDS.payloadBytes, parameter: String(payload.labels?.[0].textContent).trim() };
  const readPayload = () => parseField(payload.value, payloadField);
  const readTransports = () => boxes.filter(({ checked }) => checked).map(({ value }) => value);

  // A run is about the first baseline, and the first challenger, that it has.
  const tickChosen = () => {
    for (const box of boxes) {
      const isChosen = box.value === baseline.value || box.value === candidate.value;
      const isOther =
        isBefore(BASELINES, box.value, baseline.value) || isBefore(plans.CHALLENGERS, box.value, candidate.value);
      if (isChosen || isOther) box.checked = isChosen;
      box.disabled = isChosen || isOther;
    }
  };
  for (const select of [baseline, candidate]) select.addEventListener('input', tickChosen);
  tickChosen();
  let areChosen = false;
  for (const box of boxes) box.addEventListener('change', () => (areChosen = true));

  return {
    /** Leaves the controls out far away, unless the visitor or a link chose them. @param {number} roundTripMs */
    fitTo(roundTripMs) {
      if (areChosen || roundTripMs < FAR_MS) return;
      for (const box of boxes) box.checked &&= box.disabled;
    },
    payload,
    readTransports,
    /** @throws {InvalidInputError} what, expected, got */
    readPayload,
    read: () => ({ transports: readTransports(), payloadBytes: readPayload() }),
    preset: () => presets.value,
    /** Shows the field that is wrong. */
    reveal() {
      element('#options', HTMLDetailsElement).open = true;
      payload.focus();
    },
    /** @param {{ preset: string, choices: Partial<plans.Plan>, areChosen: boolean }} linked `areChosen`: its transports */
    show({ preset, choices: { transports, payloadBytes }, ...linked }) {
      presets.value = preset;
      ({ areChosen } = linked);
      if (payloadBytes !== undefined) payload.value = String(payloadBytes);
      if (!transports) return;
      const challenger = plans.challengerOf({ transports });
      const isOffered = [...candidate.options].some(({ value }) => value === challenger);
      if (!isOffered) candidate.append(new Option(labelOf(challenger), challenger));
      baseline.value = plans.baselineOf({ transports });
      candidate.value = challenger;
      for (const box of boxes) box.checked = transports.includes(box.value);
      tickChosen();
    },
    /**
     * Says what is chosen in a few words, beside the closed options, and leaves out the fields that change nothing.
     * @param {plans.Plan} [plan] @param {Situation} [situation] of a run that is not about sending alone
     */
    summarize(plan, situation) {
      const isSending = !situation || sendsMessages(situation);
      showSendingFields(isSending);
      const linked = plan ? formatBlocks(plan) : 'as linked';
      const preset = presets.value === LINKED ? linked : presets.value;
      const bytes = payload.value.trim();
      const echoes = [
        ...(preset === 'standard' ? [] : [preset]),
        `${readTransports().length} transports`,
        ...(bytes === '0' ? [] : [`${bytes} bytes`]),
      ];
      const chosen = [...(isSending ? echoes : []), ...describeNewsSize(situation)].join(', ');
      element('#options-summary').textContent = chosen ? `Options: ${chosen}` : 'Options';
    },
  };
}

/** @param {Situation} [situation] @returns {string[]} only of a size that was chosen, or that a link has */
const describeNewsSize = (situation) =>
  situation && asksForNews(situation) && situation.newsBytes !== undefined ? [describeNews(situation)] : [];

/** @param {boolean} isShown */
function showSendingFields(isShown) {
  for (const part of document.querySelectorAll('[data-only=echoes]'))
    /** @type {HTMLElement} */ (part).hidden = !isShown;
}

/**
 * Checks whether a run would be about a transport instead of the chosen one.
 * @param {readonly string[]} order @param {string} name @param {string} chosen
 */
export function isBefore(order, name, chosen) {
  const end = order.includes(chosen) ? order.indexOf(chosen) : order.length;
  return order.slice(0, end).includes(name);
}
