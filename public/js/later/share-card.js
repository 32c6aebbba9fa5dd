/** Draws the picture of an answer: pages load it when somebody shares a run. */
export { drawRun } from '../../../core/experiment/report/draw-run.js';
