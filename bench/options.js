/**
 * What the benches share: a command line of --help, --json, whole numbers, and names of which each may be given more than
 * once; and their progress.
 */
import { EXIT, FLAG, parseNames, readArgs, runProgram, TEXT } from '../cli/program/program.js';
import { integer, parseField } from '../core/experiment/fields.js';

/**
 * Runs a bench, and ends with 1 where a limit is broken, with 2 where an option is wrong.
 * @param {{ help: string, numbers: Record<string, { max: number, default: number }>, names: Record<string, readonly string[]>,
 *   bench(options: any): Promise<boolean> }} program `numbers`: by option, from 1 on; `names`: by option, what there is, and
 *   all of it by default; `bench` is given the options by name, and gives false where a limit is broken
 */
export function runBench({ help, numbers, names, bench }) {
  return runProgram(async (words) => {
    const values = /** @type {Record<string, any>} */ (
      readArgs(words, {
        help: { ...FLAG, short: 'h' },
        json: FLAG,
        ...mapValues(numbers, () => TEXT),
        ...mapValues(names, () => ({ ...TEXT, multiple: true })),
      })
    );
    if (values.help) {
      process.stdout.write(help);
      return EXIT.done;
    }
    const isKept = await bench({
      json: values.json,
      ...mapValues(numbers, (bounds, name) =>
        parseField(values[name] ?? null, integer({ parameter: `--${name}`, label: '', min: 1, ...bounds })),
      ),
      ...mapValues(names, (all, name) => parseNames(name, values[name], all)),
    });
    return isKept ? EXIT.done : EXIT.failed;
  });
}

/** @template V, R @param {Record<string, V>} record @param {(value: V, name: string) => R} map */
const mapValues = (record, map) =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value, name)]));

/**
 * @param {number} total
 * @returns {(label: string) => void} to be called after each: standard error gets a line for every tenth of them
 */
export function createProgress(total) {
  let done = 0;
  return (label) => {
    const before = Math.floor((10 * done) / total);
    done++;
    const tenths = Math.floor((10 * done) / total);
    if (tenths > before) process.stderr.write(`${10 * tenths}%  ${label}\n`);
  };
}
