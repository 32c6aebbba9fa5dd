/** What a visitor may say of a run that is shared: its label, its place, its location, a note. */
import { element } from './element.js';
import { markField } from './fields.js';

/** By the codes of GeolocationPositionError. */
const REASONS = [
  '',
  'You did not allow this page to read your location',
  'This device cannot find its location',
  'Your device did not find its location in time',
];
const LIMIT_MS = 20_000;
/** Nobody moves by a tenth of a degree in this time. */
const OLDEST_MS = 600_000;

/** @typedef {{ latitude: number, longitude: number }} Location */

/** `check` says beside the fields what is wrong with them. @param {HTMLFormElement} form */
export function mountSaveFields(form) {
  const [label, place, note] = ['label', 'place', 'note'].map(mountTextField);
  const location = mountLocationField();
  // A campaign's link says how its runs are to be called. The page may change its address before the form is reset.
  label.input.defaultValue = new URLSearchParams(window.location.search).get('label') ?? '';
  return {
    /** @returns {{ label?: string, note?: string, place?: object }} */
    read() {
      const placed = { ...(place.input.value && { name: place.input.value }), ...location.read() };
      return {
        label: label.input.value || undefined,
        note: note.input.value || undefined,
        place: Object.keys(placed).length > 0 ? placed : undefined,
      };
    },
    check() {
      const [wrong] = [label, place, note].filter((field) => !field.check());
      if (!wrong) return true;
      element('#save-words', HTMLDetailsElement).open = true;
      wrong.input.focus();
      return false;
    },
    reset() {
      form.reset();
      location.reset();
    },
  };
}

/** @param {string} name */
function mountTextField(name) {
  // One of them is a textarea, which has all that is needed here.
  const input = /** @type {HTMLInputElement} */ (element(`#save-${name}`));
  const most = Number(input.dataset.most);
  return {
    input,
    check() {
      const { length } = input.value;
      const message = length > most ? `Expected at most ${most} characters, got ${length}.` : '';
      element(`#save-${name}-error`).textContent = message;
      markField(input, message !== '');
      return message === '';
    },
  };
}

/** The visitor's location: rounded to a tenth of a degree at once, shown, and removable. */
function mountLocationField() {
  const locate = element('#save-locate', HTMLButtonElement);
  const unlocate = element('#save-unlocate');
  const output = element('#save-location', HTMLOutputElement);
  const usualWords = output.value;
  /** @type {Location | undefined} */
  let location;
  /** Counts requests, to ignore the answers to old ones. */
  let askedCount = 0;

  /** @param {Location | undefined} found @param {string} words */
  const show = (found, words) => {
    location = found;
    locate.disabled = false;
    locate.hidden = Boolean(found);
    unlocate.hidden = !found;
    output.value = words;
  };

  locate.addEventListener('click', async () => {
    const asked = ++askedCount;
    locate.disabled = true;
    output.value = 'Asking the browser…';
    try {
      const found = await findLocation();
      if (asked !== askedCount) return;
      show(found, `Shared with the run: latitude ${found.latitude}, longitude ${found.longitude}.`);
      unlocate.focus();
    } catch (error) {
      const { message } = /** @type {Error} */ (error);
      if (asked === askedCount) show(undefined, `${message}. Type the place instead.`);
    }
  });
  unlocate.addEventListener('click', () => {
    show(undefined, usualWords);
    locate.focus();
  });

  return {
    read: () => location,
    reset() {
      askedCount++;
      show(undefined, usualWords);
    },
  };
}

/** @returns {Promise<Location>} rejects with the reason */
async function findLocation() {
  if (!window.isSecureContext) throw new Error('Browsers give a location only to HTTPS pages and localhost');
  if (!navigator.geolocation) throw new Error('This browser has no location');
  return new Promise((resolve, reject) =>
    navigator.geolocation.getCurrentPosition(
      ({ coords: { latitude, longitude } }) => resolve({ latitude: round(latitude), longitude: round(longitude) }),
      ({ code }) => reject(new Error(REASONS[code] ?? REASONS[2])),
      { timeout: LIMIT_MS, maximumAge: OLDEST_MS },
    ),
  );
}

/** @param {number} degrees @returns {number} never -0 */
const round = (degrees) => Math.round(degrees * 10) / 10 + 0;
