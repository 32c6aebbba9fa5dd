/** A page about moving: its buttons that copy the code after. */
import { showCodeButton } from '../ui/export-buttons.js';

for (const { id } of document.querySelectorAll('.code-sides > [id]')) showCodeButton(id);
