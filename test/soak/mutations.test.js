import { describeMutations } from '../support/mutations.js';

describeMutations(800);
