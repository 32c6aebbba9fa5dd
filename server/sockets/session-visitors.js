/**
 * Remembers who opens each session. A library may take several requests for one, and reports an open session later than its
 * request, so the visitor and the place of the session are kept here.
 */
import { guard } from '../http/boundary.js';

/**
 * @import { IncomingMessage as Request } from 'node:http'
 * @import { Gate, SessionKind } from '../http/gate.js'
 * @import { VisitorOf } from '../workers.js'
 * @typedef {{ visitor: string, leave?(): void }} Admitted `visitor`: an address; `leave` gives the place back, which a
 *   WebSocket's connection does by itself
 */

/** @param {{ gate: Gate, visitorOf: VisitorOf }} parts @param {SessionKind} [kind] among which the sessions count */
export function createVisitors({ gate, visitorOf }, kind) {
  /** @type {WeakMap<object, Admitted>} by the WebSocket's connection */
  const bySocket = new WeakMap();
  /** @type {Map<string, Admitted>} by id, of sessions that go over several requests, until they are open */
  const byId = new Map();

  return {
    /** Notes who opens a WebSocket, which has its place already. @param {Request} req @param {object} socket */
    noteSocket: (req, socket) => void bySocket.set(socket, { visitor: visitorOf(req) }),

    /** Takes a place for a session that goes over several requests. @param {Request} req to be handled at once @param {string} id @throws {RefusalError} */
    admit(req, id) {
      if (byId.has(id)) return;
      const admitted = { visitor: visitorOf(req), leave: gate.takePlace(req, kind) };
      byId.set(id, admitted);
      // The library has reported an open session by then, or has refused the request.
      const leaveUnused = guard(req.socket, () => {
        if (byId.get(id) !== admitted) return;
        byId.delete(id);
        admitted.leave();
      });
      setImmediate(leaveUnused);
    },

    /**
     * Takes the visitor of a session that is open now, which keeps the place.
     * @param {string} [id] @param {object} [socket] @returns {Admitted}
     */
    take(id = '', socket = {}) {
      const admitted = byId.get(id) ?? bySocket.get(socket) ?? { visitor: '' };
      byId.delete(id);
      return admitted;
    },
  };
}
