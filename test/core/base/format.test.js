import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  formatBytes,
  formatDelay,
  formatInSeconds,
  formatInterval,
  formatLatency,
  formatLimits,
  formatMostSeconds,
  formatNotAsZero,
  formatRange,
  formatRatio,
  formatRatioLimits,
  formatRatioWithRange,
  formatSeconds,
  formatRateWithRange,
  formatSpan,
  formatSupported,
  formatWithInterval,
  formatWithRange,
  splitAtFigures,
} from '../../../core/base/format.js';

describe('formatBytes', () => {
  for (const [bytes, text] of /** @type {const} */ ([
    [0, '0 B'],
    [999.4, '999 B'],
    [999.5, '1 kB'],
    [2000, '2 kB'],
    [2440, '2.4 kB'],
    [9949, '9.9 kB'],
    [9951, '10 kB'],
    [999_499, '999 kB'],
    [999_500, '1 MB'],
    [1_600_000, '1.6 MB'],
    [2_000_000_000, '2 GB'],
    [1_234_500_000_000, '1,235 GB'],
  ]))
    it(`of ${bytes}: ${text}`, () => {
      assert.equal(formatBytes(bytes), text);
    });
});

describe('formatRange', () => {
  it('has the ends, unless these say nothing, as of two blocks', () => {
    assert.equal(formatRange({ estimate: 7.8, low: 6.5, high: 9.3 }), '6.5–9.3');
    const wide = { estimate: 772.1, low: 2e-8, high: 2.7e13 };
    assert.equal(formatRange(wide), 'very wide');
    assert.equal(formatWithRange(wide), '770 (very wide)');
  });
});

describe('formatRatioWithRange', () => {
  it('has more decimals near 0', () => {
    assert.equal(formatRatioWithRange({ estimate: 0.004, low: 0.003, high: 0.005 }), '0.004x (0.003–0.005)');
    assert.equal(formatRatioWithRange({ estimate: 0.008, low: 0.006, high: 0.012 }), '0.008x (0.006–0.012)');
  });

  it('says in words on which side of 1 it is, where its digits do not', () => {
    const faster = { estimate: 1.003, low: 1.001, high: 1.004 };
    const slower = { estimate: 0.997, low: 0.996, high: 0.999 };
    assert.deepEqual([faster, slower].map(formatRatio), ['over 1.00x', 'under 1.00x']);
    assert.equal(formatRatioWithRange(faster), '1.00x (over 1.00)');
    assert.equal(formatRatio({ estimate: 1.001, low: 0.99, high: 1.01 }), '1.00x');
  });

  it('has two digits for each end where they are far apart, as tables have', () => {
    const wide = { estimate: 7.84, low: 0.34, high: 182.4 };
    assert.equal(formatRatioWithRange(wide), '7.8x (0.34–180)');
    assert.equal(formatWithRange(wide, 1), '7.8 (0.34–180)');
  });
});

describe('formatRatioLimits', () => {
  it('has the ends with the digits that the ratio has', () => {
    assert.equal(formatRatioLimits({ estimate: 1.4, low: 0.512, high: 3.62 }), '0.51x to 3.6x');
    assert.equal(formatRatioLimits({ estimate: 1.1, low: 0.98, high: 1.23 }), '0.98x to 1.23x');
  });
});

describe('formatSpan', () => {
  it('has seconds for what rounds to a second or more', () => {
    assert.deepEqual([300, 999.4, 999.6, 1000, 62_500].map(formatSpan), ['300 ms', '999 ms', '1 s', '1 s', '63 s']);
    assert.deepEqual([0.31, 999.4, 999.6].map(formatLatency), ['0.31 ms', '999 ms', '1 s']);
  });
});

describe('formatLimits', () => {
  const words = { gain: 'faster', loss: 'slower', format: (/** @type {number} */ ms) => `${ms.toFixed(1)} ms` };
  for (const [low, high, text] of /** @type {const} */ ([
    [0, 9.8, '0.0 to 9.8 ms faster'],
    [0.01, 9.8, '0.0 to 9.8 ms faster'],
    [-9.8, 0, '0.0 to 9.8 ms slower'],
    [-9.8, -0.01, '0.0 to 9.8 ms slower'],
    [-27, 3, '27.0 ms slower to 3.0 ms faster'],
    [-3, 27, '27.0 ms faster to 3.0 ms slower'],
  ]))
    it(`of ${low} to ${high}: ${text}`, () => {
      assert.equal(formatLimits({ low, high }, words), text);
    });

  it('repeats no unit, but one that differs', () => {
    const format = (/** @type {number} */ ms) => (ms < 1000 ? `${ms} ms` : `${ms / 1000} s`);
    assert.equal(formatLimits({ low: 0, high: 2000 }, { ...words, format }), '0 ms to 2 s faster');
  });
});

describe('formatSeconds', () => {
  for (const [seconds, text] of /** @type {const} */ ([
    [59, '59 s'],
    [60, '1 min'],
    [101, '1.5 min'],
    [175, '3 min'],
    [200, '3 min'],
  ]))
    it(`of ${seconds}: ${text}`, () => assert.equal(formatSeconds(seconds), text));

  it('is rounded up where it is the most', () => {
    assert.deepEqual([12.1, 60, 61, 181].map(formatMostSeconds), ['13 s', '1 min', '1.5 min', '4 min']);
  });
});

describe('formatInSeconds', () => {
  for (const [estimate, low, high, figure, range] of /** @type {const} */ ([
    [554, 531, 570, '0.55 s', '0.53–0.57'],
    [611, 609.6, 612, '0.61 s', '0.60–0.62'],
    [610, 610, 610, '0.61 s', '0.61–0.61'],
    [3.2, 2.6, 3.9, '0.003 s', '0.003–0.004'],
    [400, 2, 800, '0.40 s', '0.002–0.80'],
    [0.2, 0.1, 0.4, '0.0002 s', '0.0001–0.0004'],
    [3, -0.2, 6, '0.0030 s', '−0.0002 to 0.0060'],
    [3, -6, 12, '0.003 s', '−0.006 to 0.012'],
  ]))
    it(`of ${low} to ${high} ms: ${figure} (${range})`, () => {
      assert.deepEqual(formatInSeconds({ estimate, low, high }), { figure, range });
    });
});

describe('formatDelay', () => {
  it('has milliseconds for what is short, with either sign', () => {
    assert.deepEqual([0, 2, -2, -0.04, 554, -554].map(formatDelay), [
      ...['0.00 s', '2 ms', '−2 ms', '−0.04 ms', '0.55 s', '−0.55 s'],
    ]);
  });
});

describe('formatNotAsZero', () => {
  for (const [value, decimals, text] of /** @type {const} */ ([
    [0, 1, '0.0'],
    [3.04, 1, '3.0'],
    [0.044, 1, '0.04'],
    [-0.044, 1, '−0.04'],
    [-0.3, 0, '−0.3'],
    [1e-9, 1, '0.0001'],
  ]))
    it(`of ${value}, with ${decimals} decimals: ${text}`, () => {
      assert.equal(formatNotAsZero(value, decimals), text);
    });
});

describe('splitAtFigures', () => {
  for (const parts of [
    ['', '6 blocks', ', ', '933 messages', ', ', '1,786 lost', ', ', '0 failures', '.'],
    ['Slower (', '1 test', ') by ', '12 bytes', ''],
    ['Time, ms ', '(95% CI)', ''],
    ['twice as fast ', '(95% CI', ' 1.5–2.7)'],
    ['Try: ', 'npx sockshootout run cuts', '.'],
    ['Try: ', 'sudo npx sockshootout lab run cuts --cut forget', '.'],
    ['from ', '2026-11-21', ' to ', '2026-11-22', ', ', '40 ms', ' away'],
  ])
    it(`keeps together in '${parts.join('')}': ${parts.filter((_, i) => i % 2 === 1).join('; ')}`, () => {
      assert.deepEqual(splitAtFigures(parts.join('')), parts);
    });
});

describe('an estimate with its interval', () => {
  for (const [estimate, low, high, text, alone] of /** @type {const} */ ([
    [463, 340, 629, '460 (340–630)', '460'],
    [2031.6, 1689, 2413, '2030 (1690–2410)', '2,030'],
    [258, 24, 2777, '260 (24–2800)', '260'],
    [1.25, 0.03, 45.47, '1.3 (0.030–45)', '1.3'],
    [71, 25, 199, '71 (25–200)', '71'],
    [9.97, 2, 12, '10 (2.0–12)', '10'],
    [50.1, 49.4, 50.7, '50.1 (49.4–50.7)', '50.1'],
  ]))
    it(`has the digits that it supports: ${text}`, () => {
      assert.equal(formatWithRange({ estimate, low, high }), text);
      assert.equal(formatSupported({ estimate, low, high }), alone);
    });

  it('of a rate has separators of thousands, in each number, but not in decimals', () => {
    assert.equal(formatRateWithRange({ estimate: 3012, low: 400, high: 22_000 }), '3,000 (400–22,000)');
    assert.equal(formatRateWithRange({ estimate: 0.0012, low: 0.0004, high: 0.002 }), '0.0012 (0.0004–0.0020)');
    assert.equal(formatRateWithRange(undefined), '–');
  });

  it('has no more than its error lets tell, as a difference, too', () => {
    assert.equal(formatWithInterval({ estimate: 120, low: -381, high: 622 }), '120 (−380 to 620)');
  });

  it('is shown however near 0 its ends are', () => {
    const tiny = { estimate: 2e-150, low: 1e-150, high: 5e-150 };
    for (const format of [formatWithInterval, formatRateWithRange, formatRatioLimits, formatSupported])
      assert.match(format(tiny), /^0/);
  });

  it('has three digits where it has no end', () => {
    assert.equal(formatInterval({ estimate: 2, low: 1, high: Infinity }, 0), '1.000 to Infinity');
  });

  it('keeps each end on its side of what it is compared with', () => {
    assert.equal(formatWithRange({ estimate: 5, low: 1.04, high: 12 }, 1), '5.0 (1.04–12)');
    assert.equal(formatWithRange({ estimate: 0.3, low: 0.05, high: 0.996 }, 1), '0.30 (0.050–0.996)');
    assert.equal(formatWithRange({ estimate: 0.98, low: 0.97, high: 0.996 }, 1), '0.980 (0.970–0.996)');
  });
});
