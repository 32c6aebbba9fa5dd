/**
 * The list of results works without a script; this adds the runs that were shared from this browser: to open, to compare,
 * to forget.
 */
import { formatMinute } from '../../../core/base/format.js';
import { create, element, onSubmit } from '../ui/element.js';
import { forgetSaved, listSavedHere } from '../storage.js';

/** @import { SavedHere } from '../storage.js' */

const MIN_COMPARED = 2;

function mountHistoryList() {
  const list = element('#history-runs');
  const compare = element('#history-compare', HTMLButtonElement);
  const status = element('#history-status');
  /** Ids, in the order in which they were ticked. @type {Set<string>} */
  const ticked = new Set();

  const enableCompare = () => {
    compare.disabled = ticked.size < MIN_COMPARED;
  };
  const show = () => {
    const runs = listSavedHere();
    for (const id of ticked) if (!runs.some((run) => run.id === id)) ticked.delete(id);
    list.replaceChildren(...runs.map((run) => createItem(run, { isTicked: ticked.has(run.id), onTick, onForget })));
    element('#history').hidden = runs.length === 0;
    enableCompare();
  };
  /** @param {string} id @param {boolean} isTicked */
  const onTick = (id, isTicked) => {
    if (isTicked) ticked.add(id);
    else ticked.delete(id);
    enableCompare();
  };
  /** @param {string} id @param {string} name */
  const onForget = (id, name) => {
    status.textContent = forgetSaved(id)
      ? `Removed from this list: ${name}. The run is still shared; this browser no longer has its delete link.`
      : 'This browser blocks changes to the list. Allow this site to store data.';
    show();
    (list.querySelector('button') ?? status).focus();
  };

  onSubmit('#history-form', () => location.assign(`/compare?ids=${[...ticked].join(',')}`));
  // Another tab may have saved or deleted one.
  window.addEventListener('storage', show);
  show();
}

/**
 * @param {SavedHere} run
 * @param {{ isTicked: boolean, onTick: (id: string, isTicked: boolean) => void,
 *   onForget: (id: string, name: string) => void }} options
 */
function createItem({ id, headline, label, savedAt }, { isTicked, onTick, onForget }) {
  const name = label ?? headline;
  const box = Object.assign(create('input', { type: 'checkbox' }), { checked: isTicked });
  const forget = create('button', { type: 'button', 'aria-label': `Forget ${name}` }, 'Forget');
  box.addEventListener('change', () => onTick(id, box.checked));
  forget.addEventListener('click', () => onForget(id, name));
  return create(
    'li',
    {},
    create('label', {}, box, create('span', {}, name)),
    create('a', { href: `/results/${id}` }, label ? headline : 'Open'),
    create('small', {}, formatMinute(savedAt)),
    forget,
  );
}

mountHistoryList();
