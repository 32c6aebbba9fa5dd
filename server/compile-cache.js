/**
 * Keeps the compiled code of modules on disk, which saves about a seventh of the CPU time of a start. Node.js 20 cannot; where nothing can be
 * written, each start compiles. https://nodejs.org/api/module.html#module-compile-cache
 */
import module from 'node:module';
import path from 'node:path';

/** A folder that only whoever may change the code can change; `npm ci` removes it. */
const CACHE = path.join(import.meta.dirname, '../node_modules/.cache/node-compile');

/** The types are those of Node.js 20. @type {{ enableCompileCache?: (folder: string) => unknown, flushCompileCache?: () => void }} */
const { enableCompileCache, flushCompileCache } = /** @type {any} */ (module);

/** Uses what is kept, for modules that are loaded from now on. It is written when the process exits. */
export const keepCompiled = () => void enableCompileCache?.(CACHE);

/** Writes it at once, as a process may be killed. */
export const writeCompiled = () => flushCompileCache?.();
