/** Prints where the workers listen with the settings in the environment, a line for each place. */
import { formatPlace, listPlaces } from './places.js';

for (const place of listPlaces()) process.stdout.write(`${formatPlace(place)}\n`);
