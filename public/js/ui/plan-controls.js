/** The controls of a plan's form: they are filled with a link's query, read as one, and marked where they are wrong. */
import { SEED } from '../../../core/experiment/plan/fields.js';
import * as numberInput from '../../../core/experiment/plan/number-input.js';
import { element, inputs, markFaults, markField, sayAtField } from '../base/page.js';

/**
 * @import { InvalidInputError } from '../../../core/base/foreign-text.js'
 * @import { Planned } from '../../../core/experiment/contract.js'
 * @import { Field, IntegerField, IntegersField } from '../../../core/experiment/plan/fields.js'
 *
 * @typedef {object} Controls
 * @property {Map<string, string>} hidden what a link says and no control shows
 * @property {HTMLInputElement[]} boxes
 * @property {HTMLInputElement[]} fields
 * @property {HTMLInputElement[]} radios
 * @property {Set<string>} optional the names of fields that may be empty
 * @property {Map<string, IntegerField | IntegersField>} inSeconds the fields that are shown in seconds, by their names
 */

/**
 * What a link says and no control shows: it holds until the visitor changes something.
 * @param {Planned['fields']} plan @returns {Map<string, string>} by parameter
 */
function keepHidden(plan) {
  const hidden = new Map(
    Object.values(plan).flatMap(({ label, parameter }) => (label === '' ? [[parameter, '']] : [])),
  );
  // The seed is every plan's, and not a choice.
  hidden.delete(SEED.parameter);
  element('#run-form').addEventListener('input', () => hidden.forEach((_, name) => hidden.set(name, '')));
  return hidden;
}

/** @param {Planned['fields']} plan @returns {Controls} */
export const findControls = (plan) => ({
  hidden: keepHidden(plan),
  boxes: inputs('#run-form [type=checkbox]'),
  fields: inputs('#run-form input:not([type])'),
  radios: inputs('#run-form [type=radio]'),
  optional: new Set(Object.values(plan).flatMap(({ empty, parameter }) => (empty ? [parameter] : []))),
  inSeconds: new Map(Object.values(plan).flatMap((field) => (isInSeconds(field) ? [[field.parameter, field]] : []))),
});

/** @param {Field} field @returns {field is IntegerField | IntegersField} */
const isInSeconds = (field) => Boolean(field.isInSeconds);

/**
 * @param {Controls} controls @returns {URLSearchParams} the query of a link to the plan
 * @throws {InvalidInputError} if seconds are wrong
 */
export function readControls({ hidden, boxes, fields, radios, optional, inSeconds }) {
  const query = new URLSearchParams();
  /** @param {string} name @param {string} value */
  const add = (name, value) => query.set(name, [query.get(name), value].filter(Boolean).join(','));
  // A missing parameter would mean the default, so unchecked boxes leave an empty value.
  for (const { name, value, checked, disabled } of boxes) add(name, checked && !disabled ? value : '');
  for (const { name, value, disabled } of fields) {
    if (value.trim() === '' && optional.has(name)) continue;
    const field = inSeconds.get(name);
    if (!disabled) add(name, field ? numberInput.parseSeconds(value, field) : value.trim());
  }
  for (const { name, value, checked } of radios) if (checked && value) query.set(name, value);
  for (const [name, value] of hidden) if (value) query.set(name, value);
  return query;
}

/**
 * Offers a choice among other names only those that are ticked: the first, where the chosen one no longer is.
 * @param {Controls} controls @param {Planned['fields']} plan @returns {Controls} the same
 */
export function fitAmong(controls, plan) {
  const { boxes, radios } = controls;
  for (const field of Object.values(plan)) {
    if (field.type !== 'choice' || !field.among) continue;
    const { parameter } = plan[field.among];
    const ticked = boxes.filter(({ name, checked }) => name === parameter && checked).map(({ value }) => value);
    const offered = radios.filter(({ name }) => name === field.parameter);
    for (const radio of offered) radio.disabled = !ticked.includes(radio.value);
    const usable = offered.filter(({ disabled }) => !disabled);
    if (usable[0] && !usable.some(({ checked }) => checked)) usable[0].checked = true;
  }
  return controls;
}

/** @param {Controls} controls @param {URLSearchParams} query other fields without a parameter than optional ones stay as they are */
export function fillControls({ hidden, boxes, fields, radios, optional, inSeconds }, query) {
  for (const name of hidden.keys()) hidden.set(name, query.get(name) ?? '');
  /** @param {string} name */
  const valuesOf = (name) => query.get(name)?.split(',') ?? [];
  for (const box of boxes.filter(({ name }) => query.has(name))) box.checked = valuesOf(box.name).includes(box.value);
  for (const radio of radios) radio.checked = radio.value === (query.get(radio.name) ?? '');
  for (const field of fields.filter(({ name }) => query.has(name) || optional.has(name))) {
    const offered = boxes.filter(({ name }) => name === field.name).map(({ value }) => value);
    const planned = valuesOf(field.name)
      .filter((value) => !offered.includes(value))
      .join(',');
    field.value = inSeconds.has(field.name) ? numberInput.formatSeconds(planned) : planned;
  }
}

/**
 * Marks the controls that an error is about.
 * @param {Controls} controls @param {InvalidInputError} [error]
 * @returns {string} what to correct, with the labels of the controls; empty without an error
 */
export function markWrong({ boxes, fields }, error) {
  for (const field of fields) markField(field, false);
  // If no field adds to the choice of boxes, the boxes are wrong.
  const own = fields.filter(({ name, value }) => value !== '' || boxes.every((box) => box.name !== name));
  return describeEmptyGroup(boxes, own, error) ?? markFaults(own, error);
}

/**
 * Says what to choose if an error is about boxes, and none of them is checked.
 * @param {HTMLInputElement[]} boxes @param {HTMLInputElement[]} filled the fields that add to the boxes of their name
 * @param {InvalidInputError} [error] @returns {string | undefined} a sentence
 */
function describeEmptyGroup(boxes, filled, error) {
  const parameter = error?.fields[0];
  const group = boxes.filter(({ name }) => name === parameter);
  const isChosen = group.some(({ checked }) => checked) || filled.some(({ name }) => name === parameter);
  const one = group[0]?.closest('fieldset')?.dataset.one;
  return one && !isChosen ? `Choose at least one ${one}.` : undefined;
}

/** Leads to what is wrong, which is said at its field. @param {Controls} controls @param {InvalidInputError} [error] */
export function showWrong(controls, error) {
  const control = findWrong(controls, error);
  control.closest('details')?.setAttribute('open', '');
  sayAtField(markWrong(controls, error), control);
  control.focus();
}

/** @param {Controls} controls @param {InvalidInputError} [error] @returns {HTMLInputElement} the first control that it is about */
export function findWrong({ boxes, fields }, error) {
  const usable = [...fields, ...boxes].filter(({ disabled }) => !disabled);
  // A product that is too large is shown at its first factor.
  return usable.find(({ name }) => error?.fields.includes(name)) ?? boxes[0];
}
