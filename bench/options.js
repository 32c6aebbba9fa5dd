/**
 * The shared parts of the benches: a command line with --help, --json, whole numbers and repeatable names, and their
 * progress.
 */
import { EXIT, FLAG, parseNames, readArgs, runProgram, TEXT } from '../cli/program/program.js';
import { integer, parseField } from '../core/experiment/fields.js';

/**
 * Runs a bench, and exits with 1 if a limit is broken, with 2 if an option is wrong.
 * @param {{ help: string, numbers: Record<string, { max: number, default: number }>, names: Record<string, readonly string[]>,
 *   bench(options: any): Promise<boolean> }} program `numbers`: by option, from 1 on; `names`: by option, its possible
 *   values, which are all chosen by default; `bench` gets the options by name, and returns false if a limit is broken
 */
export function runBench({ help, numbers, names, bench }) {
  return runProgram(async (args) => {
    /** @type {Record<string, any>} */
    const values = readArgs(args, {
      ...{ json: FLAG, help: { ...FLAG, short: 'h' } },
      ...Object.fromEntries(Object.keys(numbers).map((name) => [name, TEXT])),
      ...Object.fromEntries(Object.keys(names).map((name) => [name, { ...TEXT, multiple: true }])),
    });
    if (values.help) {
      process.stdout.write(help);
      return EXIT.done;
    }
    for (const [name, bounds] of Object.entries(numbers)) {
      const field = integer({ parameter: `--${name}`, label: '', min: 1, ...bounds });
      values[name] = parseField(values[name] ?? null, field);
    }
    for (const [name, all] of Object.entries(names)) values[name] = parseNames(name, values[name], all);
    return (await bench(values)) ? EXIT.done : EXIT.failed;
  });
}

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
