/** What the count-down needs at the command line. */
import { onPage } from './echo.js';

/** @import { Only } from './index.js' */

/** @type {Only} */
export const only = { ...onPage, unmeasured: { tests: [] } };
