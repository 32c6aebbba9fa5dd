import { element } from '../element.js';

/** By the codes of GeolocationPositionError. */
const REASONS = [
  '',
  'You did not allow this page to read your location',
  'This device cannot find its location',
  'Your device did not find its location in time',
];
const INSTEAD = 'Type the place instead';
const LIMIT_MS = 20_000;
/** Nobody moves by a tenth of a degree in this time. */
const OLDEST_MS = 600_000;

/**
 * The visitor's location, optional: rounded to a tenth of a degree at once, shown, and removable.
 * @returns {{ read(): { latitude: number, longitude: number } | undefined, reset(): void }}
 */
export function mountLocationField() {
  const locate = element('#save-locate', HTMLButtonElement);
  const unlocate = element('#save-unlocate', HTMLButtonElement);
  const output = element('#save-location', HTMLOutputElement);
  const usualWords = output.value;
  /** @type {{ latitude: number, longitude: number } | undefined} */
  let location;
  /** Counts requests, to ignore the answers to old ones. */
  let askedCount = 0;

  /** @param {typeof location} found @param {string} words */
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
      if (asked === askedCount) show(undefined, `${/** @type {Error} */ (error).message}. ${INSTEAD}.`);
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

/** @returns {Promise<{ latitude: number, longitude: number }>} rejects with the reason */
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
