/**
 * Checks whether a run ended as planned: nobody shares by a press of a study's button, or by a command, what was stopped.
 * @param {any} document of one test, or of a full test, whose parts may have failed or been skipped
 * @returns {boolean}
 */
export const isWhole = ({ ending, parts = [] }) =>
  !ending &&
  parts.every((/** @type {any} */ { missing, document }) => missing?.kind !== 'stopped' && !document?.ending);
