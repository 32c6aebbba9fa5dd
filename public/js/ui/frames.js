/** A tab that is hidden paints nothing, and must not be waited for. */
const PAINT_LIMIT_MS = 100;

/** Lets the browser paint what has changed, so that it need not while a clock runs. @returns {Promise<void>} */
export function nextPaint() {
  return new Promise((resolve) => {
    const limit = setTimeout(resolve, PAINT_LIMIT_MS);
    requestAnimationFrame(() => {
      clearTimeout(limit);
      // A frame is painted after its callbacks.
      setTimeout(resolve);
    });
  });
}

/** @returns {Promise<void>} when the page has all that it loads: until then the browser is busy with it */
export function whenLoaded() {
  if (document.readyState === 'complete') return Promise.resolve();
  return new Promise((resolve) => window.addEventListener('load', () => resolve(), { once: true }));
}

/** @returns {Promise<void>} as soon as this tab can be seen */
export function whenVisible() {
  return new Promise((resolve) => {
    const look = () => {
      if (document.visibilityState === 'hidden') return;
      document.removeEventListener('visibilitychange', look);
      resolve();
    };
    document.addEventListener('visibilitychange', look);
    look();
  });
}

/**
 * Looks now and then at what a timed loop only counts: in a frame, so that it is not drawn twice.
 * @param {() => void} look @param {number} everyMs @returns {() => void} what stops it
 */
export function lookInFrames(look, everyMs) {
  let frame = 0;
  const timer = setInterval(() => (frame = requestAnimationFrame(look)), everyMs);
  return () => {
    clearInterval(timer);
    cancelAnimationFrame(frame);
  };
}
