/** The form of the home page, with the servers that it offers: a run goes to those that answer. */
import { packagesFor } from '../../../core/experiment/plan/packages.js';
import { withoutComparison as shootout } from '../../../core/experiments/shootout/index.js';
import { formatSpan } from '../../../core/base/format.js';
import { SITUATION_FIELDS } from '../../../core/experiment/plan/situation.js';
import { create, element, inputs } from '../base/page.js';
import { createPlanForm } from '../ui/home/plan-form.js';
import { createServerChoice, probeServers } from '../ui/home/servers.js';
import { isOfRecording } from '../ui/recording/kept-recording.js';
import { at } from '../site-url.js';

/** @import { FormPlace, TestForm } from '../test-page.js' */

const NO_SERVER = 'Servers: expected at least one, got none';

/** Says beside the form that a recording has filled it in. */
function nameOrigin() {
  if (!isOfRecording()) return;
  const intervalMs = Number(new URLSearchParams(location.search).get(SITUATION_FIELDS.intervalMs.parameter));
  const link = create('a', { href: at('/yourpage') }, 'your recording');
  element('.offer').replaceChildren('From ', link, `: polls every ${formatSpan(intervalMs)}.`);
}

/** Creates the form of the home page. @param {FormPlace} place @returns {TestForm} */
export function createHomeForm({ onStart, state, sayProblem }) {
  const serverChoice = createServerChoice(() => probe(payloadBytes));
  /** Whether a run was started, or requested. */
  let isWanted = false;
  const form = createPlanForm({
    onStart(plan) {
      const servers = serverChoice.chosen();
      if (servers.length === 0) {
        const [box] = inputs('[name=server]');
        form.say(NO_SERVER, box);
        box?.focus();
        return;
      }
      isWanted = true;
      onStart({ ...plan, servers, roundTripMs });
    },
    onPayload: (bytes) => probe(bytes),
  });
  let { payloadBytes } = form;
  /** Over HTTP, to the farthest server. */
  let roundTripMs = 0;
  let probing = new AbortController();

  /**
   * Measures the round-trip time to the servers: a run that starts before the end waits for that. A server that does not
   * answer is left out.
   * @param {number} bytes of payload in each message @returns {Promise<boolean>} whether there is a server to measure
   */
  async function probe(bytes) {
    probing.abort();
    probing = new AbortController();
    const { signal } = probing;
    payloadBytes = bytes;
    form.forgetRoundTrips(true);
    const { roundTripsMs, problems } = await probeServers(serverChoice.chosen(), payloadBytes, signal);
    // The choice has changed since.
    if (signal.aborted) return false;
    for (const { server, reason } of problems) serverChoice.leaveOut(server, reason);
    const isThere = roundTripsMs.length > 0;
    roundTripMs = Math.max(0, ...roundTripsMs);
    const isNamed = serverChoice.isOffered;
    const words = problems.map(({ server, reason }) => (isNamed ? `${server.name}: ${reason}` : reason)).join(' ');
    if (state() !== 'running') form.setEnabled(isThere || isNamed);
    if (isThere) form.setRoundTrips(roundTripsMs, serverChoice.isOwnAlone());
    else isWanted = form.forgetRoundTrips(false) || isWanted;
    if (words && !isThere) sayProblem(words);
    else if (words || !isThere) form.say(words || NO_SERVER, inputs('[name=server]')[0]);
    return isThere;
  }

  form.forgetRoundTrips(true);
  nameOrigin();
  return {
    ...form,
    packages: () => packagesFor(shootout, { transports: form.transports() }),
    probe: () => probe(payloadBytes),
    /** Probes the servers again, and then starts a run that was requested before. */
    async retry() {
      const isThere = await probe(payloadBytes);
      if (isThere && isWanted && state() !== 'running') form.submit();
    },
    onState(now) {
      element('#beside').hidden = now === 'running';
      element('.running').hidden = now !== 'running';
    },
  };
}
