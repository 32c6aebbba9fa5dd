/** Counts what stands above a list of one experiment's runs: shares of its valid runs, by place. */
import { sharesOf } from '../core/experiments/reach/places.js';

/** By the name of the experiment; most have none. @type {ReadonlyMap<string, (runs: readonly any[]) => readonly object[]>} */
export const SHARES = new Map([['reach', sharesOf]]);
