/** The fields of each kind of plan: the published one is fixed, but for its selection. */
import { PUBLISHED } from '../../../../core/experiments/payload/plan.js';
import { element, inputs } from '../element.js';

/** Disables the fields that the chosen kind of plan lacks, and shows its note. */
export function arrangePayloadPreset() {
  const isPublished = element(`[name=preset][value=${PUBLISHED}]`, HTMLInputElement).checked;
  for (const field of inputs('[data-only=sweep]')) field.disabled = isPublished;
  element('#best-of').hidden = !isPublished;
}
