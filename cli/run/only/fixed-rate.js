import { createSleepUntil } from '../../net/pacer.js';
import { echo } from './echo.js';

/** @import { Only } from './index.js' */

/** @type {Only} */
export const fixedRate = {
  ...echo,
  createMeans: async (run) => ({
    ...(await echo.createMeans(run)),
    sleepUntil: createSleepUntil(() => performance.now()),
  }),
};
