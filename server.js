/** Starts the site. Its modules are loaded from here, so that what prevents that is said in one line, too. */
import { keepCompiled } from './server/compile-cache.js';
import { failToLoad, requireWorkingFolder } from './server/start-failure.js';

requireWorkingFolder();
keepCompiled();
/** For whoever imports this program. */
export const { site } = await import('./server/main.js').catch(failToLoad);
