/** The list of results works without a script; this adds the runs that were shared from this browser. */
import { formatMinute } from '../../../core/base/format.js';
import { create, element, onSubmit } from '../base/page.js';
import { forgetSaved, listSavedHere } from '../storage.js';
import { at } from '../site-url.js';

/** @import { SavedHere } from '../storage.js' */

const list = element('#history-runs');
const compare = element('#history-compare', HTMLButtonElement);
const status = element('#history-status');
/** Ids, in the order in which they were ticked. @type {Set<string>} */
const ticked = new Set();

function show() {
  const runs = listSavedHere();
  for (const id of ticked) if (!runs.some((run) => run.id === id)) ticked.delete(id);
  list.replaceChildren(...runs.map(createItem));
  element('#history').hidden = runs.length === 0;
  compare.disabled = ticked.size < 2;
}

/** @param {SavedHere} run */
function createItem({ id, headline, label, place, savedAt }) {
  const words = [label, place].filter(Boolean).join(', ');
  const name = words || headline;
  const box = Object.assign(create('input', { type: 'checkbox' }), { checked: ticked.has(id) });
  const forget = create('button', { type: 'button', 'aria-label': `Forget ${name}` }, 'Forget');
  box.addEventListener('change', () => {
    if (box.checked) ticked.add(id);
    else ticked.delete(id);
    compare.disabled = ticked.size < 2;
  });
  forget.addEventListener('click', () => {
    status.textContent = forgetSaved(id)
      ? `Removed from this list: ${name}. The run is still shared; this browser no longer has its delete link.`
      : 'This browser blocks changes to the list. Allow this site to store data.';
    show();
    (list.querySelector('button') ?? status).focus();
  });
  return create(
    'li',
    {},
    create('label', {}, box, create('span', {}, name)),
    create('a', { href: at(`/results/${id}`) }, words ? headline : 'Open'),
    create('small', {}, formatMinute(savedAt)),
    forget,
  );
}

/** The list of all: its button needs two, those that were chosen before among them. */
function mountList() {
  const form = document.querySelector('#runs')?.closest('form');
  const button = form?.querySelector('button');
  if (!form || !button) return;
  const look = () => {
    const ids = new FormData(form).getAll('ids').join().split(',');
    button.disabled = ids.filter(Boolean).length < 2;
  };
  form.addEventListener('change', look);
  // The boxes are ticked again after Back.
  window.addEventListener('pageshow', look);
}

mountList();
onSubmit('#history-form', () => location.assign(at(`/compare?ids=${[...ticked].join(',')}`)));
// Another tab may have saved or deleted one.
window.addEventListener('storage', show);
show();
