/**
 * Chrome asks before a page from the internet reaches the visitor's own machine or local network. It asks for requests since
 * version 142, and for WebSockets since 147 (https://developer.chrome.com/blog/local-network-access). A page only sees that a
 * request failed.
 */
import { isNearby } from '../../../../core/experiment/scope.js';

/** Chrome has the first two since 145, and had the last one before. */
const PERMISSIONS = ['loopback-network', 'local-network', 'local-network-access'];

const ADVICE =
  'This browser may reach your machine and your local network for this page only if you allow it: in the settings of this site, beside its address.';

/** @param {string} url of a server at another origin that could not be reached @returns {Promise<string>} what to do; empty if that is not why */
export async function adviseOnLocalNetwork(url) {
  const states = await Promise.all(PERMISSIONS.map(readState));
  const isAsked = states.includes('prompt') && isNearby(new URL(url)) && !isNearby(location);
  return isAsked || states.includes('denied') ? ADVICE : '';
}

/** @param {string} name @returns {Promise<PermissionState | undefined>} absent if this browser does not know it */
async function readState(name) {
  try {
    return (await navigator.permissions.query({ name: /** @type {PermissionName} */ (name) })).state;
  } catch {
    return undefined;
  }
}
