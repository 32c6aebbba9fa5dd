/**
 * The table of limits in SECURITY.md: what it must say of each, and what it says.
 */

/** In words, the largest first of which a value is a whole number. @type {Readonly<Record<string, [unit: string, size: number][]>>} */
const UNITS = {
  Bytes: [['MiB', 1024 * 1024], ['KiB', 1024], ['bytes', 1]],
  // Minutes are said in seconds, as timeouts are.
  Ms: [['h', 3_600_000], ['s', 1000], ['ms', 1]],
}; // prettier-ignore

/**
 * @param {string} name that ends in, or has within it, what it counts: `messageBytes`, `drainMs`, `savesPerHour`
 * @param {number} value
 * @returns {string} with its unit
 * @example formatLimit('messageBytes', 1048576) // '1 MiB'
 * @example formatLimit('readsPerMinute', 600) // '600 a minute'
 */
export function formatLimit(name, value) {
  const [, of = '', per] = /^(.*?)(?:Per([A-Z][a-z]+))?$/.exec(name) ?? [];
  const units = UNITS[/(Bytes|Ms)(?![a-z])/.exec(of)?.[1] ?? ''];
  const [unit, size] = units?.find((one) => value >= one[1] && value % one[1] === 0) ?? ['', 1];
  const amount = [(value / size).toLocaleString('en'), unit].filter(Boolean).join(' ');
  return per ? `${amount} ${['Hour', 'Address'].includes(per) ? 'an' : 'a'} ${per.toLowerCase()}` : amount;
}

/**
 * @param {string} markdown
 * @returns {Map<string, { value: string, isExplained: boolean }>} by the limit's name; `isExplained` where it is said of what
 *   it is, and what is beyond it
 */
export function readLimits(markdown) {
  const rows = [...markdown.matchAll(/^\| `(\w+)` *\|([^|]*)\|([^|]*)\|([^|]*)\|$/gm)];
  return new Map(
    rows.map(([, name, value, ...others]) => [
      name,
      { value: value.trim(), isExplained: others.every((cell) => cell.trim() !== '') },
    ]),
  );
}

/**
 * @param {string} markdown
 * @param {Readonly<Record<string, number>>} limits
 * @returns {string[]} what is wrong with the table, each with the row that is needed
 */
export function listFaults(markdown, limits) {
  const rows = readLimits(markdown);
  const faults = Object.entries(limits).flatMap(([name, limit]) => {
    const row = rows.get(name);
    const value = formatLimit(name, limit);
    if (row?.value === value && row.isExplained) return [];
    return `${row ? 'wrong' : 'missing'}: | \`${name}\` | ${value} | of what | what happens beyond it |`;
  });
  const others = [...rows.keys()].filter((name) => !Object.hasOwn(limits, name));
  return [...faults, ...others.map((name) => `no such limit: \`${name}\``)];
}
