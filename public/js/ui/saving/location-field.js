import { element } from '../element.js';

/** By the codes of GeolocationPositionError. */
const REASONS = [
  '',
  'This browser was not allowed to tell where it is',
  'This device could not find out where it is',
  'Finding out where this device is took too long',
];
const INSTEAD = 'Type the name of the place instead.';
const LIMIT_MS = 20_000;
/** Nobody moves by a tenth of a degree meanwhile. */
const OLDEST_MS = 600_000;

/**
 * Where the visitor is, if they want to tell: rounded to a tenth of a degree at once, shown, and taken back on demand.
 * @returns {{ read(): { latitude: number, longitude: number } | undefined, reset(): void }}
 */
export function mountLocationField() {
  const locate = element('#save-locate', HTMLButtonElement);
  const unlocate = element('#save-unlocate', HTMLButtonElement);
  const output = element('#save-location', HTMLOutputElement);
  const usualWords = output.value;
  /** @type {{ latitude: number, longitude: number } | undefined} */
  let location;
  /** Counts what was asked: an answer that was not waited for is none. */
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
      show(found, `To be saved: latitude ${found.latitude}, longitude ${found.longitude}.`);
      unlocate.focus();
    } catch (error) {
      if (asked === askedCount) show(undefined, `${/** @type {Error} */ (error).message}. ${INSTEAD}`);
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

/** @returns {Promise<{ latitude: number, longitude: number }>} rejects with the reason in words */
async function findLocation() {
  if (!window.isSecureContext) throw new Error('Browsers tell where they are only to pages over TLS and on localhost');
  if (!navigator.geolocation) throw new Error('This browser cannot tell where it is');
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
