/**
 * What a client may send that reads the API's description and keeps to it, or nearly: texts, and documents in which one
 * thing is another than it was, chosen by its schema. Whether it still fits is for a validator to say.
 */

/** @typedef {Record<string, any>} Schema JSON Schema */

/** Controls, a bidi override, an emoji of two halves, half of one, what becomes three in normal form. */
const CHARACTERS = [
  'x',
  'é',
  ' ',
  '.',
  '0',
  '-',
  '~',
  '%',
  '\n',
  '\u0000',
  '\u007f',
  '\u202e',
  '😀',
  '\ud800',
  '\ufb2c',
];
const LENGTHS = [1, 2, 80, 81, 100, 101, 500, 501, 1000, 1001, 2000, 2001];
/** Of a long list. */
const LOOKED_AT = 3;

/**
 * @param {() => number} random from 0 to 1
 * @param {(ref: string) => Schema} resolve
 */
export function createSampler(random, resolve) {
  /** @template T @param {readonly T[]} list @returns {T} */
  const pick = (list) => list[Math.floor(random() * list.length)];

  /** @param {string} text @returns {string} nearly the same */
  const nearText = (text) => {
    const characters = [...text];
    const at = Math.floor(random() * (characters.length + 1));
    const removed = pick([0, 0, 1]);
    return characters.toSpliced(at, removed, ...(random() < 0.8 ? [pick(CHARACTERS)] : [])).join('');
  };

  /** @param {readonly string[]} examples @returns {string} */
  const text = (examples) => {
    const kind = random();
    if (kind < 0.3) return pick(examples);
    if (kind < 0.8) return nearText(pick(examples));
    return pick(CHARACTERS).repeat(pick(LENGTHS));
  };

  /** @param {Schema} schema @param {any} value @returns {unknown} what stands at a place with this schema */
  const near = (schema, value) => pick([...nearOf(schema, value, pick), null, 'x', 1, [], {}]);

  return {
    pick,
    text,
    /**
     * @param {any} value that fits
     * @param {Schema} schema
     * @returns {any} a copy in which one thing is another
     */
    spoil(value, schema) {
      const copy = structuredClone(value);
      const place = pick(placesOf(copy, schema, resolve));
      const { parent, key } = place;
      parent[key] = near(place.schema, parent[key]);
      return copy;
    },
  };
}

/**
 * @param {Schema} schema
 * @param {any} value
 * @param {<T>(list: readonly T[]) => T} pick
 * @returns {unknown[]} on the edges of what fits
 */
function nearOf({ type, enum: choices, minimum = 0, maximum = 1e9 }, value, pick) {
  if (choices) return [...choices, choices.join(), ''];
  if (Array.isArray(value)) {
    return [
      [],
      value.slice(1),
      value.toReversed(),
      [...value, ...value],
      value.concat(value.slice(0, 1)),
      [...value, null],
    ];
  }
  if (value && typeof value === 'object') {
    const left = pick(Object.keys(value));
    const others = Object.entries(value).filter(([name]) => name !== left);
    return [Object.fromEntries(others), { ...value, extra: 1 }];
  }
  if (type === 'boolean') return [!value, 0];
  if (type === 'string') return ['', `${value}x`, ...LENGTHS.map((length) => pick(CHARACTERS).repeat(length))];
  return [minimum, maximum, minimum - 1, maximum + 1, 0.5, value + 1, String(value)];
}

/**
 * @param {any} value
 * @param {Schema} given
 * @param {(ref: string) => Schema} resolve
 * @returns {{ parent: any, key: string | number, schema: Schema }[]} each place within, with what is said of it
 */
function placesOf(value, given, resolve) {
  const schema = branchOf(value, given, resolve);
  const keys = Array.isArray(value) ? [...value.keys()].slice(0, LOOKED_AT) : Object.keys(value);
  return keys.flatMap((key) => {
    const own = (Array.isArray(value) ? schema.items : schema.properties?.[key]) ?? {};
    const part = value[key];
    const within = part && typeof part === 'object' ? placesOf(part, own, resolve) : [];
    return [{ parent: value, key, schema: own }, ...within];
  });
}

/**
 * @param {any} value
 * @param {Schema} schema
 * @param {(ref: string) => Schema} resolve
 * @returns {Schema} of several that one whose constants the value has
 */
function branchOf(value, schema, resolve) {
  if (schema.$ref) return branchOf(value, resolve(schema.$ref), resolve);
  const branches = (schema.oneOf ?? schema.anyOf)?.map((/** @type {Schema} */ one) => branchOf(value, one, resolve));
  const isOne = ({ properties = {} }) =>
    Object.entries(properties).every(
      ([name, { const: constant }]) => constant === undefined || constant === value[name],
    );
  return branches?.find(isOne) ?? schema;
}
