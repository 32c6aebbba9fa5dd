/**
 * Measures messages per second of the page's loop, against a loop written by hand, in the same page of a real browser
 * and with the same server. As both share all processes, each pair is a block of its own.
 */
import { withOwnServer } from '../cli/program/child.js';
import { launchChromium } from '../cli/program/chromium.js';
import { measurePairs } from './pairs.js';
import { JQUERY, loadSource, SOCKETIO } from './source-in-page.js';

/**
 * @import { Page } from 'playwright-core'
 * @import { Progress } from '../core/net/echo/trial.js'
 * @import { Comparison, Options } from './pairs.js'
 * @typedef {<T>(path: string, measure: (page: Page) => Promise<T>) => Promise<T>} WithPage opens a page of the site for it
 */

/**
 * The browser has compiled both loops after some 10 pairs of 50 AJAX messages. At most as many pairs as are measured.
 */
const WARM_UP_PAIRS = 12;

/** The modules that the loops in the page import. */
const MODULES = [
  'core/net/echo/index.js',
  'core/experiment/run/run.js',
  'core/experiments/classic/measure.js',
  'core/base/statistics.js',
  'public/js/ui/progress.js',
  JQUERY,
  SOCKETIO,
];

/** The comparison of each transport: its name, its page, and enough iterations for about 0.1 s. */
const LOOPS = {
  ajax: { name: "AJAX: the page's loop / bare jQuery", path: '/ajaxtest', iterations: 50 },
  xhr: { name: "XHR: the page's loop / bare XMLHttpRequest", path: '/ajaxtest', iterations: 50 },
  sockjs: { name: "SockJS: the page's loop / bare sockjs-client", path: '/socktest', iterations: 400 },
  ws: { name: "WebSocket: the page's loop / bare WebSocket", path: '/socktest', iterations: 400 },
  'socketio-websocket': {
    name: "Socket.IO: the page's loop / bare socket.io-client",
    path: '/socktest',
    iterations: 400,
  },
};

/** @type {Comparison<Options & { withPage: WithPage }>[]} */
export const loopComparisons = Object.entries(LOOPS).map(([transportName, { name, path, iterations }]) => ({
  group: 'loop',
  name,
  unit: 'messages/s',
  limit: { atLeast: 0.95 },
  measure: ({ withPage, ...options }) =>
    withPage(path, async (page) => {
      const loop = { source: await loadSource(page, MODULES), transportName, iterations };
      const ours = () => page.evaluate(runOurs, loop);
      const baseline = () => page.evaluate(runBare, loop);
      await measurePairs({ pairCount: Math.min(WARM_UP_PAIRS, options.pairCount), ours, baseline });
      const pairs = await measurePairs({ ...options, ours, baseline });
      return pairs.map((pair) => [pair]);
    }),
}));

/**
 * Starts one site and one browser for all loops; each has a page of its own.
 * @template T @param {(withPage: WithPage) => Promise<T>} use @returns {Promise<T>}
 */
export const withPages = (use) =>
  withOwnServer(async (origin) => {
    const browser = await launchChromium();
    try {
      return await use(async (path, measure) => {
        const context = await browser.newContext();
        const page = await context.newPage();
        await page.goto(origin + path);
        return measure(page).finally(() => context.close());
      });
    } finally {
      await browser.close();
    }
  });

/**
 * These functions are sent to the browser as text, so they use nothing from this file; `source` is the path of the
 * project's files. They return messages per second, (N - 1) / (last answer - first answer), without the connection
 * setup.
 *
 * @typedef {(options: { source: string, transportName: string, iterations: number }) => Promise<number>} Loop
 */

/** Runs the page's loop like its Start button, with the signal of Cancel and with the progress bar. @type {Loop} */
async function runOurs({ source, transportName, iterations }) {
  const { createTransport, transports } = await import(`${source}core/net/echo/index.js`);
  const { runExperiment } = await import(`${source}core/experiment/run/run.js`);
  const { measurement } = await import(`${source}core/experiments/classic/measure.js`);
  const { summarize } = await import(`${source}core/base/statistics.js`);
  const { createRunProgress } = await import(`${source}public/js/ui/progress.js`);
  const { default: $ } = await import(`${source}node_modules/jquery/dist-module/jquery.module.min.js`);

  const { default: io } = await import(`${source}node_modules/socket.io-client/dist/socket.io.esm.min.js`);

  const { endpoint } = transports[transportName];
  const library = { ajax: $, sockjs: window.SockJS, 'socketio-websocket': io }[transportName];
  const transport = createTransport(transportName, { library, url: new URL(endpoint, location.href).href });
  const now = () => performance.now();
  const { signal } = new AbortController();
  const progress = createRunProgress();
  const run = await runExperiment(measurement, {
    plan: { iterations: [iterations] },
    transport,
    now,
    clickedAtMs: now(),
    signal,
    /** @param {unknown} _planned @param {Progress} counter */
    onTrialStart(_planned, counter) {
      progress.followTrial({
        trialCount: 1,
        lookMs: 500,
        hasTimeLeft: false,
        share: () => counter.completedCount / iterations,
        words: () => `${counter.completedCount} of ${iterations}`,
      });
    },
  });
  progress.stop();
  const [{ trial }] = run.trials;
  if (trial.failures.length > 0) throw new Error(trial.failures[0].message);
  return summarize(trial).messagesPerSecond;
}

/**
 * Runs a loop written by hand: without checks, and the clock is read only at the first and the last answer.
 * @type {Loop}
 */
async function runBare({ source, transportName, iterations }) {
  const { default: $ } = await import(`${source}node_modules/jquery/dist-module/jquery.module.min.js`);
  const { default: io } = await import(`${source}node_modules/socket.io-client/dist/socket.io.esm.min.js`);
  return new Promise((resolve) => {
    let firstAtMs = 0;
    let answerCount = 0;
    // A browser opens some 250 WebSockets, and lets the others wait.
    let close = () => {};

    /** @type {(answer: { count: number }) => void} */
    function receive(answer) {
      answerCount++;
      if (answerCount === 1) firstAtMs = performance.now();
      if (answerCount < iterations) {
        send(answer);
      } else {
        resolve(((iterations - 1) / (performance.now() - firstAtMs)) * 1000);
        close();
      }
    }

    /** @param {WebSocket} socket @returns {(message: { count: number }) => void} */
    const bySocket = (socket) => {
      close = () => socket.close();
      socket.onmessage = ({ data }) => receive(JSON.parse(data));
      socket.onopen = () => send({ count: 0 });
      return (message) => socket.send(JSON.stringify(message));
    };
    /** @type {Record<string, () => (message: { count: number }) => void>} */
    const senders = {
      ajax: () => (message) => $.getJSON('/ajaxecho', message, receive),
      xhr: () => (message) => {
        const request = new XMLHttpRequest();
        request.onload = () => receive(JSON.parse(request.responseText));
        request.open('GET', `/ajaxecho?count=${message.count}`);
        request.send();
      },
      sockjs: () => bySocket(new window.SockJS('/echo')),
      ws: () => bySocket(new WebSocket(`ws://${location.host}/ws/echo`)),
      'socketio-websocket'() {
        const socket = io({ transports: ['websocket'] });
        close = () => socket.close();
        socket.on('message', receive);
        socket.on('connect', () => send({ count: 0 }));
        return (message) => socket.emit('message', message);
      },
    };
    const send = senders[transportName]();
    if (transportName === 'ajax' || transportName === 'xhr') send({ count: 0 });
  });
}
