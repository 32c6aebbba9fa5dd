/** The servers that a run goes to: which are chosen, how far away they are, the run itself, whose result is shown. */
import { formatRtt } from '../../../../core/base/format.js';
import { describeError } from '../../../../core/experiment/run/faults.js';
import { findingsOf } from '../../../../core/experiment/report/findings.js';
import { probe } from '../../../../core/net/echo/probe.js';
import { reachServer } from '../../../../core/net/http.js';
import { withoutComparison as shootout } from '../../../../core/experiments/shootout/index.js';
import { createTransports } from '../../libraries.js';
import { explainUnreached } from './local-network.js';
import { create, element, inputs, now } from '../../base/page.js';
import { isElsewhere, siteUrl } from '../../site-url.js';

/** @import { MeasuredServer } from '../../run/measure.js' */
/** @import { ShownRun } from '../../test-page.js' */
/** @import { Result } from '../../../../core/experiments/shootout/index.js' */

/** Mounts the choice of servers; `isOffered` if there are others than the page's own. @param {() => void} onChange */
export function createServerChoice(onChange) {
  const boxes = inputs('[name=server]');
  for (const box of boxes) {
    const reason = reasonAgainst(urlOf(box));
    box.disabled = reason !== '';
    note(box, reason);
    box.addEventListener('change', () => {
      note(box, '');
      onChange();
    });
  }

  return {
    isOffered: boxes.length > 0,
    /** @returns {MeasuredServer[]} */
    chosen() {
      if (boxes.length === 0) return [{ name: 'The server', url: siteUrl }];
      return boxes
        .filter(({ checked, disabled }) => checked && !disabled)
        .map((box) => ({ name: String(box.dataset.name), url: urlOf(box) }));
    },
    /** @returns {boolean} whether a run goes to the page's own server, and to no other */
    isOwnAlone() {
      const [first, ...others] = this.chosen();
      return first?.url === siteUrl && others.length === 0;
    },
    /** @param {MeasuredServer} server @param {string} reason */
    leaveOut({ url }, reason) {
      for (const box of boxes.filter((one) => urlOf(one) === url)) {
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
const urlOf = ({ value }) => value || siteUrl;

/** @param {string} url @returns {string} why a browser forbids the combination; empty if it does not */
function reasonAgainst(url) {
  const { protocol, hostname } = new URL(url);
  // A page over TLS may connect to the visitor's own machine without TLS:
  // https://w3c.github.io/webappsec-secure-contexts/#localhost
  const isLocal = hostname === 'localhost' || hostname.startsWith('127.') || hostname === '[::1]';
  if (location.protocol !== 'https:' || protocol !== 'http:' || isLocal) return '';
  return 'browsers do not connect from an https page to a server without https';
}

/**
 * Mounts the choice between the results of several servers, with each one's verdict; there is none for the page's own
 * server alone.
 * @param {(index: number) => void} onChoose
 * @returns {(run: ShownRun) => void} shows them
 */
export function mountServerResults(onChoose) {
  const list = element('#server-results .choices');
  list.addEventListener('change', ({ target }) => onChoose(Number(/** @type {HTMLInputElement} */ (target).value)));
  return ({ documents, servers = [] }) => {
    // The page's heading is about its own server only.
    const isAlone = documents.length === 1 && servers[0]?.url === siteUrl;
    element('#server-results').hidden = isAlone;
    // Only the page's own server is asked for more than echoes.
    const echoes = isAlone ? [] : /** @type {readonly Result[]} */ (documents);
    list.replaceChildren(...echoes.map((result, index) => createChoice(servers[index].name, result, index)));
  };
}

/** @param {string} name of the server @param {Result} result @param {number} index */
function createChoice(name, result, index) {
  const { summary, report } = findingsOf(shootout, result);
  const { floorMs } = summary;
  // What was measured between two places says so in its headline.
  const distance = floorMs === undefined || summary.scope === 'path' ? '' : `, RTT ${formatRtt(floorMs)} ms`;
  const input = create('input', { type: 'radio', name: 'server-result', value: String(index) });
  input.checked = index === 0;
  return create('label', {}, input, ` ${name}${distance}: ${report.headline}`);
}

/**
 * @param {readonly MeasuredServer[]} servers @param {number} payloadBytes in each message
 * @param {AbortSignal} signal of a look that another one has made needless
 * @returns {Promise<{ roundTripsMs: number[], problems: { server: MeasuredServer, reason: string }[] }>} of those that
 *   answer; why others cannot be measured
 */
export async function probeServers(servers, payloadBytes, signal) {
  const roundTripsMs = [];
  const problems = [];
  for (const server of servers) {
    try {
      await reachServer(fetch, `${server.url}/status`, signal);
      roundTripsMs.push(await probe(createTransports({}, server.url).xhr, now, { payloadBytes, signal }));
    } catch (error) {
      const reason = describeError(error);
      problems.push({ server, reason: isElsewhere(server.url) ? await explainUnreached(server.url, reason) : reason });
    }
  }
  return { roundTripsMs, problems };
}
