import { describeMutations } from '../support/mutations.js';

describeMutations(10_000);
