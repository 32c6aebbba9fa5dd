/** What the store must do, whatever database is behind it. */
import { fieldContract } from './field.js';
import { listsContract } from './lists.js';
import { migrationsContract } from './migrations.js';
import { savingContract } from './saving.js';

export const storeContract = { ...savingContract, ...listsContract, ...migrationsContract, ...fieldContract };
