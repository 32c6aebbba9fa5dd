/**
 * The settings of a program are those of its environment: here of this process, while the work takes.
 *
 * @param {Record<string, string>} settings
 * @param {() => Promise<unknown>} work
 */
export async function withSettings(settings, work) {
  const former = process.env;
  process.env = { PATH: former.PATH, ...settings };
  try {
    await work();
  } finally {
    process.env = former;
  }
}
