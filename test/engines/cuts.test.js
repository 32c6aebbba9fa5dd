/** What cuts do to the connections of an engine: it connects again, and misses messages, as the others do. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { summarize } from '../../core/experiments/cuts/summary.js';
import { cuts } from '../../core/experiments/cuts/index.js';
import { openChromium } from '../support/smoke.js';
import { assertCuts, KINDS, planOf } from '../support/cuts-facts.js';
import { openFirefox, openWebkit, useEngine } from './engines.js';

/** @import { Engine } from '../support/smoke.js' */

/** One message per second: how long a method waits until it connects again is random, within a second. */
const DEAD = 'cuts=dead&seconds=2&rate=1&blocks=1&seed=3';
/** An event stream and a poll hold one of the six connections each. */
const SIDE_BY_SIDE = ['poll', 'ws', 'sockjs', 'socketio', 'events'];

/** @param {string} name that the site gives the browser @param {() => Promise<Engine>} open */
function describeCuts(name, open) {
  describe(`in ${name} a cut of each kind`, () => {
    const { measure } = useEngine(open);

    it('costs what it costs in the others', async () => {
      assertCuts(await measure(cuts, planOf(KINDS)));
    });
  });

  describe(`in ${name} a cut`, () => {
    const { measure } = useEngine(open);

    it('costs a method as much alone as side by side with others, but for one message', async () => {
      const { rows } = summarize(await measure(cuts, `${DEAD}&deliveries=${SIDE_BY_SIDE}`));
      for (const { delivery, lost } of rows) {
        // Who asks for what it missed loses none alone, as the run of each kind shows.
        const isWhole = ['poll', 'events'].includes(delivery);
        const alone = isWhole ? 0 : summarize(await measure(cuts, `${DEAD}&deliveries=${delivery}`)).rows[0].lost?.max;
        const difference = Number(lost?.max) - Number(alone);
        assert.ok(Math.abs(difference) <= 1, `${delivery}: ${lost?.max}, alone ${alone}`);
      }
    });
  });
}

// Each with a browser of its own, as a run of cuts is waiting, most of it.
describe('cuts', { concurrency: true }, () => {
  describeCuts('Chrome', openChromium);
  describeCuts('Firefox', openFirefox);
  describeCuts('Safari', openWebkit);
});
