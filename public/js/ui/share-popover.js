/** Opens and closes the popover in which a run is shared, with a preview of its picture and an invitation to measure the same. */
import { studyPath } from '../../../core/base/base-url.js';
import { element } from '../base/page.js';
import { at, linkOrigin } from '../site-url.js';
import { mountCopyButton } from './export-buttons.js';
import { mountPictureButtons } from './picture-button.js';

/**
 * @typedef {object} Shown what is on the page
 * @property {(place?: string) => Promise<string>} drawPicture SVG
 * @property {() => string | undefined} describeUsers for whom the picture holds, in a few words; absent: for whoever measured
 * @property {() => string} planPath of the link to its plan
 */

const STATUS = '#save-status';
/** As in public/css/share.css: a narrow screen has a sheet in front of the page. */
const isNarrow = () => matchMedia('(max-width: 40rem)').matches;

/** @param {Shown} [shown] absent where there is neither a picture nor a plan to invite others to @returns {{ open(): void, close(): void }} */
export function mountSharePopover(shown) {
  const popover = element('#share', HTMLDialogElement);
  const button = element('#save-button');
  const open = () => {
    if (popover.open) return;
    if (shown) showPreview(shown);
    if (isNarrow()) popover.showModal();
    else popover.show();
    button.setAttribute('aria-expanded', 'true');
    popover.scrollIntoView({ block: 'nearest', behavior: 'instant' });
  };
  const close = () => popover.close();

  button.addEventListener('click', () => (popover.open ? close() : open()));
  element('#share-close').addEventListener('click', close);
  popover.addEventListener('close', () => button.setAttribute('aria-expanded', 'false'));
  popover.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') close();
  });
  // Where the pointer went down, as text that is selected may end outside.
  let isWithin = false;
  document.addEventListener('pointerdown', (event) => (isWithin = isInside(popover, event)));
  // The page may become shorter: what was pressed must not move before.
  document.addEventListener('click', ({ target, detail }) => {
    const isByPointer = detail > 0;
    const node = /** @type {Node} */ (target);
    const isOwn = isByPointer ? isWithin : popover.contains(node);
    if (popover.open && !isOwn && !button.contains(node)) close();
  });
  if (shown) mountShown(shown);
  return { open, close };
}

/**
 * What is behind a sheet is the sheet's own backdrop, which is no node: the place tells it apart.
 * @param {HTMLElement} box @param {PointerEvent} event
 */
function isInside(box, { clientX, clientY }) {
  const { left, right, top, bottom } = box.getBoundingClientRect();
  return clientX >= left && clientX <= right && clientY >= top && clientY <= bottom;
}

/** @returns {string | undefined} the place in the form */
const readPlace = () => element('#save-place', HTMLInputElement).value.trim() || undefined;

/** @param {Shown} shown */
async function showPreview({ drawPicture, describeUsers }) {
  const users = describeUsers();
  element('#share-about').textContent = users ? `The picture is ${users}.` : 'The picture is of the run.';
  const preview = element('#share-preview', HTMLImageElement);
  try {
    preview.src = `data:image/svg+xml,${encodeURIComponent(await drawPicture(readPlace()))}`;
  } catch {
    element('#share-about').textContent = 'The picture could not be drawn.';
  }
}

/** @param {Shown} shown */
function mountShown(shown) {
  for (const part of ['#share-picture', '#share-invitation']) element(part).hidden = false;
  element('#save-place').addEventListener('change', () => showPreview(shown));
  mountPictureButtons(() => shown.drawPicture(readPlace()), STATUS);
  mountCopyButton('#copy-invitation', () => invitationTo(shown.planPath()), STATUS);
}

/** @param {string} path of a plan @returns {string} a link to it; with a label, to the study that gathers what others share */
function invitationTo(path) {
  const label = element('#save-label', HTMLInputElement).value.trim();
  const invited = label === '' ? path : `${studyPath(label)}&plan=${encodeURIComponent(path)}`;
  return linkOrigin() + at(invited);
}
