import { payload } from '../experiments/payload.js';
import { createDraw } from './experiment-drawing.js';

export { SCHEMA } from '../../core/experiments/payload.js';
export const draw = createDraw(payload);
