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
export const VISIONS = {
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

/**
 * @param {string} css as `getComputedStyle` gives it: `rgb(…)`
 * @returns {Triple} linear RGB
 */
export function parseColor(css) {
  const [red, green, blue] = (css.match(/[\d.]+/g) ?? []).map((channel) => toLinear(Number(channel) / 255));
  if (!css.startsWith('rgb(') || blue === undefined) throw new RangeError(`Expected rgb(…), got '${css}'`);
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
export function contrastOf(one, other) {
  const [dark, light] = [one, other].map((color) => multiply(XYZ, color)[1]).sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/**
 * @param {Triple} one linear RGB
 * @param {Triple} other
 * @param {readonly Triple[]} vision of {@link VISIONS}
 * @returns {number} CIE76's ΔE: about 2 can just be told apart side by side, black and white are 100 apart
 */
export function differenceOf(one, other, vision) {
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
