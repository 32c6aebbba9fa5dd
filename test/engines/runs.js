/** What an engine measures, and what of it a page of another site does: all in one window, as it takes seconds to start. */
import { describe } from 'node:test';
import { useEngine } from './engines.js';
import { describeField } from './field.js';
import { testStreams } from './streams.js';
import { testLoads } from './under-load.js';

/** @import { Engine } from '../support/smoke.js' */

/** @param {string} name that the site gives the browser @param {() => Promise<Engine>} open */
export function describeRuns(name, open) {
  describe(name, () => {
    const engine = useEngine(open);
    testLoads(engine);
    testStreams(engine);
    describeField(engine);
  });
}
