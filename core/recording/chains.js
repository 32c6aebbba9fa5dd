/** Finds chains of requests: each left just after the answer of the one before, so that their round trips add up. */
import { formatAddress } from './address.js';

/**
 * @import { Exchange } from './exchange.js'
 * @import { Chain } from './recording.js'
 */

/** A script that has an answer sends the next request within this. */
const FOLLOWS_MS = 30;
const MIN_LENGTH = 3;
const MAX_LENGTH = 50;
const MAX_CHAINS = 10;

/**
 * @param {readonly Exchange[]} exchanges in the order of their times
 * @returns {Chain[]} the longest first; no request is in two of them
 */
export function findChains(exchanges) {
  const steps = exchanges.filter(({ kind, isFromCache }) => (kind === 'data' || kind === 'document') && !isFromCache);
  const byEnd = [...steps].sort((one, other) => one.endMs - other.endMs);
  /** @type {Map<Exchange, Exchange>} the one before each */
  const before = new Map();
  /** @type {Set<Exchange>} */
  const followed = new Set();
  let ended = 0;
  for (const step of steps) {
    while (ended < byEnd.length && byEnd[ended].endMs <= step.atMs) ended++;
    const last = byEnd[ended - 1];
    // One answer may cause several requests at once: the first of these goes on with the chain.
    if (!last || last === step || followed.has(last) || step.atMs - last.endMs > FOLLOWS_MS) continue;
    before.set(step, last);
    followed.add(last);
  }
  return steps
    .filter((step) => before.has(step) && !followed.has(step))
    .map((last) => walkBack(last, before))
    .filter((chain) => chain.length >= MIN_LENGTH)
    .map((chain) => ({
      steps: chain
        .slice(0, MAX_LENGTH)
        .map(({ address }) => ({ pattern: formatAddress(address), origin: address.origin })),
      ms: chain[chain.length - 1].endMs - chain[0].atMs,
    }))
    .sort((one, other) => other.steps.length - one.steps.length || other.ms - one.ms)
    .slice(0, MAX_CHAINS);
}

/** @param {Exchange} last @param {ReadonlyMap<Exchange, Exchange>} before @returns {Exchange[]} from the first one on */
function walkBack(last, before) {
  const chain = [last];
  for (let one = before.get(last); one; one = before.get(one)) chain.push(one);
  return chain.reverse();
}
