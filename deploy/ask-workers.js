/** Asks the workers, at their shared port and each at its own, whether they accept visitors. */
import { ask, listPlaces, originOf } from './places.js';

try {
  for (const place of listPlaces()) await ask(`${originOf(place)}/readyz`);
} catch (error) {
  process.stderr.write(`${/** @type {Error} */ (error).message}\n`);
  process.exitCode = 1;
}
