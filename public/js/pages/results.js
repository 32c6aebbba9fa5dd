/** The list of results works without a script; this adds the runs that were shared from this browser. */
import { formatMinute } from '../../../core/base/format.js';
import { listOf } from '../../../core/experiment/compare.js';
import { create, element, inputs, onSubmit } from '../base/page.js';
import { forgetSaved, listSavedHere } from '../storage.js';
import { at } from '../site-url.js';

/** @import { SavedHere } from '../storage.js' */

/** More names are not read. */
const MAX_NAMED = 4;

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

/** The list of all: its bar says what is selected, with those that were chosen before. */
function mountList() {
  const bar = document.querySelector('#selection');
  const form = bar?.closest('form');
  if (!(bar instanceof HTMLElement) || !form) return;
  const most = Number(bar.dataset.most);
  const [output, clear, submit] = [
    element('#selected'),
    element('#selection [type="reset"]', HTMLButtonElement),
    element('#selection [type="submit"]', HTMLButtonElement),
  ];
  const usual = output.textContent;
  const look = () => {
    const chosen = inputs('#runs :checked').map(({ dataset }) => String(dataset.short));
    const count = new FormData(form).getAll('ids').join().split(',').filter(Boolean).length;
    submit.disabled = count < 2 || count > most;
    clear.hidden = chosen.length === 0;
    const names = chosen.length > 0 && chosen.length <= MAX_NAMED ? `: ${listOf(chosen)}` : '';
    output.textContent =
      chosen.length === 0
        ? usual
        : `${count} selected${names}${count > most ? `. At most ${most} can be compared` : ''}`;
  };
  form.addEventListener('change', look);
  form.addEventListener('reset', () => setTimeout(look));
  // The boxes are ticked again after Back.
  window.addEventListener('pageshow', look);
  look();
}

mountList();
onSubmit('#history-form', () => location.assign(at(`/compare?ids=${[...ticked].join(',')}`)));
// Another tab may have saved or deleted one.
window.addEventListener('storage', show);
show();
