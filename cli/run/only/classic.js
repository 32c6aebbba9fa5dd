/** What the classic pages need at the command line. */
import { PATHS } from '../../../core/experiments/classic/plan.js';
import { onPage } from './echo.js';

/** @import { Only } from './index.js' */

/** @type {Only} */
export const only = {
  ...onPage,
  unmeasured: { transport: 'ajax', runs: [] },
  // Each transport has a page of its own.
  queryOf({ pathname, searchParams }) {
    const transport = Object.keys(PATHS).find((name) => PATHS[name] === pathname);
    return new URLSearchParams([...(transport ? [['transport', transport]] : []), ...searchParams]);
  },
};
