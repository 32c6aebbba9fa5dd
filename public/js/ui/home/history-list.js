import { formatMinute } from '../../../../core/base/format.js';
import { element } from '../element.js';
import { forgetSaved, listSavedHere } from './history.js';

/** @import { SavedHere } from './history.js' */

const LEAST_COMPARED = 2;

/**
 * The runs that were saved from this browser: to open, to compare, to forget.
 *
 * @returns {{ show(): void }} `show` reads them anew
 */
export function mountHistoryList() {
  const section = element('#history', HTMLElement);
  const form = element('#history-form', HTMLFormElement);
  const list = element('#history-runs', HTMLElement);
  const compare = element('#history-compare', HTMLButtonElement);
  const status = element('#history-status', HTMLElement);

  /** Ids, in the order in which they were ticked. @type {Set<string>} */
  const ticked = new Set();

  const show = () => {
    const runs = listSavedHere();
    for (const id of ticked) if (!runs.some((run) => run.id === id)) ticked.delete(id);
    list.replaceChildren(...runs.map(createItem));
    section.hidden = runs.length === 0;
    compare.disabled = ticked.size < LEAST_COMPARED;
  };

  /** @param {SavedHere} run */
  const createItem = ({ id, headline, label, savedAt }) => {
    const name = label ?? headline;
    const [item, choice, text, time] = ['li', 'label', 'span', 'small'].map((tag) => document.createElement(tag));
    const box = Object.assign(document.createElement('input'), { type: 'checkbox', checked: ticked.has(id) });
    box.addEventListener('change', () => {
      if (box.checked) ticked.add(id);
      else ticked.delete(id);
      compare.disabled = ticked.size < LEAST_COMPARED;
    });
    text.textContent = name;
    choice.append(box, text);
    const link = document.createElement('a');
    link.href = `/results/${id}`;
    link.textContent = label ? headline : 'Open';
    time.textContent = formatMinute(savedAt);
    const forget = Object.assign(document.createElement('button'), { type: 'button', textContent: 'Forget' });
    forget.setAttribute('aria-label', `Forget ${name}`);
    forget.addEventListener('click', () => {
      status.textContent = forgetSaved(id)
        ? `Forgotten here: ${name}. The run itself stays; its delete link is gone from here.`
        : 'This browser does not let the page change its list.';
      show();
      (list.querySelector('button') ?? status).focus();
    });
    item.append(choice, link, time, forget);
    return item;
  };

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    location.assign(`/compare?ids=${[...ticked].join(',')}`);
  });
  // Another tab may have saved or deleted one.
  window.addEventListener('storage', show);

  show();
  return { show };
}
