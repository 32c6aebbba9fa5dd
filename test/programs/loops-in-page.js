/**
 * Runs in the page: our trials and loops as one would write them by hand, in turn.
 */
import { quantile } from '../../core/base/statistics.js';
import { measureStepMs } from '../../core/base/clock.js';
import { runExperiment } from '../../core/experiment/run/run.js';
import { shootout } from '../../core/experiments/shootout/index.js';
import { createTransport, transports } from '../../core/net/echo/index.js';

/**
 * @import { Ending } from '../../core/experiment/contract.js'
 * @import { Plan } from '../../core/experiments/shootout/plan.js'
 * @import { RunTrial } from '../../core/net/echo/trial.js'
 */

const now = () => performance.now();

/** @typedef {{ name: string, jquery: JQueryStatic, plan: Plan }} Options */

/** @type {Record<string, (options: Options) => Promise<number[]>>} the round trips, in ms, the warm-up's included */
const BARE_LOOPS = {
  ajax: async ({ jquery: $, plan }) => {
    const roundTripMs = [];
    for (let count = 0; count < plan.warmUpCount + plan.iterations; count++) {
      const sentAtMs = now();
      await new Promise((resolve, reject) => $.getJSON('/ajaxecho', { count }, resolve).fail(reject));
      roundTripMs.push(now() - sentAtMs);
    }
    return roundTripMs;
  },
  ws: ({ plan }) => loopBySocket(new WebSocket(`ws://${location.host}/ws/echo`), plan),
  sockjs: ({ plan }) => loopBySocket(new window.SockJS('/echo'), plan),
};

/**
 * @param {WebSocket} socket or one of SockJS's
 * @param {Plan} plan
 * @returns {Promise<number[]>}
 */
function loopBySocket(socket, { warmUpCount, iterations }) {
  return new Promise((resolve, reject) => {
    /** @type {number[]} */
    const roundTripMs = [];
    let sentAtMs = 0;
    const send = () => {
      sentAtMs = now();
      socket.send(JSON.stringify({ count: roundTripMs.length }));
    };
    socket.onopen = send;
    socket.onclose = reject;
    socket.onmessage = () => {
      roundTripMs.push(now() - sentAtMs);
      if (roundTripMs.length < warmUpCount + iterations) return send();
      socket.onclose = null;
      socket.close();
      resolve(roundTripMs);
    };
  });
}

/**
 * A run of one transport under two names, each with a delay that the server is told of before each trial; after each
 * trial a bare loop of the same kind meets the same delay.
 *
 * @param {Omit<Options, 'jquery'>} options
 * @returns {Promise<{ trials: RunTrial[], ending?: Ending, bareMedianMs: number[], delaysMs: number[][], stepMs: number
 *   }>} `bareMedianMs` and `delaysMs`, those of the server's answers, are in the order of the trials
 */
export async function measureInTurn({ name, plan }) {
  const source = new URL('../../', import.meta.url).href;
  const { default: jquery } = await import(`${source}node_modules/jquery/dist-module/jquery.module.min.js`);
  const { endpoint } = transports[name];
  const library = { ajax: jquery, sockjs: window.SockJS }[name];
  const { setDelay, takeDelays } = /** @type {any} */ (window);
  /** @param {string} alias */
  const delayed = (alias) => {
    const transport = createTransport(name, { library, url: location.origin + endpoint });
    return {
      ...transport,
      name: alias,
      /** @param {{ signal?: AbortSignal }} options */
      async connect(options) {
        await setDelay(alias);
        return transport.connect(options);
      },
    };
  };
  /** @type {number[]} */
  const bareMedianMs = [];
  /** @type {number[][]} */
  const delaysMs = [];
  // Those of the connections that the run before opened after its trials.
  await takeDelays();
  const { trials, ending } = await runExperiment(shootout, {
    plan,
    transports: Object.fromEntries(plan.transports.map((alias) => [alias, delayed(alias)])),
    now,
    async onTrialEnd() {
      delaysMs.push(await takeDelays());
      const roundTripMs = (await BARE_LOOPS[name]({ name, jquery, plan })).slice(plan.warmUpCount);
      bareMedianMs.push(
        /** @type {number} */ (
          quantile(
            roundTripMs.sort((a, b) => a - b),
            0.5,
          )
        ),
      );
      await takeDelays();
    },
  });
  return { trials, ending, bareMedianMs, delaysMs, stepMs: measureStepMs(now) ?? 0 };
}
