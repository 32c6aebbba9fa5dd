/** Mounts the visitor's situation as a sentence: what their page does, how often it asks, what it uses, what they consider. */
import { formatCount, formatSpan } from '../../../core/base/format.js';
import { parseFields } from '../../../core/experiment/plan/fields.js';
import { asksForNews, sendsMessages, SITUATION_FIELDS } from '../../../core/experiment/plan/situation.js';
import { element, inputs } from '../base/page.js';

/** @import { Situation } from '../../../core/experiment/plan/situation.js' */

/** The controls that are lists, mostly of milliseconds, by the field of the situation. */
const LISTS = Object.freeze(
  /** @type {const} */ (['does', 'intervalMs', 'newsMs', 'lateMs', 'messageMattersMs', 'newsMattersMs', 'device']),
);

/** @typedef {ReturnType<typeof mountSituation>} SituationForm */

export function mountSituation() {
  const { polls, newsBytes } = SITUATION_FIELDS;
  const radios = inputs(`[name=${polls.parameter}]`);
  const selects = LISTS.map((field) => element(`#${SITUATION_FIELDS[field].parameter}`, HTMLSelectElement));
  const transports = [
    { name: SITUATION_FIELDS.uses.parameter, select: element('#baseline', HTMLSelectElement) },
    { name: SITUATION_FIELDS.considers.parameter, select: element('#candidate', HTMLSelectElement) },
  ];
  const size = element(`#${newsBytes.parameter}`, HTMLSelectElement);
  const controls = [...radios, ...selects, size];
  const read = () => {
    const query = new URLSearchParams({ [polls.parameter]: String(radios.find(({ checked }) => checked)?.value) });
    for (const { name, value } of selects) query.set(name, value);
    if (size.value) query.set(newsBytes.parameter, size.value);
    for (const { name, select } of transports) query.set(name, select.value);
    return parseFields(query, SITUATION_FIELDS);
  };
  const arrange = () => {
    const does = /** @type {Situation['does']} */ (selects[LISTS.indexOf('does')].value);
    const isAsking = asksForNews({ does });
    const shown = { news: isAsking, messages: !isAsking, sending: sendsMessages({ does }) };
    for (const [name, isShown] of Object.entries(shown))
      for (const part of document.querySelectorAll(`[data-only=${name}]`))
        /** @type {HTMLElement} */ (part).hidden = !isShown;
  };
  for (const control of controls) control.addEventListener('input', arrange);
  arrange();

  return {
    /** @returns {Situation} */
    read,
    /** @param {{ does: Situation['does'] } & Partial<Situation>} situation a link's: baseline and candidate are shown with the plan */
    show(situation) {
      for (const radio of radios) radio.checked = radio.value === (situation.polls ?? polls.default);
      LISTS.forEach((field, i) => showListed(selects[i], situation[field] ?? SITUATION_FIELDS[field].default));
      showListed(size, situation.newsBytes ?? '', (bytes) => formatCount(bytes, 'byte'));
      if (size.value) /** @type {HTMLElement} */ (size.closest('.pair')).hidden = false;
      arrange();
    },
    /** @param {EventTarget | null} control @returns {boolean} is it one of these? */
    has: (control) => controls.some((one) => one === control),
  };
}

/**
 * Selects what may be a time, or another number, that a link has in between.
 * @param {HTMLSelectElement} select @param {number | string} [listed] @param {(value: number) => string} [format]
 */
function showListed(select, listed, format = formatSpan) {
  const text = String(listed);
  if (![...select.options].some(({ value }) => value === text)) select.append(new Option(format(Number(text)), text));
  select.value = text;
}
