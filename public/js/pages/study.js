/** The page of a study works without a script; this keeps the place, and shares the run that the visitor starts from here. */
import { mountCopyButton } from '../ui/export-buttons.js';
import { element } from '../ui/page.js';
import { recallPlace, startStudy } from '../ui/study-visit.js';

const form = element('#study-start', HTMLFormElement);
const place = element('#study-place', HTMLInputElement);
const link = element('#study-link a', HTMLAnchorElement);

place.value ||= recallPlace();
form.addEventListener('submit', () => startStudy({ label: String(form.dataset.label), place: place.value }));

element('#copy-invitation').hidden = false;
mountCopyButton('#copy-invitation', () => link.href, '#export-status');
