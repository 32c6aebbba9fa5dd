import { createSeed } from '../../core/random.js';
import { element } from './element.js';

/**
 * The form of an experiment's plan. Its fields are called what the link's parameters are, so that both are read by the same
 * rules; a linked plan fills it in.
 *
 * @template P
 * @param {object} options
 * @param {(query: URLSearchParams, options: { seed: number }) => P | undefined} options.parsePlan absent where the query is
 *   about no plan; throws a RangeError: the parameter, what was expected, what it got
 * @param {(plan: P) => string} options.formatPlan
 * @param {(plan: P) => string} options.describePlan
 * @param {(plan: P) => void} options.onStart called only with a plan that is right
 * @returns {{ isLinkRefused: boolean, setEnabled(isEnabled: boolean): void, submit(): void, say(error: string): void }}
 */
export function createExperimentForm({ parsePlan, formatPlan, describePlan, onStart }) {
  const form = element('#run-form', HTMLFormElement);
  const controls = element('#start-controls', HTMLFieldSetElement);
  const planText = element('#plan', HTMLElement);
  const link = element('#plan-link', HTMLAnchorElement);
  const error = element('#form-error', HTMLElement);
  const boxes = [.../** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll('[name=transports]'))];
  const fields = [.../** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll('input:not([type])'))];
  let seed = createSeed();
  /** @type {P | undefined} */
  let plan;

  /** @param {string} words */
  const say = (words) => {
    error.textContent = words;
  };

  /**
   * @param {() => P | undefined} work
   * @returns {P | undefined}
   */
  const tryOrSay = (work) => {
    try {
      say('');
      return work();
    } catch (problem) {
      if (!(problem instanceof RangeError)) throw problem;
      say(problem.message);
      return undefined;
    }
  };

  const readForm = () => {
    const checked = boxes.filter((box) => box.checked).map(({ value }) => value);
    const query = new URLSearchParams({ transports: checked.join(',') });
    for (const { name, value } of fields) query.set(name, value.trim());
    return parsePlan(query, { seed });
  };

  const show = () => {
    plan = tryOrSay(readForm);
    planText.textContent = plan ? describePlan(plan) : '';
    link.hidden = !plan;
    if (plan) link.href = `?${formatPlan(plan)}`;
  };

  /** @param {P} linked */
  const fill = (linked) => {
    const query = new URLSearchParams(formatPlan(linked));
    const transports = query.get('transports')?.split(',');
    for (const box of boxes) box.checked = transports?.includes(box.value) ?? false;
    for (const field of fields) field.value = query.get(field.name) ?? '';
    seed = Number(query.get('seed'));
  };

  const linked = tryOrSay(() => parsePlan(new URLSearchParams(location.search), { seed }));
  const linkError = error.textContent;
  if (linked) fill(linked);
  show();
  if (linkError) say(`The link’s plan cannot be used: ${linkError}`);

  const submit = () => {
    show();
    if (!plan) {
      const [parameter] = String(error.textContent).split(':');
      (fields.find(({ name }) => name === parameter) ?? boxes[0]).focus();
      return;
    }
    history.replaceState(undefined, '', link.href);
    onStart(plan);
    // The next press is a run of its own.
    seed = createSeed();
    show();
  };

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
    say,
  };
}
