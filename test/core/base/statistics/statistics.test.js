import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  jitter,
  quantile,
  mean,
  medianInterval,
  percentile,
  ratioInterval,
  meanInterval,
  studentTQuantile,
  widenRatio,
  wilsonInterval,
} from '../../../../core/base/statistics.js';

/** Round trips with one that stalled, in the order they were made. */
const ROUND_TRIPS = [
  48.2, 47.9, 51.3, 48.0, 49.6, 48.4, 230.7, 48.1, 47.8, 48.3, 48.9, 50.2, 48.6, 47.7, 48.5, 52.4, 48.2, 48.0, 49.1,
  48.7,
];
const SORTED = ROUND_TRIPS.toSorted((a, b) => a - b);

/** @param {number | undefined} got @param {number} expected */
function near(got, expected) {
  assert.ok(Math.abs(Number(got) - expected) < 1e-9, `expected ${expected}, got ${got}`);
}

describe('mean', () => {
  it('agrees with numpy 2.4 mean', () => near(mean(ROUND_TRIPS), 57.93));
  it('of nothing is absent, not 0', () => assert.equal(mean([]), undefined));
});

describe('quantile', () => {
  for (const [probability, expected] of [
    [0, 47.7],
    [0.25, 48.075],
    [0.5, 48.45],
    [0.9, 51.41],
    [0.95, 61.315],
    [0.99, 196.823],
    [1, 230.7],
  ]) {
    it(`at ${probability} agrees with scipy 1.17 mquantiles(alphap=1, betap=1), which is R's type 7`, () =>
      near(quantile(SORTED, probability), expected));
  }
  it('agrees with R: quantile(1:4, 0.25) is 1.75', () => near(quantile([1, 2, 3, 4], 0.25), 1.75));
  it('of one value is that value, wherever asked', () => assert.equal(quantile([3], 0.7), 3));
  it('of nothing is absent', () => assert.equal(quantile([], 0.5), undefined));
  it('never falls as the probability rises', () => {
    let last = -Infinity;
    for (let p = 0; p <= 1; p += 0.01) {
      const value = Number(quantile(SORTED, p));
      assert.ok(value >= last);
      last = value;
    }
  });
});

describe('the interval of a median', () => {
  const ranks = (/** @type {number} */ count) => Array.from({ length: count }, (_, i) => i + 1);
  // 1,075 is where 0.5 ** count begins to be 0.
  for (const [count, rank] of [
    [6, 1],
    [9, 2],
    [100, 40],
    [1074, 505],
    [1075, 505],
    [2000, 956],
  ]) {
    it(`of ${count} values begins at number ${rank}, by whole binomial coefficients in Python 3.11`, () => {
      const { low, high } = medianInterval(ranks(count)) ?? {};
      assert.deepEqual([low, high], [rank, count + 1 - rank]);
    });
  }
  it('of fewer than 6 values is absent', () => assert.equal(medianInterval(ranks(5)), undefined));
});

describe('percentile', () => {
  for (const [percent, samples] of [
    [50, 2],
    [90, 10],
    [95, 20],
    [99, 100],
  ]) {
    it(`p${percent} needs ${samples} samples`, () => {
      const enough = Array.from({ length: samples }, (_, i) => i);
      near(percentile(enough, percent), Number(quantile(enough, percent / 100)));
      assert.equal(percentile(enough.slice(1), percent), undefined);
    });
  }
});

describe('jitter', () => {
  it('agrees with numpy 2.4 abs(diff(x)).mean()', () => near(jitter(ROUND_TRIPS), 20.552631578947366));
  it('depends on the order', () => assert.notEqual(jitter(ROUND_TRIPS), jitter(SORTED)));
  it('of a steady line is 0, of one sample absent', () => {
    assert.equal(jitter([5, 5, 5]), 0);
    assert.equal(jitter([5]), undefined);
  });
});

describe('studentTQuantile', () => {
  // qt(c(0.975, 0.9995), df) of R 4.5.
  for (const [confidence, degreesOfFreedom, expected] of [
    [0.95, 1, 12.706204736432095],
    [0.95, 2, 4.302652729911275],
    [0.95, 5, 2.5705818366147395],
    [0.95, 9, 2.2621571627409915],
    [0.95, 19, 2.093024054408263],
    [0.95, 100, 1.9839715184496334],
    [0.999, 9, 4.780912585931147],
  ]) {
    it(`of ${confidence} at ${degreesOfFreedom} degrees of freedom agrees with R`, () =>
      near(studentTQuantile(confidence, degreesOfFreedom), expected));
  }
  it('falls towards the normal distribution’s 1.96', () => {
    const quantiles = [5, 50, 500, 5000].map((degrees) => studentTQuantile(0.95, degrees));
    assert.deepEqual(
      quantiles,
      quantiles.toSorted((a, b) => b - a),
    );
    assert.ok(quantiles[3] > 1.959963 && quantiles[3] < 1.9605);
  });
});

describe('meanInterval', () => {
  it('agrees with R: t.test(c(1, 2, 3))$conf.int', () => {
    const interval = meanInterval([1, 2, 3]);
    near(interval?.low, -0.4841377117503303);
    near(interval?.high, 4.48413771175033);
  });
  it('shifts with its values, and scales with them', () => {
    const [interval, other] = [ROUND_TRIPS, ROUND_TRIPS.map((ms) => 2 * ms + 1)].map((values) => meanInterval(values));
    near(other?.low, 2 * Number(interval?.low) + 1);
    near(other?.high, 2 * Number(interval?.high) + 1);
  });
  it('of values that are all the same is that value', () => {
    assert.deepEqual(meanInterval([5, 5, 5]), { estimate: 5, low: 5, high: 5 });
  });
  it('of one value, or none, is absent', () => {
    assert.equal(meanInterval([1]), undefined);
    assert.equal(meanInterval([]), undefined);
  });
});

describe('ratioInterval', () => {
  it('is the t interval of the logarithms: of 2 and 8 the geometric mean, and never below 0', () => {
    const { estimate, low, high } = ratioInterval([2, 8]) ?? { estimate: NaN, low: NaN, high: NaN };
    assert.ok(Math.abs(estimate - 4) < 1e-12);
    // scipy.stats.t.ppf(0.975, 1) = 12.7062047; the logarithms' standard error is ln(2).
    assert.ok(Math.abs(Math.log(high / 4) - 12.7062047 * Math.LN2) < 1e-5);
    assert.ok(low > 0 && Math.abs(low * high - 16) < 1e-6);
  });

  it('is absent for fewer than two', () => assert.equal(ratioInterval([3]), undefined));

  it('is finite and above 0, whatever the ratios, and however it is widened', () => {
    const interval = ratioInterval([1e-300, 1e300]) ?? assert.fail();
    for (const { low, high } of [interval, widenRatio(interval, 1e9)]) assert.ok(low > 0 && high < Infinity);
  });
});

describe('wilsonInterval', () => {
  // binom.confint(9, 10, methods = "wilson") of R's package binom.
  it('agrees with R, and stays between 0 and 1', () => {
    const { estimate, low, high } = wilsonInterval(9, 10) ?? { estimate: NaN, low: NaN, high: NaN };
    near(estimate, 0.9);
    assert.deepEqual([low.toFixed(4), high.toFixed(4)], ['0.5958', '0.9821']);
    // In closed form, z^2 / (n + z^2).
    near(wilsonInterval(0, 10)?.high, 0.2775327998628892);
    near(wilsonInterval(10, 10)?.low, 1 - 0.2775327998628892);
    near(wilsonInterval(0, 10)?.low, 0);
  });
  it('of nothing is absent', () => assert.equal(wilsonInterval(0, 0), undefined));
});
