/**
 * The loops that run in a page. Each function is sent to the browser as its text, so it uses nothing from this file.
 *
 * All give messages per second by the same rule, (N - 1) / (last answer - first answer): without the connection.
 */

/** @import { Progress } from '../core/net/echo/trial.js' */

/**
 * The page's own loop, as its Start button runs it: with the signal of Cancel and with the progress bar.
 *
 * @param {{ source: string, transportName: string, iterations: number }} options `source` is the path that
 *   the project's files are below
 * @returns {Promise<number>} messages per second
 */
export async function runOurs({ source, transportName, iterations }) {
  const { transports } = await import(`${source}core/net/echo/index.js`);
  const { runExperiment } = await import(`${source}core/experiment/run.js`);
  const { measurement } = await import(`${source}core/experiments/classic/measure.js`);
  const { summarize } = await import(`${source}core/base/statistics/summary.js`);
  const { createProgressBar } = await import(`${source}public/js/ui/progress.js`);
  const { default: $ } = await import(`${source}node_modules/jquery/dist-module/jquery.module.min.js`);

  const { create, endpoint } = transports[transportName];
  const library = { ajax: $, sockjs: window.SockJS }[transportName];
  const transport = create({ library, url: new URL(endpoint, location.href).href });
  const now = () => performance.now();
  const { signal } = new AbortController();
  let unfollow = () => {};
  const run = await runExperiment(measurement, {
    plan: { iterations: [iterations] },
    transport,
    now,
    clickedAtMs: now(),
    signal,
    /** @param {unknown} _planned @param {Progress} progress */
    onTrialStart(_planned, progress) {
      unfollow = createProgressBar().follow(progress, iterations);
    },
  });
  unfollow();
  const [{ trial }] = run.trials;
  if (trial.failures.length > 0) throw new Error(trial.failures[0].message);
  return summarize(trial).messagesPerSecond;
}

/**
 * What one would write by hand: no check, no clock but for the first and the last answer.
 *
 * @param {{ source: string, transportName: string, iterations: number }} options
 * @returns {Promise<number>} messages per second
 */
export async function runBare({ source, transportName, iterations }) {
  const { default: $ } = await import(`${source}node_modules/jquery/dist-module/jquery.module.min.js`);
  return new Promise((resolve) => {
    let firstAtMs = 0;
    let answerCount = 0;

    /** @type {(answer: { count: number }) => void} */
    function receive(answer) {
      answerCount++;
      if (answerCount === 1) firstAtMs = performance.now();
      if (answerCount < iterations) send(answer);
      else resolve(((iterations - 1) / (performance.now() - firstAtMs)) * 1000);
    }

    /** @type {(message: { count: number }) => void} */
    let send = (message) => $.getJSON('/ajaxecho', message, receive);
    if (transportName === 'xhr') {
      send = ({ count }) => {
        const request = new XMLHttpRequest();
        request.onload = () => receive(JSON.parse(request.responseText));
        request.open('GET', `/ajaxecho?count=${count}`);
        request.send();
      };
    }
    if (transportName === 'ajax' || transportName === 'xhr') {
      send({ count: 0 });
      return;
    }
    const socket =
      transportName === 'sockjs' ? new window.SockJS('/echo') : new WebSocket(`ws://${location.host}/echo/websocket`);
    send = (message) => socket.send(JSON.stringify(message));
    socket.onmessage = ({ data }) => receive(JSON.parse(data));
    socket.onopen = () => send({ count: 0 });
  });
}
