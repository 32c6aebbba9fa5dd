/** The figures of 2012, and ours in the same form. */

/**
 * @typedef {{ ajax?: number, sockjs?: number, ratio?: number }} Figures messages per second by the clock of 2012
 * @typedef {{ name: string, rates: Readonly<Record<number, { ajax: number, sockjs: number }>> }} Published
 */

/**
 * Messages per second by iterations, on one laptop, and from California to a server in London.
 * @type {Readonly<Record<'localhost' | 'distance', Published>>}
 */
export const PUBLISHED = {
  localhost: {
    name: 'localhost',
    rates: {
      10: { ajax: 78.125, sockjs: 140.845 },
      100: { ajax: 298.507, sockjs: 1408.451 },
      1000: { ajax: 340.832, sockjs: 2145.923 },
    },
  },
  distance: {
    name: 'London from California',
    rates: {
      10: { ajax: 4.462, sockjs: 1.752 },
      100: { ajax: 3.571, sockjs: 4.295 },
      1000: { ajax: 3.791, sockjs: 4.391 },
    },
  },
};

/** Adds how many times as fast SockJS was. @param {Omit<Figures, 'ratio'>} rates @returns {Figures} */
export function withRatio({ ajax, sockjs }) {
  return { ajax, sockjs, ratio: ajax === undefined || sockjs === undefined ? undefined : sockjs / ajax };
}
