/** The page of a saved run of an experiment that this version does not know. */
import { openResultPage } from '../result-page.js';

await openResultPage();
