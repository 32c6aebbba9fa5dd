import { JobOptionError } from './options.js';

/** @import { Refusal } from '../http/gate.js' */

/**
 * @template T
 * @param {() => T} parse
 * @param {(refusal: Refusal) => void} refuse is told where what was asked for is wrong
 * @returns {{ parsed: T } | undefined} absent where it was refused
 */
export function parseOrRefuse(parse, refuse) {
  try {
    return { parsed: parse() };
  } catch (error) {
    if (!(error instanceof JobOptionError)) throw error;
    refuse({ status: 400, code: error.code, message: error.message });
    return undefined;
  }
}
