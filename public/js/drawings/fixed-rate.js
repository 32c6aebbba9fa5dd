import { fixedRate } from '../experiments/fixed-rate.js';
import { createDraw } from './experiment-drawing.js';

export { SCHEMA } from '../../core/experiments/fixed-rate.js';
export const draw = createDraw(fixedRate);
