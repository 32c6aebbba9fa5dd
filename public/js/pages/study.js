/** The page of a study works without a script; this keeps the place, and shares the run that the visitor starts from here. */
import { foldName } from '../../../core/base/fold.js';
import { mountMenu, showCopyButton } from '../ui/export-buttons.js';
import { element } from '../base/page.js';
import { recallPlace, startStudy } from '../ui/study-visit.js';

const form = element('#study-start', HTMLFormElement);
const place = element('#study-place', HTMLInputElement);
const link = element('#study-link a', HTMLAnchorElement);

place.value ||= recallPlace();
const own = place.value === '' ? undefined : foldName(place.value);
for (const row of document.querySelectorAll('#matrix tbody tr')) {
  const name = row.querySelector('.place b');
  if (name && foldName(String(name.textContent)) === own) name.append(' (you)');
}
form.addEventListener('submit', () => startStudy({ label: String(form.dataset.label), place: place.value }));

// There is nothing to export where nobody has measured.
if (document.querySelector('#exports')) mountMenu();

showCopyButton('#copy-link', () => link.href, '#link-status');
// Where nobody has measured, a study of users has only its line, and one of places no line.
if (document.querySelector('#copy-invitation')) showCopyButton('#copy-invitation', () => link.href, '#export-status');
const line = document.querySelector('#line');
if (line) showCopyButton('#copy-line', () => String(line.textContent), '#line-status');
