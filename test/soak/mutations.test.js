import { describeMutations } from '../support/mutations.js';

describeMutations(2000);
