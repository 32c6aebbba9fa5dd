/** Exposes a worker's metrics to Prometheus. Echoes only increment numbers; everything else happens on a scrape. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';

const PREFIX = 'sockshootout_';

/** Counts something by a label. @extends {Map<string, number>} */
class Counts extends Map {
  /** @param {string} key @param {number} [change] */
  add(key, change = 1) {
    this.set(key, (this.get(key) ?? 0) + change);
  }

  total() {
    return [...this.values()].reduce((sum, count) => sum + count, 0);
  }
}

export class Metrics {
  registry = new Registry();
  #echoes = this.#expose(Counter, 'echoes_total', 'transport', 'Echoes answered');
  #sessions = this.#expose(Counter, 'sessions_total', 'transport', 'Sessions opened');
  #errors = this.#expose(Counter, 'errors_total', 'code', 'Requests and messages refused or failed');
  #jobs = this.#expose(Counter, 'jobs_total', 'transport', 'Jobs made');
  #feeds = this.#expose(Counter, 'feeds_total', 'cut', 'Feeds made, by their cut');
  #streams = this.#expose(Counter, 'streams_total', 'transport', 'Streams begun or resumed');
  #openSessions = this.#expose(Gauge, 'sessions_open', 'transport', 'Sessions open now');
  #requests = this.#expose(Counter, 'requests_total', 'status', 'Requests for pages, assets and the like (not echoes)');
  #socketEchoCount = 0;

  /** @param {{ worker: number }} options every figure carries the worker's number */
  constructor({ worker }) {
    this.registry.setDefaultLabels({ worker: String(worker) });
    // These include the event loop's lag, the memory and the CPU time of the process.
    collectDefaultMetrics({ register: this.registry });
  }

  totals() {
    return { openSessions: this.#openSessions.total(), echoCount: this.#echoes.total() };
  }

  /** @returns {number} echoes and pongs so far, over sockets alone */
  socketEchoCount() {
    return this.#socketEchoCount;
  }

  /** @param {string} transport */
  jobMade = (transport) => this.#jobs.add(transport);
  /** @param {string} cut */
  feedMade = (cut) => this.#feeds.add(cut);
  /** @param {string} transport */
  streamMade = (transport) => this.#streams.add(transport);
  /** @param {string} code of the error */
  refused = (code) => this.#errors.add(code);
  /** @param {number} status */
  requestAnswered = (status) => this.#requests.add(String(status));

  /** @param {string} transport @param {string} [code] of the error, where it was answered with one */
  echoAnswered(transport, code) {
    this.#echoes.add(transport);
    if (code !== undefined) this.#errors.add(code);
  }

  /**
   * Counts an echo over a WebSocket or in a SockJS session.
   * @param {string} transport @param {string} [code] as above
   */
  socketEchoAnswered(transport, code) {
    this.#socketEchoCount++;
    this.echoAnswered(transport, code);
  }

  /** @param {string} transport */
  sessionOpened(transport) {
    this.#sessions.add(transport);
    this.#openSessions.add(transport);
  }

  /** @param {string} transport */
  sessionClosed = (transport) => this.#openSessions.add(transport, -1);

  pingAnswered = () => void this.#socketEchoCount++;

  /** @param {() => number} totalBytes */
  watchPayload(totalBytes) {
    const help = 'Bytes of payload and news in flight: being received, waiting for an answer, or being sent';
    this.#watch('payload_bytes_in_flight', help, totalBytes);
  }

  /** @param {() => number} waitingCount */
  watchWaits(waitingCount) {
    this.#watch('jobs_waiting', 'Jobs that clients wait for, once for each wait', waitingCount);
  }

  /** @param {string} name @param {string} help @param {() => number} read */
  #watch(name, help, read) {
    /** @type {Gauge} */
    const gauge = new Gauge({
      name: PREFIX + name,
      help,
      registers: [this.registry],
      collect: () => gauge.set(read()),
    });
  }

  /** @param {typeof Counter | typeof Gauge} Metric @param {string} name @param {string} label @param {string} what */
  #expose(Metric, name, label, what) {
    const counts = new Counts();
    const metric = new Metric({
      name: PREFIX + name,
      help: `${what}, by ${label}`,
      labelNames: [label],
      registers: [this.registry],
      collect() {
        metric.reset();
        for (const [value, count] of counts) metric.inc({ [label]: value }, count);
      },
    });
    return counts;
  }
}

export const TICK_MS = 10;

/**
 * Measures the lag of the event loop: counts ticks, each due 10 ms after the last, and sums how late they are. A
 * blocked loop misses ticks, which count as one with a long lag. An idle loop reads about 0.1 ms.
 */
export function createEventLoopLag() {
  const ticks = monitorEventLoopDelay({ resolution: TICK_MS });
  ticks.enable();
  return () => lagOf(ticks);
}

/** @param {{ count: number, mean: number }} ticks `mean`: the whole time from tick to tick, in ns; NaN before the first */
export function lagOf({ count, mean }) {
  // The first ticks after a start may be early, together: that is no lag.
  const lagTotalMs = count === 0 ? 0 : Math.max(0, (mean / 1e6 - TICK_MS) * count);
  return { lagCount: count, lagTotalMs: Math.round(lagTotalMs * 1000) / 1000 };
}
