import { jobs } from '../experiments/jobs.js';
import { createDraw } from './experiment-drawing.js';

export { SCHEMA } from '../../core/experiments/jobs.js';
export const draw = createDraw(jobs);
