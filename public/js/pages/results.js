/** The list of results works without a script; this searches as one types, and adds the runs that were shared from this browser. */
import { formatMinute, listOf } from '../../../core/base/format.js';
import { create, element, inputs, onSubmit } from '../base/page.js';
import { forgetSaved, listSavedHere } from '../storage.js';
import { at } from '../site-url.js';

/** @import { SavedHere } from '../storage.js' */

/** Nobody types a word in less. */
const TYPING_MS = 250;
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

/** Reads again what is selected. */
let lookAgain = () => {};

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
  lookAgain = look;
  look();
}

/** Shows what the fields ask for as they change, as sending the form would. */
function mountSearch() {
  const form = element('#search-form', HTMLFormElement);
  const status = element('#search-status');
  let asking = new AbortController();
  let timer = 0;
  const search = async () => {
    asking.abort();
    const own = new AbortController();
    asking = own;
    const query = queryOf(form);
    const url = at('/results') + (query && `?${query}`);
    try {
      const answer = await fetch(url, { signal: own.signal });
      const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
      const found = page.querySelector('#found');
      status.textContent = found ? '' : `Not searched: the server answered ${answer.status}. Try again in a minute.`;
      if (!found) return;
      element('#found').replaceWith(found);
      element('#clear-search').hidden = query === '';
      history.replaceState(undefined, '', url);
      mountList();
    } catch {
      // Else a later search took its place.
      if (!own.signal.aborted) status.textContent = 'Not searched: no connection to the server. Try again.';
    }
  };
  form.addEventListener('input', () => {
    clearTimeout(timer);
    timer = window.setTimeout(search, TYPING_MS);
  });
  onSubmit('#search-form', () => {
    clearTimeout(timer);
    void search();
  });
}

/** The fields that are not empty, and what is ticked, which stays selected. @param {HTMLFormElement} form */
function queryOf(form) {
  const fields = new FormData(form);
  const selected = document.querySelectorAll('#list [name="ids"]:is([type="hidden"], :checked)');
  const ids = [...selected].flatMap((one) => (one instanceof HTMLInputElement ? one.value.split(',') : []));
  fields.delete('beside');
  if (ids.length > 0) fields.set('beside', [...new Set(ids)].join(','));
  return new URLSearchParams([...fields].flatMap(([name, value]) => (value ? [[name, String(value)]] : []))).toString();
}

mountList();
// The boxes are ticked again after Back.
window.addEventListener('pageshow', () => lookAgain());
mountSearch();
onSubmit('#history-form', () => location.assign(at(`/compare?ids=${[...ticked].join(',')}`)));
// Another tab may have saved or deleted one.
window.addEventListener('storage', show);
show();
