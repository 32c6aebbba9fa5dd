/** Mounts the visitor's situation in words: what their page does, how often it asks, what it uses, what they consider. */
import { formatSpan } from '../../../../core/base/format.js';
import { parseFields } from '../../../../core/experiment/fields.js';
import { asksForNews, SITUATION_FIELDS } from '../../../../core/experiment/situation.js';
import { element, inputs } from '../page.js';

/** @import { Situation } from '../../../../core/experiment/situation.js' */

/** The controls that are numbers of milliseconds, by the field of the situation. */
const TIMES = Object.freeze(/** @type {const} */ (['intervalMs', 'newsMs', 'lateMs']));

export function mountSituation() {
  const radios = inputs(`[name=${SITUATION_FIELDS.does.parameter}]`);
  const selects = TIMES.map((field) => element(`#${SITUATION_FIELDS[field].parameter}`, HTMLSelectElement));
  const transports = [
    { name: SITUATION_FIELDS.uses.parameter, select: element('#baseline', HTMLSelectElement) },
    { name: SITUATION_FIELDS.considers.parameter, select: element('#candidate', HTMLSelectElement) },
  ];
  const does = () => String(radios.find(({ checked }) => checked)?.value);
  const read = () => {
    const query = new URLSearchParams({ [SITUATION_FIELDS.does.parameter]: does() });
    for (const { name, value } of selects) query.set(name, value);
    for (const { name, select } of transports) query.set(name, select.value);
    return parseFields(query, SITUATION_FIELDS);
  };
  const arrange = () => {
    const isAsking = asksForNews({ does: does() });
    for (const part of document.querySelectorAll('[data-only=news]'))
      /** @type {HTMLElement} */ (part).hidden = !isAsking;
    for (const part of document.querySelectorAll('[data-only=messages]'))
      /** @type {HTMLElement} */ (part).hidden = isAsking;
  };
  for (const control of [...radios, ...selects]) control.addEventListener('input', arrange);
  arrange();

  return {
    /** @returns {Situation} */
    read,
    /** @param {Pick<Situation, 'does'> & Partial<Situation>} situation a link's: baseline and candidate are shown with the plan */
    show({ does: shown, ...times }) {
      for (const radio of radios) radio.checked = radio.value === shown;
      TIMES.forEach((field, i) => showTime(selects[i], times[field]));
      arrange();
    },
    /** @param {EventTarget | null} control @returns {boolean} is it one of these? */
    has: (control) => [...radios, ...selects].includes(/** @type {any} */ (control)),
  };
}

/** Selects a time, which a link may have in between. @param {HTMLSelectElement} select @param {number} [ms] */
function showTime(select, ms) {
  if (ms === undefined) return;
  const text = String(ms);
  if (![...select.options].some(({ value }) => value === text)) select.append(new Option(formatSpan(ms), text));
  select.value = text;
}
