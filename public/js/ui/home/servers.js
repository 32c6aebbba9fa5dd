/** The servers that a run goes to: which are chosen, how far away they are, whose result is shown. */
import { describeError } from '../../../../core/experiment/faults.js';
import { createReport } from '../../../../core/experiments/shootout/report.js';
import { probe } from '../../../../core/net/probe.js';
import { reachServer } from '../../../../core/net/http.js';
import { createTransports } from '../../libraries.js';
import { create, element, inputs } from '../element.js';

/** @import { Now } from '../../../../core/base/clock.js' */
/** @import { Result } from '../../../../core/experiments/shootout/index.js' */
/** @import { MeasuredServer } from '../../run/measure-here.js' */

/**
 * Which servers are measured: the page's own, and others that its operator lists.
 * @param {{ onChange: () => void }} options
 * @returns {{ isOffered: boolean, chosen(): MeasuredServer[], leaveOut(server: MeasuredServer, reason: string): void }}
 *   `isOffered` where there is more than the page's own
 */
export function createServerChoice({ onChange }) {
  const boxes = inputs('[name=server]');
  for (const box of boxes) {
    const reason = reasonAgainst(originOf(box));
    box.disabled = reason !== '';
    note(box, reason);
    box.addEventListener('change', () => {
      note(box, '');
      onChange();
    });
  }

  return {
    isOffered: boxes.length > 0,
    chosen() {
      if (boxes.length === 0) return [{ name: 'The server', origin: location.origin }];
      return boxes
        .filter(({ checked, disabled }) => checked && !disabled)
        .map((box) => ({ name: String(box.dataset.name), origin: originOf(box) }));
    },
    leaveOut({ origin }, reason) {
      for (const box of boxes.filter((one) => originOf(one) === origin)) {
        box.checked = false;
        note(box, reason);
      }
    },
  };
}

/**
 * @param {HTMLInputElement} box
 * @param {string} reason why it cannot be chosen, or was left out; stays until it is tried again
 */
function note(box, reason) {
  const small = box.parentElement?.querySelector('small');
  if (small) small.textContent = reason && ` (${reason})`;
}

/** @param {HTMLInputElement} box whose value is empty for the page's own server */
const originOf = ({ value }) => value || location.origin;

/** @param {string} origin @returns {string} why a browser forbids the combination; empty where it does not */
function reasonAgainst(origin) {
  const { protocol, hostname } = new URL(origin);
  // A page over TLS may ask the visitor's own machine without: https://w3c.github.io/webappsec-secure-contexts/#localhost
  const isLocal = hostname === 'localhost' || hostname.startsWith('127.') || hostname === '[::1]';
  if (location.protocol !== 'https:' || protocol !== 'http:' || isLocal) return '';
  return 'browsers do not connect from an https page to a server without https';
}

/**
 * Which of several servers' results is shown: a choice with each one's verdict.
 * @param {(index: number) => void} onChoose
 * @returns {(servers: readonly MeasuredServer[], results: readonly Result[]) => void} shows them; for the page's own server
 *   alone there is no choice
 */
export function mountServerResults(onChoose) {
  const list = element('#server-results .choices');
  list.addEventListener('change', ({ target }) => onChoose(Number(/** @type {HTMLInputElement} */ (target).value)));
  return (servers, results) => {
    // What the page's heading says holds for its own server alone.
    element('#server-results').hidden = results.length === 1 && servers[0].origin === location.origin;
    list.replaceChildren(...results.map((result, index) => createChoice(describe(servers[index].name, result), index)));
  };
}

/** @param {string} name of the server @param {Result} result */
function describe(name, result) {
  const { verdict, floorMs } = createReport(result);
  const distance = floorMs === undefined ? '' : `, ${floorMs.toFixed(floorMs < 10 ? 1 : 0)} ms away`;
  return `${name}${distance}: ${verdict.headline}`;
}

/** @param {string} words @param {number} index */
function createChoice(words, index) {
  const input = create('input', { type: 'radio', name: 'server-result', value: String(index) });
  input.checked = index === 0;
  return create('label', {}, input, ` ${words}`);
}

/**
 * @param {readonly MeasuredServer[]} servers @param {object} options @param {Now} options.now
 * @param {number} options.payloadBytes in each message
 * @param {AbortSignal} options.signal of a look that another one has made needless
 * @returns {Promise<{ roundTripsMs: number[], problems: { server: MeasuredServer, reason: string }[] }>} of those that
 *   answer; why others cannot be measured
 */
export async function probeServers(servers, { now, payloadBytes, signal }) {
  /** @type {number[]} */
  const roundTripsMs = [];
  const problems = [];
  for (const server of servers) {
    try {
      await reachServer(fetch, `${server.origin}/status`, signal);
      roundTripsMs.push(await probe(createTransports({}, server.origin).xhr, now, { payloadBytes, signal }));
    } catch (error) {
      problems.push({ server, reason: describeError(error) });
    }
  }
  return { roundTripsMs, problems };
}
