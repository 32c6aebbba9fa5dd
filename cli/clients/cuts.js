/** Creates the connections of a run of cuts in Node.js, which has no EventSource: its reconnection is as in browsers. */
import { packagesFor } from '../../core/experiment/plan/packages.js';
import { cuts } from '../../core/experiments/cuts/index.js';
import { watchSecondsFor } from '../../core/experiments/cuts/plan.js';
import { createJobClients } from '../net/job-client.js';
import { loadLibrary } from '../net/transports.js';
import { RunError } from '../program/program.js';
import { client as echo } from './echo.js';

/**
 * @import { JobClient } from '../../core/net/delivery/index.js'
 * @import { LinkCut } from '../../core/experiments/cuts/measure.js'
 * @import { FeedClient } from '../../core/net/feed/index.js'
 * @import { NodeClient } from './index.js'
 * @typedef {'cut' | 'whole' | 'forgot'} LinkState as the lab says it: `whole` again, or without the connections that it had, for
 *   good
 */

const SOCKETIO = 'socket.io-client';
/** As Chromium waits: https://source.chromium.org/chromium/chromium/src/+/main:third_party/blink/renderer/modules/eventsource/event_source.cc */
const RECONNECT_MS = 3000;

/** @type {NodeClient} */
export const client = {
  ...echo,
  async prepareRun({ baseUrl, plan }) {
    const packages = packagesFor(cuts, plan);
    const createClient = await createJobClients(baseUrl, packages);
    const io = packages.includes(SOCKETIO) ? await loadLibrary(SOCKETIO) : undefined;
    return {
      /** @returns {FeedClient} */
      createClient() {
        const own = createClient();
        return { ...own, baseUrl, io, followEvents: (path, followed) => followEvents(own, path, followed) };
      },
      ...(process.send && { cutLink }),
    };
  },
  linkCut: {
    fields: ['cuts', 'watch'],
    argsFor(plan, cut) {
      const lastsMs = cut === 'forget' ? undefined : cut;
      return ['--cuts', 'watch', ...(plan ? ['--watch', String(watchSecondsFor(plan, lastsMs))] : [])];
    },
  },
};

/**
 * Has the lab, which started this program, cut the link; it answers when it has, and when the link is whole again.
 * @returns {Promise<LinkCut>} readings of the run's clock
 */
function cutLink() {
  return new Promise((resolve, reject) => {
    let fromMs = NaN;
    const onMessage = (/** @type {LinkState} */ state) => {
      const nowMs = performance.now();
      if (state === 'cut') fromMs = nowMs;
      else end(() => resolve(state === 'whole' ? { fromMs, toMs: nowMs } : { fromMs: nowMs }));
    };
    const onDisconnect = () => end(() => reject(new RunError('The lab could not cut the link.')));
    const end = (/** @type {() => void} */ settle) => {
      process.off('message', onMessage);
      process.off('disconnect', onDisconnect);
      settle();
    };
    process.on('message', onMessage);
    process.on('disconnect', onDisconnect);
    // A run that was stopped ends also while the link is cut.
    process.channel?.unref();
    process.send?.('cut');
  });
}

/**
 * @param {JobClient} client @param {string} path @param {Parameters<FeedClient['followEvents']>[1]} followed
 * @returns {() => void} ends it
 */
function followEvents(client, path, followed) {
  /** @type {number | undefined} */
  let next;
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  let giveUp = () => {};
  const open = () => {
    const stream = client.openSocket('event-stream', next === undefined ? path : `${path}?since=${next}`);
    let isOpen = false;
    stream.onmessage = ({ data }) => {
      if (!isOpen) followed.onOpen(client.protocol());
      isOpen = true;
      next = Math.max(next ?? 0, followed.onMessage(data) + 1);
    };
    stream.onclose = ({ reason }) => {
      followed.onLost(reason);
      timer = setTimeout(open, RECONNECT_MS);
    };
    giveUp = () => stream.close();
  };
  open();
  return () => {
    clearTimeout(timer);
    giveUp();
  };
}
