/** Names the transports of rows, in the tables of several experiments. */
import { labelOf } from './labels.js';
import { words } from './table.js';

/** @param {(transport: string) => string} [label] of what the experiment calls transports */
export const transportColumn = (label = labelOf) => ({
  ...words('Transport', (/** @type {{ transport: string }} */ { transport }) => label(transport)),
  isKey: true,
  idOf: (/** @type {{ transport: string }} */ { transport }) => transport,
});
