/**
 * What is made by jQuery and XMLHttpRequest, which only a page has.
 */
import { PATHS } from '../../../core/experiments/classic/measure.js';
import { probeEcho } from './echo.js';

/** @import { Only } from './index.js' */

/** @type {Only} */
const onPage = { needsPage: true, probe: probeEcho, createMeans: async () => ({}) };

/** @type {Only} */
export const classic = {
  ...onPage,
  unmeasured: { transport: 'ajax', runs: [] },
  // Each transport has a page of its own.
  queryOf({ pathname, searchParams }) {
    const transport = Object.keys(PATHS).find((name) => PATHS[name] === pathname);
    return new URLSearchParams([...(transport ? [['transport', transport]] : []), ...searchParams]);
  },
};

/** @type {Only} */
export const countdown = { ...onPage, unmeasured: { tests: [] } };
