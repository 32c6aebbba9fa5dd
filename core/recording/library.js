/** Finds the library that sent a request, in what browsers save beside it: the scripts of the call, and tell-tale headers. */

/** By the name of its script, which may have a version and a hash. */
const BY_SCRIPT = Object.freeze({
  jquery: 'jQuery',
  axios: 'axios',
  sockjs: 'SockJS',
  'socket.io': 'Socket.IO',
  htmx: 'htmx',
  superagent: 'SuperAgent',
  apollo: 'Apollo Client',
  swr: 'SWR',
  'react-query': 'TanStack Query',
  signalr: 'SignalR',
  angular: 'Angular',
  livewire: 'Livewire',
  turbo: 'Turbo',
});
const MAX_FRAMES = 50;

/**
 * @param {any} initiator as Chrome saves it @param {ReadonlyMap<string, string>} headers of the request @param {string} url
 * @returns {string | undefined}
 */
export function findLibrary(initiator, headers, url) {
  if (headers.has('hx-request')) return 'htmx';
  const scripts = scriptsOf(initiator);
  const named = Object.entries(BY_SCRIPT).find(([name]) => scripts.some((script) => script.includes(name)));
  if (named) return named[1];
  // Only jQuery names its parameter against caches like that.
  if (/[?&]_=\d{13}(?:&|$)/.test(url)) return 'jQuery';
  return undefined;
}

/** @param {any} initiator @returns {string[]} the names of the scripts on its stack, in lower case */
function scriptsOf(initiator) {
  /** @type {Set<string>} */
  const urls = new Set([initiator?.url]);
  for (let stack = initiator?.stack, left = MAX_FRAMES; stack && left > 0; stack = stack.parent, left--) {
    const frames = Array.isArray(stack.callFrames) ? stack.callFrames.slice(0, MAX_FRAMES) : [];
    for (const frame of frames) urls.add(frame?.url);
  }
  return [...urls].filter((url) => typeof url === 'string').map(nameOf);
}

/** @param {string} url @returns {string} of its file */
const nameOf = (url) => url.slice(0, 1000).split('?')[0].split('/').slice(-2).join('/').toLowerCase();
