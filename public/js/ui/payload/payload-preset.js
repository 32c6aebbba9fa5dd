/**
 * Which fields a plan of the payload experiment has: the published one is what it is, and is only chosen from.
 */
import { PUBLISHED } from '../../../../core/experiments/payload/plan.js';
import { element } from '../element.js';

/** Disables what is of no use in the chosen plan; shows what is to be known of it. */
export function arrangePayloadPreset() {
  const isPublished = element(`[name=preset][value=${PUBLISHED}]`, HTMLInputElement).checked;
  for (const field of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll('[data-only=sweep]'))) {
    field.disabled = isPublished;
  }
  element('#best-of', HTMLElement).hidden = !isPublished;
}
