import { createSeed } from '../../../../core/base/random.js';
import { element } from '../element.js';
import { markFaults } from '../field-faults.js';

/**
 * The form of an experiment's plan. Its fields are called what the link's parameters are, so that both are read by the same
 * rules; a linked plan fills it in. A field beside boxes of its name adds to what they choose. What is disabled by itself
 * is not of the plan.
 *
 * @template P
 * @param {object} options
 * @param {(query: URLSearchParams, options: { seed: number }) => P | undefined} options.parsePlan absent where the query is
 *   about no plan; throws a RangeError: the parameter, what was expected, what it got
 * @param {(plan: P) => string} options.formatPlan
 * @param {(plan: P) => string} options.describePlan
 * @param {(plan: P) => void} options.onStart called only with a plan that is right
 * @param {Promise<unknown>} options.ready is waited for before a start: what a plan is fitted to is known then
 * @param {() => void} [options.arrange] is called before it is read, and whenever it is: what depends on what is chosen
 * @param {(plan: P) => P} [options.fitPlan] what of a plan can be carried out; throws a RangeError as `parsePlan` does
 * @returns {{ isLinkRefused: boolean, setEnabled(isEnabled: boolean): void, submit(): void, refresh(): void,
 *   say(error: string): void }} `refresh` is for when something else has changed what the plan is fitted to
 */
export function createExperimentForm({
  parsePlan,
  formatPlan,
  describePlan,
  onStart,
  ready,
  arrange,
  fitPlan = (plan) => plan,
}) {
  const form = element('#run-form', HTMLFormElement);
  const controls = element('#start-controls', HTMLFieldSetElement);
  const planText = element('#plan', HTMLElement);
  const link = element('#plan-link', HTMLAnchorElement);
  const error = element('#form-error', HTMLElement);
  const boxes = [.../** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll('[type=checkbox]'))];
  const fields = [.../** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll('input:not([type])'))];
  const radios = [.../** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll('[type=radio]'))];
  const presets = /** @type {NodeListOf<HTMLButtonElement>} */ (form.querySelectorAll('[data-plan]'));
  let seed = createSeed();
  /** @type {P | undefined} */
  let plan;
  /** By the link's parameters. */
  let wrongMessage = '';

  /** @param {string} words */
  const say = (words) => {
    error.textContent = words;
  };

  /** @param {string} message */
  const mark = (message) => {
    // Where nothing is added to what boxes choose, it is they that are wrong.
    const own = fields.filter(({ name, value }) => value !== '' || boxes.every((box) => box.name !== name));
    for (const field of fields) field.removeAttribute('aria-invalid');
    say(markFaults(own, message));
  };

  /**
   * @param {() => P | undefined} work
   * @returns {P | undefined}
   */
  const tryOrSay = (work) => {
    try {
      mark('');
      return work();
    } catch (problem) {
      if (!(problem instanceof RangeError)) throw problem;
      wrongMessage = problem.message;
      mark(wrongMessage);
      return undefined;
    }
  };

  const readForm = () => {
    arrange?.();
    const query = new URLSearchParams();
    /** @param {string} name @param {string} value */
    const add = (name, value) => query.set(name, [query.get(name), value].filter(Boolean).join(','));
    // None of them is a choice, too: not what is usual.
    for (const { name, value, checked, disabled } of boxes) add(name, checked && !disabled ? value : '');
    for (const { name, value, disabled } of fields) if (!disabled) add(name, value.trim());
    for (const { name, value, checked } of radios) if (checked && value) query.set(name, value);
    const read = parsePlan(query, { seed });
    return read && fitPlan(read);
  };

  const show = () => {
    plan = tryOrSay(readForm);
    planText.textContent = plan ? describePlan(plan) : '';
    link.hidden = !plan;
    if (plan) link.href = `?${formatPlan(plan)}`;
    else link.removeAttribute('href');
  };

  /** @param {P} linked */
  const fill = (linked) => {
    const query = new URLSearchParams(formatPlan(linked));
    /** @param {string} name */
    const valuesOf = (name) => query.get(name)?.split(',') ?? [];
    for (const box of boxes) box.checked = valuesOf(box.name).includes(box.value);
    for (const radio of radios) radio.checked = radio.value === (query.get(radio.name) ?? '');
    for (const field of fields) {
      const offered = boxes.filter(({ name }) => name === field.name).map(({ value }) => value);
      // What a plan says nothing of stays as it is.
      if (!query.has(field.name)) continue;
      field.value = valuesOf(field.name)
        .filter((value) => !offered.includes(value))
        .join(',');
    }
    if (query.has('seed')) seed = Number(query.get('seed'));
  };

  const linked = tryOrSay(() => parsePlan(new URLSearchParams(location.search), { seed }));
  const linkError = wrongMessage;
  if (linked) fill(linked);
  const refresh = () => {
    show();
    if (linkError) say(`The link’s plan cannot be used: ${linkError}`);
  };
  refresh();

  const submit = async () => {
    controls.disabled = true;
    await ready;
    controls.disabled = false;
    show();
    if (!plan) {
      const [parameter] = wrongMessage.split(':');
      // What is too much as a product is so by its first factor, too.
      const parameters = parameter.split(' ');
      const usable = [...fields, ...boxes].filter(({ disabled }) => !disabled);
      (usable.find(({ name }) => parameters.includes(name)) ?? boxes[0]).focus();
      return;
    }
    history.replaceState(undefined, '', link.href);
    onStart(plan);
    // The next press is a run of its own.
    seed = createSeed();
    show();
  };

  for (const preset of presets) {
    preset.addEventListener('click', () => {
      const planned = parsePlan(new URLSearchParams(preset.dataset.plan), { seed });
      if (planned) fill(planned);
      show();
    });
  }
  form.addEventListener('input', show);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    submit();
  });

  return {
    isLinkRefused: linkError !== '',
    setEnabled(isEnabled) {
      controls.disabled = !isEnabled;
    },
    submit,
    refresh,
    say,
  };
}
