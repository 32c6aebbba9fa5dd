/** The colours of methods: seen on light and dark pages, and told apart, by the colour-blind, too. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { DEFAULT_TRANSPORTS } from '../../core/experiments/shootout/plan.js';
import { deliveries } from '../../core/net/delivery/index.js';
import { transports } from '../../core/net/echo/index.js';
import { feedMethods } from '../../core/net/feed/index.js';
import { streamMethods } from '../../core/net/stream/index.js';
import { transfers } from '../../core/net/transfer/index.js';
import { SHOWN_RATIO, strengthOf, STRONGEST } from '../../public/js/ui/strength.js';

/**
 * What eyes make of colours: contrast by WCAG 2.2, and how far apart two are, for the colour-blind, too.
 *
 * @typedef {readonly [number, number, number]} Triple red, green and blue, 0 to 1, or what was made of them
 */

/**
 * What is left of linear RGB where one kind of cone is missing: Machado, Oliveira and Fernandes, “A Physiologically-based
 * Model for Simulation of Color Vision Deficiency”, 2009, severity 1.0.
 *
 * @type {Record<string, readonly Triple[]>}
 */
const VISIONS = {
  'full colour vision': [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

/** Linear RGB of sRGB to CIE XYZ, each line divided by its part of the white point D65. */
const XYZ = /** @type {const} */ ([
  [0.4124564 / 0.95047, 0.3575761 / 0.95047, 0.1804375 / 0.95047],
  [0.2126729, 0.7151522, 0.072175],
  [0.0193339 / 1.08883, 0.119192 / 1.08883, 0.9503041 / 1.08883],
]);

/** @param {string} css like `#1776b8` or `#fff` @returns {Triple} linear RGB */
function parseColor(css) {
  const digits = css.length === 4 ? css.replace(/[\da-f]/g, '$&$&') : css;
  const [red, green, blue] = (digits.match(/[\da-f]{2}/g) ?? []).map((channel) =>
    toLinear(parseInt(channel, 16) / 255),
  );
  if (!/^#[\da-f]{6}$/.test(digits)) throw new RangeError(`Expected #rrggbb, got '${css}'`);
  return [red, green, blue];
}

/** @param {number} channel of sRGB, 0 to 1 */
const toLinear = (channel) => (channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4);

/** @param {readonly Triple[]} lines @param {Triple} color @returns {Triple} */
function multiply(lines, color) {
  const [x, y, z] = lines.map((line) => line.reduce((sum, factor, index) => sum + factor * color[index], 0));
  return [x, y, z];
}

/**
 * @param {Triple} one linear RGB
 * @param {Triple} other
 * @returns {number} 1 to 21; WCAG 2.2 asks for 3 where something has to be seen, for 4.5 where text has to be read
 */
function contrastOf(one, other) {
  const [dark, light] = [one, other].map((color) => multiply(XYZ, color)[1]).sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/**
 * @param {Triple} one linear RGB
 * @param {Triple} other
 * @param {readonly Triple[]} vision of {@link VISIONS}
 * @returns {number} CIE76's ΔE: about 2 can just be told apart side by side, black and white are 100 apart
 */
function differenceOf(one, other, vision) {
  const [a, b] = [one, other].map((color) => toLab(multiply(vision, color)));
  return Math.hypot(...a.map((value, index) => value - b[index]));
}

/** @param {Triple} color linear RGB @returns {Triple} CIE L*a*b* */
function toLab(color) {
  const inGamut = color.map((channel) => Math.min(1, Math.max(0, channel)));
  const [x, y, z] = multiply(XYZ, [inGamut[0], inGamut[1], inGamut[2]]).map((value) =>
    value > 216 / 24389 ? Math.cbrt(value) : ((24389 / 27) * value + 16) / 116,
  );
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

const SHEET = readFileSync('public/css/site.css', 'utf8');
const [LIGHT, DARK] = SHEET.split('@media (prefers-color-scheme: dark)');

/** What a theme says of a property, aliases resolved; dark pages have what light ones say where they say nothing else. */
const SCHEMES = Object.freeze({ light: [LIGHT], dark: [DARK, LIGHT] });

/** @param {string} property @param {readonly string[]} sheets @returns {string} */
function valueOf(property, sheets) {
  const found = sheets.map((css) => new RegExp(`^ *${property}: ([^;]+);`, 'm').exec(css)?.[1]).find(Boolean);
  if (!found) throw new RangeError(`${property}: expected a colour in public/css/site.css, got none`);
  const alias = /^var\((--[\w-]+)\)$/.exec(found)?.[1];
  return alias ? valueOf(alias, sheets) : found;
}

const propertiesOf = (/** @type {object} */ rows, prefix = '--') => Object.keys(rows).map((name) => prefix + name);

/** WCAG 2.2, 1.4.11: graphics. */
const LEAST_CONTRAST = 3;
/** WCAG 2.2, 1.4.3: text. */
const TEXT_CONTRAST = 4.5;
/** ΔE 2 can just be told apart side by side. */
const LEAST_DIFFERENCE = 10;

/** The methods of one chart, with the least difference of two of them: lines that cross need more than bars with names. */
const CHARTS = {
  // Those that a run has by itself, and the one that the latency breakdown sets beside two of them.
  'round trips': { properties: [...DEFAULT_TRANSPORTS, 'websocket'].map((name) => `--${name}`), least: 20 },
  transfers: { properties: propertiesOf(transfers), least: LEAST_DIFFERENCE },
  'delivery methods': { properties: propertiesOf(deliveries, '--delivery-'), least: LEAST_DIFFERENCE },
  feeds: { properties: propertiesOf(feedMethods, '--feed-'), least: LEAST_DIFFERENCE },
  'probes under load': {
    properties: ['--ajax', '--fetch', '--ws', '--same-socket', '--sockjs'],
    least: LEAST_DIFFERENCE,
  },
  'event streams': { properties: ['--sse', '--sockjs-xhr-streaming'], least: 20 },
  'a request and a WebSocket': { properties: ['--fetch', '--websocket'], least: 20 },
  'SockJS without and with ping': { properties: ['--feed-sockjs', '--feed-sockjs-ping'], least: 20 },
  'methods that stream an answer': { properties: propertiesOf(streamMethods, '--stream-'), least: LEAST_DIFFERENCE },
};

/** @param {string} property @param {number} percent @param {readonly string[]} sheets @returns {Triple} as CSS mixes it with a card */
function tintOf(property, percent, sheets) {
  const share = percent / 100;
  const [red, green, blue] = [property, '--pico-card-background-color']
    .map((name) => valueOf(name, sheets).replace(/^#(.)(.)(.)$/, '#$1$1$2$2$3$3'))
    .map((css) => (css.match(/[\da-f]{2}/g) ?? []).map((channel) => parseInt(channel, 16) / 255))
    .reduce((colour, card) => colour.map((channel, i) => channel * share + card[i] * (1 - share)))
    .map(toLinear);
  return [red, green, blue];
}

const BACKGROUNDS = ['--pico-card-background-color', '--pico-background-color'];
const ALL = [
  ...new Set([...propertiesOf(transports), ...Object.values(CHARTS).flatMap(({ properties }) => properties)]),
];

for (const [scheme, sheets] of Object.entries(SCHEMES)) {
  const colorOf = (/** @type {string} */ property) => parseColor(valueOf(property, sheets));

  describe(`on a ${scheme} page`, () => {
    it('each method is seen', () => {
      for (const property of ALL) {
        for (const background of BACKGROUNDS) {
          const contrast = contrastOf(colorOf(property), colorOf(background));
          assert.ok(contrast >= LEAST_CONTRAST, `${property} on ${background}: ${contrast.toFixed(2)}`);
        }
      }
    });

    it('the text in a cell of a heat map is read', () => {
      for (const property of ['--faster', '--slower']) {
        const contrast = contrastOf(tintOf(property, strengthOf(STRONGEST), sheets), colorOf('--pico-color'));
        assert.ok(contrast >= TEXT_CONTRAST, `${property}: ${contrast.toFixed(2)}`);
      }
    });

    for (const [vision, matrix] of Object.entries(VISIONS)) {
      it(`faster, slower and the same are told apart in heat maps with ${vision}`, () => {
        const [faster, slower] = ['--faster', '--slower'].map((name) => tintOf(name, strengthOf(SHOWN_RATIO), sheets));
        const same = colorOf('--same-band');
        for (const [one, other] of [
          [faster, slower],
          [faster, same],
          [slower, same],
        ]) {
          const difference = differenceOf(one, other, matrix);
          assert.ok(difference >= LEAST_DIFFERENCE, `ΔE ${difference.toFixed(1)}`);
        }
      });
    }

    it('no two transports have one colour', () => {
      const values = propertiesOf(transports).map((property) => valueOf(property, sheets));
      assert.equal(new Set(values).size, values.length, values.join());
    });

    for (const [chart, { properties, least }] of Object.entries(CHARTS)) {
      for (const [vision, matrix] of Object.entries(VISIONS)) {
        it(`${chart} are told apart with ${vision}`, () => {
          for (const [index, one] of properties.entries()) {
            for (const other of properties.slice(index + 1)) {
              const difference = differenceOf(colorOf(one), colorOf(other), matrix);
              assert.ok(difference >= least, `${one} and ${other}: ΔE ${difference.toFixed(1)}`);
            }
          }
        });
      }
    }
  });
}
