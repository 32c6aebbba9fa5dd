import '../support/lean.js';
import { describeMutations } from '../support/mutations.js';

describeMutations(40);
