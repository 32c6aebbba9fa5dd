/** A page about moving: its buttons that copy the code after. */
import { element } from '../base/page.js';
import { showCopyButton } from '../ui/export-buttons.js';

for (const { id } of document.querySelectorAll('.code-sides > [id]'))
  showCopyButton(`#${id} button`, () => String(element(`#${id} pre`).textContent), `#${id} [role='status']`);
