import { labelOf, LABELS } from '../../net/labels.js';
import { listTrials } from '../documents/contradictions/list-trials.js';

/**
 * @param {any} document of any experiment
 * @returns {string} the negotiated protocols and, where the trials name transports, those that used them; empty for none
 * @example describeProtocols(document) // 'http/1.1: AJAX, fetch; websocket: SockJS'
 */
export function describeProtocols(document) {
  const trials = listTrials(document);
  // Delivery methods of jobs have names of their own, some of which are also a transport's.
  const isByTransport = trials.every(({ transport }) => Object.hasOwn(LABELS, transport));
  /** @type {Map<string, Set<string>>} */
  const users = new Map();
  for (const { protocol, transport } of trials) {
    if (protocol === undefined) continue;
    const names = users.get(protocol) ?? new Set();
    users.set(protocol, isByTransport ? names.add(labelOf(transport)) : names);
  }
  return [...users].map(([protocol, names]) => [protocol, [...names].join(', ')].filter(Boolean).join(': ')).join('; ');
}
