/** What a page shows of cuts while they go on. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parsePlan } from '../../../../core/experiment/plan/plan-link.js';
import { runExperiment } from '../../../../core/experiment/run/run.js';
import { cuts } from '../../../../core/experiments/cuts/index.js';
import { createScriptedFeed } from '../../../support/scripted-feed.js';
import { createVirtualTime } from '../../../support/virtual-time.js';

/**
 * Looks at the first cut of a run, some time after its start.
 * @param {string} query @param {number} atMs
 */
async function look(query, atMs) {
  const time = createVirtualTime();
  const plan = parsePlan(cuts, new URLSearchParams(query), { seed: 5 });
  /** @type {any} */
  let seen;
  /** @type {any} */
  let underWay;
  time.timers.setTimeout(() => {
    seen = cuts.live({ plan, trials: [], underWay: { ...underWay, soFar: underWay.read?.() } });
  }, atMs);
  await time.run(
    runExperiment(cuts, {
      plan,
      ...createScriptedFeed(time, {}),
      onTrialStart(/** @type {any} */ planned, /** @type {any} */ progress) {
        underWay ??= { planned, read: () => progress.soFar?.() };
      },
    }),
  );
  return seen;
}

const DEAD = 'cuts=dead&deliveries=poll,ws&seconds=10&blocks=1&seed=1';

describe('a cut that is under way', () => {
  it('has a timeline of what came, and of what may still come', async () => {
    const { items, timeline } = await look(DEAD, 9000);
    assert.deepEqual(
      items.map((/** @type {any} */ { result }) => result),
      ['waiting'],
    );
    const { band, range, rows } = timeline;
    // The silence goes on.
    assert.ok(band.from === 0 && band.to > 1 && band.to < 10, JSON.stringify(band));
    assert.equal(rows.length, 2);
    for (const { label, messages } of rows) {
      assert.ok(
        messages.every((/** @type {any} */ { due }) => due >= range[0] && due <= band.to),
        label,
      );
      const open = messages.filter((/** @type {any} */ { isOpen }) => isOpen);
      assert.ok(open.length > 0 && open.length < messages.length, label);
      assert.ok(
        open.every((/** @type {any} */ { arrived }) => arrived === undefined),
        label,
      );
    }
  });

  it('has all of the silence when it is over, and what came late then', async () => {
    const { timeline } = await look(DEAD, 20_000);
    assert.equal(timeline.band.to, 10);
    const [poll] = timeline.rows;
    assert.ok(poll.messages.some((/** @type {any} */ { isLate }) => isLate));
  });

  it('has no timeline before its feed is made', async () => {
    assert.equal((await look(DEAD, 0)).timeline, undefined);
  });
});
