/**
 * The figures that were published in 2012, in messages per second: `/ajaxtest` and `/socktest` of their day, on one
 * laptop, and from California to a server in London.
 */

/**
 * @typedef {object} Rates messages per second
 * @property {number} ajax
 * @property {number} sockjs
 *
 * @typedef {object} Published
 * @property {string} name
 * @property {Readonly<Record<number, Rates>>} rates by iterations
 */

/** @type {{ localhost: Published, distance: Published }} */
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
