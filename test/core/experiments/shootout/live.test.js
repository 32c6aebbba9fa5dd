/** What a page shows of the shootout while it measures. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { shootout } from '../../../../core/experiments/shootout/index.js';
import { readSavedDocument } from '../../../support/saved-documents.js';

const { plan, trials } = readSavedDocument('shootout-whole').document;

it('a run of the shootout is shown as the last messages of what is used, and of what is considered', () => {
  const { lanes, spanMs } = shootout.live({ plan, trials });
  assert.deepEqual(
    lanes.map(({ colour }) => colour),
    ['ajax', 'sockjs'],
  );
  for (const { colour, exchanges, typicalMs } of lanes) {
    const { roundTripMs } = trials.findLast((/** @type {any} */ { transport }) => transport === colour).samples;
    assert.equal(exchanges.length, roundTripMs.length);
    assert.ok(Math.abs(Number(exchanges.at(-1)?.endsMs)) < 1e-6);
    for (const [i, { beginsMs, endsMs }] of exchanges.entries())
      assert.ok(Math.abs(endsMs - beginsMs - roundTripMs[i]) < 1e-6);
    assert.ok(spanMs >= roundTripMs.length * Number(typicalMs));
  }
});

it('it shows the visitor’s two transports, if they are measured', () => {
  const of = (/** @type {any} */ situation) =>
    shootout.live({ plan, trials, situation }).lanes.map(({ colour }) => colour);
  assert.deepEqual(of({ uses: 'ajax', considers: 'websocket' }), ['ajax', 'websocket']);
  assert.deepEqual(of({ uses: 'ajax', considers: 'socketio' }), ['ajax', 'sockjs']);
});

it('it has no figure before the first message', () => {
  assert.deepEqual(
    shootout.live({ plan, trials: [] }).lanes.map(({ typicalMs, exchanges }) => [typicalMs, exchanges.length]),
    [
      [undefined, 0],
      [undefined, 0],
    ],
  );
});
