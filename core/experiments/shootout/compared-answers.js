/** Says in a sentence at which round-trip times which transport is faster, from the digests of compared runs. */
import { formatRatio, formatRtt } from '../../base/format.js';
import { isClear, isLittle, listOf, verdictOf } from '../../experiment/compare.js';
import { describeRelation } from '../../experiment/decide.js';

/** @import { Answered } from '../../experiment/compared-answers.js' */

const VERDICTS = /** @type {const} */ (['faster', 'little-faster', 'same', 'unclear', 'little-slower', 'slower']);

/**
 * @param {readonly Answered[]} runs
 * @returns {string | undefined} absent if not all have a verdict on the same two transports
 */
export function describeFar(runs) {
  const found = runs.flatMap(({ digest: { floorMs, shootout } }) => {
    const { word, speedRatio, ...pair } = /** @type {any} */ (shootout)?.comparison ?? {};
    return word && speedRatio && floorMs !== undefined
      ? [{ ...pair, verdict: verdictOf(speedRatio), ratio: speedRatio, floorMs }]
      : [];
  });
  const [{ transport, baseline } = {}] = found;
  const isOnePair = found.every((one) => one.transport === transport && one.baseline === baseline);
  if (found.length < runs.length || !isOnePair) return undefined;
  found.sort((a, b) => a.floorMs - b.floorMs);
  const clauses = VERDICTS.flatMap((verdict) => {
    const own = found.filter((one) => one.verdict === verdict);
    if (own.length === 0) return [];
    const ratios = own.map(({ ratio }) => ratio);
    const relation = describeRelation({ subject: transport, baseline, verdict }, ratios);
    return [`${relation}${isLittle({ verdict }) ? ',' : ''} at ${listOf(own.map(describePlace))}`];
  });
  return `${clauses.join('; ')}.`;
}

/** @param {any} found @returns {string} like '40 ms (1.5x)' */
const describePlace = ({ floorMs, ratio, verdict }) =>
  `${formatRtt(floorMs)} ms${isClear({ verdict }) || isLittle({ verdict }) ? ` (${formatRatio(ratio)})` : ''}`;
