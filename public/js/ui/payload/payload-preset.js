/** Which fields a plan of the payload experiment has: the published one is what it is, and is only chosen from. */
import { PUBLISHED } from '../../../../core/experiments/payload/plan.js';
import { element, inputs } from '../element.js';

/** Disables what is of no use in the chosen plan; shows what is to be known of it. */
export function arrangePayloadPreset() {
  const isPublished = element(`[name=preset][value=${PUBLISHED}]`, HTMLInputElement).checked;
  for (const field of inputs('[data-only=sweep]')) field.disabled = isPublished;
  element('#best-of').hidden = !isPublished;
}
