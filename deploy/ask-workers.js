/** Asks the workers, at the port that they share and each at its own, whether they take visitors. */
import { ask, listPlaces, originOf } from './places.js';

try {
  for (const place of listPlaces()) await ask(`${originOf(place)}/readyz`);
} catch (error) {
  process.stderr.write(`${/** @type {Error} */ (error).message}\n`);
  process.exitCode = 1;
}
