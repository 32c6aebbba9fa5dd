/** The page that makes a link for several people: its button that copies the link. */
import { mountCopyButton } from '../ui/export-buttons.js';
import { element } from '../base/page.js';

mountCopyButton('#copy-link', () => element('#study-link a', HTMLAnchorElement).href, '#link-status');
element('#copy-link').hidden = false;
