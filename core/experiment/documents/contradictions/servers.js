/**
 * @import { Problem } from '../../contract.js'
 * @import { SeenTrial } from './list-trials.js'
 */

/**
 * A run measures one server: several workers of it, but one name.
 *
 * @param {any} document
 * @param {readonly SeenTrial[]} trials
 * @returns {Problem[]}
 */
export function findOtherServers(document, trials) {
  const [first, ...others] = listServers(document, trials);
  return others
    .filter(({ name }) => name !== first.name)
    .map(({ path, name }) => ({
      path,
      message: `expected “${first.name}”, the server of the whole run, got “${name}”`,
    }));
}

/** @param {any} document @param {readonly SeenTrial[]} trials @returns {{ path: string, name: string }[]} */
function listServers(document, trials) {
  const statuses = ['statusBefore', 'statusAfter'].map((path) => ({ path, server: document[path] }));
  const answered = trials.map(({ path, server }) => ({ path: `${path}.server`, server }));
  return [...statuses, ...answered].flatMap(({ path, server }) =>
    server ? { path: `${path}.server`, name: server.server } : [],
  );
}
