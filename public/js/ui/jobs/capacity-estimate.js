import {
  describeCapacity,
  parseNeeds,
  CAPACITY_COLUMNS,
  CAPACITY_FIELDS,
  estimateCapacity,
} from '../../../../core/experiments/jobs/capacity.js';
import { element, inputs, onSubmit } from '../element.js';
import { markFaults } from '../field-faults.js';
import { fillTable } from '../table.js';
import { tryOrSay } from '../try-or-say.js';

/**
 * @import { DeliveryCost } from '../../../../core/experiments/jobs/capacity.js'
 * @import { JobsDocument } from '../../../../core/experiments/jobs/index.js'
 */

/**
 * What the visitor's own users would cost by each delivery method: calculated with each input.
 * @returns {{ show(document: JobsDocument): void }}
 */
export function createCapacityEstimate() {
  const section = element('#capacity-section');
  const fields = inputs('#capacity input');
  const table = element('#capacity-rows', HTMLTableElement);
  /** @param {readonly DeliveryCost[]} rows */
  const showRows = (rows) => fillTable(table, { columns: CAPACITY_COLUMNS, rows });
  /** @type {JobsDocument | undefined} */
  let shown;

  const show = () => {
    if (!shown) return;
    const usable = fields.filter(({ disabled }) => !disabled);
    const query = new URLSearchParams(usable.map(({ name, value }) => [name, value.trim()]));
    const needs = tryOrSay(
      () => parseNeeds(query),
      (message) => (element('#capacity-error').textContent = markFaults(fields, message)),
    );
    showRows(needs ? estimateCapacity(shown, needs) : []);
  };

  element('#capacity').addEventListener('input', show);
  onSubmit('#capacity', () => {});
  return {
    show(document) {
      shown = document;
      // A run that ended early gives no estimate, whatever the needs.
      const estimates = estimateCapacity(document, parseNeeds(new URLSearchParams()));
      section.hidden = estimates.length === 0;
      if (section.hidden) return;
      const hasPolling = estimates.some(({ delivery }) => delivery === 'poll');
      for (const field of fields) field.disabled = field.name === CAPACITY_FIELDS.intervalMs.parameter && !hasPolling;
      element('#capacity-note').textContent = describeCapacity(document);
      show();
    },
  };
}
