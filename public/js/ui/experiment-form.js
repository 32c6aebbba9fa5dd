import { createSeed } from '../../../core/base/random.js';
import { element, inputs, onSubmit, markField, markFaults, tryOrSay } from './page.js';

/** @import { Planned } from '../../../core/experiment/contract.js' */
/** @import { PageForm } from '../clients/contract.js' */

/**
 * The form of an experiment's plan. Its fields are called what the link's parameters are, so that both are read by the same
 * rules; a linked plan fills it in. A field beside boxes of its name adds to what they choose. What is disabled by itself
 * is not of the plan. `refresh` is for when something else has changed what the plan is fitted to.
 * @param {Pick<Planned, 'parsePlan' | 'formatPlan' | 'describePlan'> & Partial<Omit<PageForm, 'prepare'>> & { ready: Promise<unknown>,
 *   onStart(plan: any): void }} options `ready` is waited for before a start: what a plan is fitted to is known then;
 *   `onStart` is called only with a plan that is right
 */
export function createExperimentForm({ parsePlan, formatPlan, describePlan, onStart, ready, ...options }) {
  const { arrange = () => {}, fitPlan = (plan) => plan } = options;
  const start = element('#start-controls', HTMLFieldSetElement);
  const link = element('#plan-link', HTMLAnchorElement);
  const controls = findControls();
  let seed = createSeed();
  /** @type {any} absent where what is chosen is none */
  let plan;
  /** By the link's parameters. */
  let wrongMessage = '';

  /** @param {string} message */
  const showProblem = (message) => {
    if (message) wrongMessage = message;
    say(mark(controls, message));
  };
  /** Fills in the plan of a query, if it has one. @param {URLSearchParams} linked */
  const fill = (linked) => {
    const chosen = parsePlan(linked, { seed });
    if (!chosen) return;
    const query = new URLSearchParams(formatPlan(chosen));
    fillControls(controls, query);
    if (query.has('seed')) seed = Number(query.get('seed'));
  };
  const readForm = () => {
    arrange();
    const read = parsePlan(readControls(controls), { seed });
    return read && fitPlan(read);
  };
  const show = () => {
    plan = tryOrSay(readForm, showProblem);
    element('#plan').textContent = plan ? describePlan(plan) : '';
    link.hidden = !plan;
    if (plan) link.href = `?${formatPlan(plan)}`;
    else link.removeAttribute('href');
  };

  tryOrSay(() => fill(new URLSearchParams(location.search)), showProblem);
  const linkError = wrongMessage;
  const refresh = () => {
    show();
    if (linkError) say(`The plan in this link is invalid: ${linkError}. Use the options on this page.`);
  };
  refresh();

  const submit = async () => {
    start.disabled = true;
    await ready;
    start.disabled = false;
    show();
    if (!plan) {
      focusWrong(controls, wrongMessage);
      return;
    }
    history.replaceState(undefined, '', link.href);
    onStart(plan);
    // The next press is a run of its own.
    seed = createSeed();
    show();
  };

  for (const preset of document.querySelectorAll('#run-form [data-plan]')) {
    preset.addEventListener('click', () => {
      fill(new URLSearchParams(preset.getAttribute('data-plan') ?? ''));
      show();
    });
  }
  element('#run-form').addEventListener('input', show);
  onSubmit('#run-form', submit);

  return {
    isLinkRefused: linkError !== '',
    setEnabled: (/** @type {boolean} */ isEnabled) => (start.disabled = !isEnabled),
    submit,
    refresh,
  };
}

/** @param {string} words */
function say(words) {
  element('#form-error').textContent = words;
}

/** @typedef {ReturnType<typeof findControls>} Controls */

const findControls = () => ({
  boxes: inputs('#run-form [type=checkbox]'),
  fields: inputs('#run-form input:not([type])'),
  radios: inputs('#run-form [type=radio]'),
});

/** @param {Controls} controls @returns {URLSearchParams} what a link to the plan says */
function readControls({ boxes, fields, radios }) {
  const query = new URLSearchParams();
  /** @param {string} name @param {string} value */
  const add = (name, value) => query.set(name, [query.get(name), value].filter(Boolean).join(','));
  // None of them is a choice, too: not the default.
  for (const { name, value, checked, disabled } of boxes) add(name, checked && !disabled ? value : '');
  for (const { name, value, disabled } of fields) if (!disabled) add(name, value.trim());
  for (const { name, value, checked } of radios) if (checked && value) query.set(name, value);
  return query;
}

/** @param {Controls} controls @param {URLSearchParams} query what it says nothing of stays as it is */
function fillControls({ boxes, fields, radios }, query) {
  /** @param {string} name */
  const valuesOf = (name) => query.get(name)?.split(',') ?? [];
  for (const box of boxes.filter(({ name }) => query.has(name))) box.checked = valuesOf(box.name).includes(box.value);
  for (const radio of radios) radio.checked = radio.value === (query.get(radio.name) ?? '');
  for (const field of fields.filter(({ name }) => query.has(name))) {
    const offered = boxes.filter(({ name }) => name === field.name).map(({ value }) => value);
    field.value = valuesOf(field.name)
      .filter((value) => !offered.includes(value))
      .join(',');
  }
}

/** @param {Controls} controls @param {string} message by the link's parameters @returns {string} by the fields' labels */
function mark({ boxes, fields }, message) {
  for (const field of fields) markField(field, false);
  // Where nothing is added to what boxes choose, it is they that are wrong.
  const own = fields.filter(({ name, value }) => value !== '' || boxes.every((box) => box.name !== name));
  return markFaults(own, message);
}

/** @param {Controls} controls @param {string} message */
function focusWrong({ boxes, fields }, message) {
  // What is too much as a product is so by its first factor, too.
  const parameters = message.split(':')[0].split(' ');
  const usable = [...fields, ...boxes].filter(({ disabled }) => !disabled);
  const wrong = usable.find(({ name }) => parameters.includes(name)) ?? boxes[0];
  wrong.closest('details')?.setAttribute('open', '');
  wrong.focus();
}
