import { inFlight } from '../experiments/in-flight.js';
import { createDraw } from './experiment-drawing.js';

export { SCHEMA } from '../../core/experiments/in-flight.js';
export const draw = createDraw(inFlight);
