/** Prints the addresses where the workers listen with the settings in the environment, one per line. */
import { formatPlace, listPlaces } from './places.js';

for (const place of listPlaces()) process.stdout.write(`${formatPlace(place)}\n`);
