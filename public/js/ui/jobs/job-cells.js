/** A job as a cell of a drawing: each state has a shape of its own besides its colour. */
import { colour } from '../../charts/chart.js';

/** Waiting; done by its duration, but the client was not notified yet; notified; failed, or late. */
export const JOB_STATES = /** @type {const} */ (['waiting', 'done', 'notified', 'failed']);

/** @typedef {typeof JOB_STATES[number]} JobState */

const COLOURS = { waiting: '--chart-text', done: '--job-done', notified: '--job-notified', failed: '--job-failed' };

/**
 * The colours of the cells; to be read again when the visitor's colour scheme changes.
 * @returns {Record<JobState, string>}
 */
export function readCellColours() {
  return /** @type {Record<JobState, string>} */ (
    Object.fromEntries(JOB_STATES.map((state) => [state, colour(COLOURS[state])]))
  );
}

/**
 * @param {CanvasRenderingContext2D} context @param {JobState} state
 * @param {{ x: number, y: number, size: number, colours: Record<JobState, string> }} place of its left upper corner
 */
export function drawJobCell(context, state, { x, y, size, colours }) {
  context.clearRect(x, y, size, size);
  context.strokeStyle = context.fillStyle = colours[state];
  context.lineWidth = Math.max(1, size / 8);
  const inset = context.lineWidth / 2;
  if (state === 'notified') {
    context.fillRect(x, y, size, size);
    return;
  }
  if (state === 'failed') {
    drawCross(context, x + inset, y + inset, size - 2 * inset);
    return;
  }
  context.strokeRect(x + inset, y + inset, size - 2 * inset, size - 2 * inset);
  // Half full: the server knows that it is done, and the client does not.
  if (state === 'done') context.fillRect(x, y + size / 2, size, size / 2);
}

/** @param {CanvasRenderingContext2D} context @param {number} x @param {number} y @param {number} size */
function drawCross(context, x, y, size) {
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(x + size, y + size);
  context.moveTo(x + size, y);
  context.lineTo(x, y + size);
  context.stroke();
}
