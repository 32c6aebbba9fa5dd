/** What a check of reachability can have negotiated. */
import { PROTOCOLS } from '../../experiment/documents/contradictions.js';

/** Of the checks that name no transport, by the method whose protocols they can use. */
const CHECKS_BY_METHOD = {
  fetch: ['http', 'events', 'stream', 'poll'],
  websocket: ['upgrade', 'text', 'binary', 'size-64k', 'size-1m', 'silence', 'heartbeat', 'idle'],
  sockjs: ['fallback', 'fallback-default'],
};

export const CHECK_PROTOCOLS = new Map(
  Object.entries(CHECKS_BY_METHOD).flatMap(([method, checks]) =>
    checks.map((check) => /** @type {const} */ ([check, PROTOCOLS.get(method) ?? []])),
  ),
);

/** @param {{ transport?: string, check: string }} trial @returns {readonly string[] | undefined} */
export const usableProtocolsOf = ({ transport, check }) =>
  transport ? PROTOCOLS.get(transport) : CHECK_PROTOCOLS.get(check);
