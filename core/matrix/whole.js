/**
 * Checks whether a run ended as planned: nobody shares by a press of a study's button, or by a command, what was stopped.
 * @param {any} document of one test, or of a full test, whose parts may have failed or been skipped
 * @returns {boolean}
 */
export const isWhole = ({ ending, parts = [] }) =>
  !ending &&
  parts.every((/** @type {any} */ { missing, document }) => missing?.kind !== 'stopped' && !document?.ending);

/**
 * Checks whether its visitor stopped a run before any part of it was whole: it has nothing to tell others.
 * @param {any} document as above @returns {boolean}
 */
export const isStopped = ({ ending, parts }) => (parts ? parts.every(isStoppedPart) : ending?.kind === 'cancelled');

/** @param {any} part */
const isStoppedPart = ({ missing, document }) => missing?.kind === 'stopped' || document?.ending?.kind === 'cancelled';
