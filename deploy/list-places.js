/**
 * Prints where the workers listen with the settings in the environment, a line for each place.
 */
import { formatPlace, listPlaces } from './places.js';

process.stdout.write(
  listPlaces()
    .map((place) => `${formatPlace(place)}\n`)
    .join(''),
);
