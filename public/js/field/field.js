/**
 * Measures the users of a page of another site, each once in 30 days: after the page has loaded and been idle, while it is visible,
 * for ten seconds at most. It takes no global name, writes nothing into the page, and none of its errors reaches it.
 */
import { FIELD_LIMIT_MS, RECORD_VERSION } from '../../../core/field/record.js';
import { measureBrowser } from './measure.js';
import { draw, isDataDear, isRemembered } from './permission.js';

/**
 * @import { FieldEnding, FieldRecord } from '../../../core/field/record.js'
 * @import { Figures } from './measure.js'
 * @import { Browser, Connection } from './permission.js'
 * @typedef {{ study: string, site: string, sample: number, delayMs: number }} FieldOptions `sample`: share of browsers from 0 to 1;
 *   `delayMs`: for which the page must have been idle
 */

/** A task that is longer is one that the visitor waits for: https://web.dev/articles/long-tasks-devtools */
const BUSY = 'longtask';
/** Nothing waits longer than that for a page to be idle. */
const MAX_IDLE_WAIT_MS = 60_000;

/**
 * Measures once, if this browser may be measured now. Never rejects.
 * @param {FieldOptions} options @returns {Promise<FieldRecord | undefined>} what was sent; absent where nothing was
 */
export async function measureField(options) {
  try {
    return await measureOnce(options);
  } catch {
    // The page is somebody else's: an error here is none of its users.
    return undefined;
  }
}

/** @type {Browser} */
const BROWSER = { storage: () => localStorage, now: () => Date.now(), random: () => Math.random() };

/** @param {FieldOptions} options */
async function measureOnce({ study, site, sample, delayMs }) {
  if (isDataDear(connection()) || isRemembered(study, BROWSER)) return undefined;
  if (!(await becomesIdle(delayMs)) || document.visibilityState !== 'visible') return undefined;
  const share = Math.min(sample, await askForSample(site, study));
  if (share === 0 || !draw(study, share, BROWSER)) return undefined;
  const record = await measureUntilEnded(study, site);
  send(`${site}/field/records`, record);
  return record;
}

/** @returns {Connection | undefined} */
const connection = () => /** @type {{ connection?: Connection }} */ (navigator).connection;

/**
 * Waits until the page has loaded and then had no long task for a time.
 * @param {number} delayMs that time @returns {Promise<boolean>} false for a page that is never idle for so long
 */
async function becomesIdle(delayMs) {
  if (document.readyState !== 'complete')
    await new Promise((resolve) => addEventListener('load', resolve, { once: true }));
  const startedAtMs = performance.now();
  let busyAtMs = startedAtMs;
  const tasks = watchTasks(() => (busyAtMs = performance.now()));
  try {
    for (let leftMs = delayMs; leftMs > 0; leftMs = busyAtMs + delayMs - performance.now()) {
      if (performance.now() - startedAtMs > MAX_IDLE_WAIT_MS) return false;
      await new Promise((resolve) => setTimeout(resolve, leftMs));
    }
    return true;
  } finally {
    tasks?.disconnect();
  }
}

/** @param {string} site @param {string} study @returns {Promise<number>} 0 where the study measures nothing on this page */
async function askForSample(site, study) {
  const response = await fetch(`${site}/field/settings?study=${encodeURIComponent(study)}`, { credentials: 'omit' });
  return response.status === 200 ? Number((await response.json()).sample) : 0;
}

/** @param {string} study @param {string} site @returns {Promise<FieldRecord>} */
async function measureUntilEnded(study, site) {
  const now = () => performance.now();
  const startedAtMs = now();
  /** @type {Figures} */
  const figures = { blocks: [] };
  const ended = watchForEnd();
  /** @type {FieldEnding} */
  let ending = 'whole';
  try {
    await measureBrowser(figures, { site, now, signal: ended.signal });
  } catch {
    // What failed is in the figures; a message that was not echoed leaves too few blocks, as a run cut short does.
    ending = ended.reason() ?? 'late';
  } finally {
    ended.close();
  }
  return {
    version: RECORD_VERSION,
    study,
    ending,
    tookMs: Math.ceil(now() - startedAtMs),
    zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    connection: /** @type {FieldRecord['connection']} */ (connection()?.type),
    isAutomated: navigator.webdriver || undefined,
    ...figures,
  };
}

/** Ends a run as soon as the page is hidden, left or busy, or the time is over. */
function watchForEnd() {
  const controller = new AbortController();
  /** @type {FieldEnding | undefined} */
  let reason;
  const end = (/** @type {FieldEnding} */ why) => {
    reason ??= why;
    controller.abort();
  };
  const onHidden = () => end('hidden');
  document.addEventListener('visibilitychange', onHidden);
  addEventListener('pagehide', onHidden);
  const timer = setTimeout(() => end('late'), FIELD_LIMIT_MS);
  const tasks = watchTasks(() => end('busy'));
  return {
    signal: controller.signal,
    reason: () => reason,
    close() {
      document.removeEventListener('visibilitychange', onHidden);
      removeEventListener('pagehide', onHidden);
      clearTimeout(timer);
      tasks?.disconnect();
    },
  };
}

/** @param {() => void} onBusy @returns {PerformanceObserver | undefined} absent in browsers that do not say it */
function watchTasks(onBusy) {
  if (!PerformanceObserver.supportedEntryTypes?.includes(BUSY)) return undefined;
  const observer = new PerformanceObserver(onBusy);
  observer.observe({ type: BUSY });
  return observer;
}

/** Sends a record, also from a page that is being left. @param {string} url @param {FieldRecord} record */
function send(url, record) {
  const body = JSON.stringify(record);
  if (navigator.sendBeacon?.(url, body)) return;
  fetch(url, { method: 'POST', body, keepalive: true, credentials: 'omit' }).catch(() => {});
}
