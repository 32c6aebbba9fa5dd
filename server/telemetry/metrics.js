/**
 * What Prometheus may ask of a worker. The echo paths only count on plain numbers; all else happens when it asks.
 */
import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';

const PREFIX = 'sockshootout_';

/** @typedef {ReturnType<typeof createMetrics>} Metrics */

/**
 * @param {{ worker: number }} options every figure carries the worker's number
 */
export function createMetrics({ worker }) {
  const registry = new Registry();
  registry.setDefaultLabels({ worker: String(worker) });
  // Among them the event loop's lag, the memory and the CPU time of the process.
  collectDefaultMetrics({ register: registry });

  const echoCounts = createCounts();
  const sessionCounts = createCounts();
  const openSessions = createCounts();
  const errorCounts = createCounts();
  const jobCounts = createCounts();
  let pingCount = 0;

  /** @type {(name: string, help: string, label: string, counts: Map<string, number>) => void} */
  const exposeCounter = (name, help, label, counts) => {
    const counter = new Counter({
      name: PREFIX + name,
      help,
      labelNames: [label],
      registers: [registry],
      collect() {
        counter.reset();
        for (const [value, count] of counts) counter.inc({ [label]: value }, count);
      },
    });
  };
  exposeCounter('echoes_total', 'Echoes answered, by transport', 'transport', echoCounts.counts);
  exposeCounter('sessions_total', 'Sessions opened, by transport', 'transport', sessionCounts.counts);
  exposeCounter('errors_total', 'Requests and messages refused or failed, by error code', 'code', errorCounts.counts);
  exposeCounter('jobs_total', 'Jobs made, by transport', 'transport', jobCounts.counts);
  const open = new Gauge({
    name: `${PREFIX}sessions_open`,
    help: 'Sessions open now, by transport',
    labelNames: ['transport'],
    registers: [registry],
    collect() {
      for (const [transport, count] of openSessions.counts) open.set({ transport }, count);
    },
  });
  const requests = new Counter({
    name: `${PREFIX}requests_total`,
    help: 'Requests for pages, assets and the like (not echoes), by status',
    labelNames: ['status'],
    registers: [registry],
  });

  return {
    registry,
    /** Sessions open now, and echoes answered so far, over all transports. */
    totals: () => ({ openSessions: openSessions.total(), echoCount: echoCounts.total() }),
    /** Echoes and pongs so far, over sockets alone. */
    socketEchoCount: () =>
      pingCount + echoCounts.total((transport) => transport === 'ws' || transport.startsWith('sockjs ')),
    /** @param {string} transport */
    jobMade: (transport) => jobCounts.add(transport, 1),
    pingAnswered() {
      pingCount++;
    },
    /** @param {string} transport @param {string} [code] of the error, where it was answered with one */
    echoAnswered(transport, code) {
      echoCounts.add(transport, 1);
      if (code !== undefined) errorCounts.add(code, 1);
    },
    /** @param {() => number} totalBytes */
    watchPayload(totalBytes) {
      /** @type {Gauge} */
      const inFlight = new Gauge({
        name: `${PREFIX}payload_bytes_in_flight`,
        help: 'Payload that is being received, waits for its answer or is being sent now',
        registers: [registry],
        collect() {
          inFlight.set(totalBytes());
        },
      });
    },
    /** @param {string} code */
    refused: (code) => errorCounts.add(code, 1),
    /** @param {string} transport */
    sessionOpened(transport) {
      sessionCounts.add(transport, 1);
      openSessions.add(transport, 1);
    },
    /** @param {string} transport */
    sessionClosed: (transport) => openSessions.add(transport, -1),
    /** @param {number} status */
    requestAnswered: (status) => requests.inc({ status: String(status) }),
  };
}

function createCounts() {
  /** @type {Map<string, number>} */
  const counts = new Map();
  return {
    counts,
    /** @param {string} key @param {number} change */
    add: (key, change) => counts.set(key, (counts.get(key) ?? 0) + change),
    /** @param {(key: string) => boolean} [isWanted] absent: all */
    total: (isWanted = () => true) => [...counts].reduce((sum, [key, count]) => (isWanted(key) ? sum + count : sum), 0),
  };
}
