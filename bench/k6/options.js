/** What both scripts take from the environment. */
export const ORIGIN = __ENV.ORIGIN || 'http://localhost:8000';

/** How long one visitor's session lasts, and for how long there are visitors. */
export const SECONDS = Number(__ENV.SECONDS || 30);

/** So many visitors all the time. A failed check fails the run. */
export const STEADY = {
  scenarios: {
    visitors: {
      executor: 'constant-vus',
      vus: Number(__ENV.VISITORS || 100),
      duration: `${SECONDS}s`,
      gracefulStop: '5s',
    },
  },
  thresholds: { checks: ['rate==1'] },
};
