/**
 * Chrome asks before a page from the internet reaches the visitor's own machine or local network. It asks for requests since
 * version 142, and for WebSockets since 147 (https://developer.chrome.com/blog/local-network-access). A page only sees that a
 * request failed.
 */
import { isNearby } from '../../../../core/experiment/run/scope.js';

/** Chrome has the first two since 145, and had the last one before. */
const PERMISSIONS = ['loopback-network', 'local-network', 'local-network-access'];

const ASKED =
  'Your browser asks whether this page may reach this machine and devices in your local network: allow it, then select the server again.';
const REFUSED =
  'Your browser asked whether this page may reach this machine and devices in your local network, and it was refused: allow it in the settings of this site, beside its address.';

/**
 * Says why a server at another origin could not be reached, and what to do.
 * @param {string} url of the server @param {string} otherwise the reason, if it is not the browser's refusal
 * @returns {Promise<string>}
 */
export async function explainUnreached(url, otherwise) {
  const isNear = isNearby(new URL(url));
  const states = await Promise.all(PERMISSIONS.map(readState));
  // Another name may lead into the local network, too, or to a server that is down.
  if (states.includes('denied')) return isNear ? REFUSED : `${otherwise} ${REFUSED}`;
  return states.includes('prompt') && isNear && !isNearby(location) ? ASKED : otherwise;
}

/** @param {string} name @returns {Promise<PermissionState | undefined>} absent if this browser does not know it */
async function readState(name) {
  try {
    return (await navigator.permissions.query({ name: /** @type {PermissionName} */ (name) })).state;
  } catch {
    return undefined;
  }
}
