/** A page about moving: its buttons that copy the code after. */
import { showCodeButtons } from '../ui/export-buttons.js';

showCodeButtons();
