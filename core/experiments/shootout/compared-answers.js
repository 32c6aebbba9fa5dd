/** Says in a sentence at which round-trip times which transport is faster, from the digests of compared runs. */
import { formatRatio, formatRtt } from '../../base/format.js';
import { isClear, listOf } from '../../experiment/compare.js';
import { describeRelation } from '../../experiment/decide.js';

/** @import { Answered } from '../../experiment/compared-answers.js' */

const VERDICTS = /** @type {const} */ (['faster', 'same', 'unclear', 'slower']);

/**
 * @param {readonly Answered[]} runs
 * @returns {string | undefined} absent if not all have a verdict on the same two transports
 */
export function describeDigests(runs) {
  const found = runs.flatMap(({ digest: { floorMs, shootout } }) => {
    const { word, speedRatio, ...pair } = /** @type {any} */ (shootout)?.comparison ?? {};
    return word && speedRatio && floorMs !== undefined ? [{ ...pair, verdict: word, ratio: speedRatio, floorMs }] : [];
  });
  const [{ transport, baseline } = {}] = found;
  const isOnePair = found.every((one) => one.transport === transport && one.baseline === baseline);
  if (found.length < runs.length || !isOnePair) return undefined;
  found.sort((a, b) => a.floorMs - b.floorMs);
  const clauses = VERDICTS.flatMap((verdict) => {
    const places = found.filter((one) => one.verdict === verdict).map(describePlace);
    const relation = describeRelation({ subject: transport, baseline, verdict });
    return places.length > 0 ? [`${relation} at ${listOf(places)}`] : [];
  });
  return `${clauses.join('; ')}.`;
}

/** @param {any} found @returns {string} like '40 ms (1.5x)' */
const describePlace = ({ floorMs, ratio, verdict }) =>
  `${formatRtt(floorMs)} ms${isClear({ verdict }) ? ` (${formatRatio(ratio)})` : ''}`;
