/** Plans the trials of a run over sizes, each of which is one counted message. */
import { createRandom, shuffle } from '../../base/random.js';
import { newTransportsOf, PUBLISHED_MESSAGES, PUBLISHED_PASSES, withinBudget } from './plan.js';

/**
 * @import { Direction } from '../../net/transfer/index.js'
 * @import { PayloadPlan, PublishedPlan, Sweep } from './plan.js'
 * @typedef {{ block: number, size: number, direction: Direction, transport: string, warmUps?: string[] }} PlannedTrial
 */

/** @param {PayloadPlan} plan @returns {PlannedTrial[]} one for each counted message, in order */
export function trialsOf(plan) {
  const measured = withinBudget(plan);
  return measured.preset ? publishedTrialsOf(measured) : sweepTrialsOf(measured);
}

/**
 * Plans a sweep. Each size is warmed up, as TCP's congestion window grows with the bytes sent: in the first block all
 * transports send an uncounted message before any sends a counted one. New connections alternate between before and
 * after all kept ones of a block: they end those that HTTP kept, so every block warms up again.
 * @param {Sweep} plan @returns {PlannedTrial[]}
 */
function sweepTrialsOf(plan) {
  const { transports, directions, sizes, repeats, seed } = plan;
  const random = createRandom(seed);
  const places = directions.flatMap((direction) => sizes.map((size) => ({ size, direction })));
  const shuffled = Array.from({ length: repeats }, (_, block) =>
    shuffle(places, random).map((place) => ({ block, ...place, order: shuffle(transports, random) })),
  );
  const newTransports = newTransportsOf(plan);
  return shuffled.flatMap((ofBlock, block) => {
    const kept = ofBlock.flatMap(({ order, ...place }) => {
      const warmUps = (block === 0 || newTransports.length > 0) && { warmUps: order };
      return order.map((transport, i) => ({ ...place, transport, ...(i === 0 && warmUps) }));
    });
    const anew = ofBlock.flatMap(({ order: _, ...place }) =>
      shuffle(newTransports, random).map((transport) => ({ ...place, transport })),
    );
    return block % 2 === 0 ? [...kept, ...anew] : [...anew, ...kept];
  });
}

/**
 * Plans the published test, in the order of tables. It had no warm-up; here one message of the smallest size comes
 * first, so that no counted one includes opening the connection.
 * @param {PublishedPlan} plan @returns {PlannedTrial[]}
 */
function publishedTrialsOf({ transports, directions, sizes }) {
  const each = directions.flatMap((direction) =>
    sizes.flatMap((size) => transports.map((transport) => ({ size, direction, transport }))),
  );
  return Array.from({ length: PUBLISHED_PASSES }, (_, block) =>
    each.flatMap((place) =>
      Array.from({ length: PUBLISHED_MESSAGES[place.size] }, (__, i) => ({
        block,
        ...place,
        ...(block === 0 && i === 0 && place.size === sizes[0] && { warmUps: [place.transport] }),
      })),
    ),
  ).flat();
}
