/**
 * What a developer has: a checkout of this tree as it is now, committed or not, and a bare repository as its origin.
 */
import { execFile } from 'node:child_process';
import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const execute = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const AUTHOR = ['-c', 'user.name=Test', '-c', 'user.email=test@example.org', '-c', 'commit.gpgsign=false'];

/**
 * @typedef {object} Checkout
 * @property {string} folder
 * @property {(file: string, change: (text: string) => string) => Promise<string>} publish changes one file, commits and
 *   pushes; gives the commit
 * @property {() => Promise<void>} unpublish the last commit
 */

/**
 * @param {string} parent a folder; whoever made it removes it
 * @param {string} origin where the bare repository is to be
 * @returns {Promise<Checkout>}
 */
export async function createCheckout(parent, origin) {
  const folder = path.join(parent, 'checkout');
  /** @param {...string} words */
  const git = async (...words) => (await execute('git', [...AUTHOR, ...words], { cwd: folder })).stdout.trim();

  for (const file of await listFiles()) await cp(path.join(ROOT, file), path.join(folder, file));
  await symlink(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
  await execute('git', ['init', '--quiet', '--bare', '--initial-branch=main', origin]);
  await git('init', '--quiet', '--initial-branch=main');
  await git('add', '--all');
  await git('commit', '--quiet', '--message=First');
  await git('remote', 'add', 'origin', origin);
  await git('push', '--quiet', '--set-upstream', 'origin', 'main');

  return {
    folder,
    async publish(file, change) {
      const whole = path.join(folder, file);
      await writeFile(whole, change(await readFile(whole, 'utf8')));
      await git('commit', '--quiet', '--all', `--message=Change ${file}`);
      await git('push', '--quiet');
      return git('rev-parse', 'HEAD');
    },
    async unpublish() {
      await git('reset', '--quiet', '--hard', 'HEAD~1');
      await git('push', '--quiet', '--force');
    },
  };
}

/** All that is not ignored, whether git has it or not. */
async function listFiles() {
  const words = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate'];
  const files = (await execute('git', words, { cwd: ROOT })).stdout.split('\0').filter(Boolean);
  const deleted = (await execute('git', ['ls-files', '-z', '--deleted'], { cwd: ROOT })).stdout.split('\0');
  return files.filter((file) => !deleted.includes(file));
}
