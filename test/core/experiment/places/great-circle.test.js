import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { greatCircleKm, lightRoundTripMs } from '../../../../core/experiment/names.js';

/** @param {number} latitude @param {number} longitude */
const at = (latitude, longitude) => ({ latitude, longitude });
const RADIUS_KM = 6371.0088;

/** @param {number} value @param {number} expected @param {number} [within] */
const near = (value, expected, within = 1e-6) =>
  assert.ok(Math.abs(value - expected) <= within, `${value} is not within ${within} of ${expected}`);

describe('a great circle', () => {
  it('from Nashville to Los Angeles is as long as Rosetta Code says, for our radius', () => {
    // https://rosettacode.org/wiki/Haversine_formula: 2887.2599506071106 km where the Earth's radius is 6372.8 km.
    near(greatCircleKm(at(36.12, -86.67), at(33.94, -118.4)), (2887.2599506071106 * RADIUS_KM) / 6372.8);
  });

  it('is a quarter of the meridian from pole to equator, and half of it from pole to pole', () => {
    near(greatCircleKm(at(90, 0), at(0, 77)), (Math.PI / 2) * RADIUS_KM);
    // The arc sine is steep there: a metre is as good as it gets.
    near(greatCircleKm(at(90, 0), at(-90, 0)), Math.PI * RADIUS_KM, 0.001);
    near(greatCircleKm(at(10, 20), at(-10, -160)), Math.PI * RADIUS_KM, 0.001);
  });

  it('of one degree on the equator is 111.195 km, over the date line, too', () => {
    near(greatCircleKm(at(0, 0), at(0, 1)), 111.195, 0.001);
    near(greatCircleKm(at(0, 179.5), at(0, -179.5)), 111.195, 0.001);
  });

  it('is 0 to the place itself, as long back as there, and keeps its digits for short ways', () => {
    assert.equal(greatCircleKm(at(50.1, 8.7), at(50.1, 8.7)), 0);
    const [a, b] = [at(50.1, 8.7), at(37.8, -122.4)];
    near(greatCircleKm(a, b), greatCircleKm(b, a), 1e-9);
    near(greatCircleKm(at(50, 8), at(50.00001, 8)), 0.00111195, 1e-8);
  });
});

describe('light in fibre', () => {
  it('takes 98.1 ms for 10,000 km and back, 9.81 us a kilometre', () => {
    // 20,000 km / (0.68 x 299,792.458 km/s)
    near(lightRoundTripMs(10_000), 98.107, 0.001);
    near(lightRoundTripMs(1), 0.00981, 0.00001);
    assert.equal(lightRoundTripMs(0), 0);
  });
});
