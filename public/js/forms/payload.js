/** The form of the page of payload sizes: the forecast of what a run costs. */
import { PUBLISHED } from '../../../core/experiments/payload/plan.js';
import { createTransfers } from '../libraries.js';
import { element, inputs } from '../base/page.js';
import { createPayloadForecast, formatBytesOf } from '../ui/payload-forecast.js';

/** @import { OwnForm } from '../ui/experiment-form.js' */

/** @returns {OwnForm} */
export function createPayloadForm() {
  const forecast = createPayloadForecast();
  return {
    // A published plan is fixed, except for its selection.
    arrange() {
      const isPublished = element(`[name=preset][value=${PUBLISHED}]`, HTMLInputElement).checked;
      for (const field of inputs('[data-only=sweep], [name=connections]')) field.disabled = isPublished;
      element('#best-of').hidden = !isPublished;
      forecast.clear();
    },
    fitPlan: forecast.fitPlan,
    describeDuration: forecast.describeDuration,
    formatBytesOf,
    async prepare(plan, { signal, progress }) {
      progress.say('Testing the connection');
      return forecast.fitTime(plan, { transfer: createTransfers({}).fetch, signal });
    },
  };
}
