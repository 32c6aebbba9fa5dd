/**
 * `npm run bench:cluster`: requests per second of one process against one per CPU, with the load of 2019's README:
 * 10,000 requests over 100 connections.
 *
 * Both run under pm2 at the same time, and are asked in turn; the one that is not asked costs nothing. The load comes
 * from this machine, so it takes a CPU from the servers: on few CPUs the ratio is far below the number of workers.
 */
import os from 'node:os';
import { withPm2 } from '../test/support/pm2.js';
import { burst, closeAll, openHttp } from './connections.js';
import { createProgress, runBench } from './options.js';
import { formatInterval, judge, measurePairs, medianOf, MIN_VALUES } from './pairs.js';
/** @import { Pair } from './pairs.js' */

const REQUESTS = 10_000;
const CONNECTIONS = 100;
const DEFAULT_PAIRS = 12;
const WARM_UP_ROUNDS = 2;

const HELP = `usage: npm run bench:cluster -- [--pairs N] [--json]

Starts the site twice under pm2: as one process, and as one process per CPU. Sends ${REQUESTS} requests over ${CONNECTIONS}
connections to each in turn, and prints the ratio of requests per second with its interval.

  --pairs N  how many times, 1 to 1000; default: ${DEFAULT_PAIRS}; fewer than ${MIN_VALUES} give no interval
  --json     print every pair instead of the table
`;

/** @param {number} port */
async function measureRate(port) {
  const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => openHttp(port)));
  try {
    const startedAtMs = performance.now();
    await burst(connections, REQUESTS);
    return (REQUESTS / (performance.now() - startedAtMs)) * 1000;
  } finally {
    closeAll(connections);
  }
}

/** @param {Pair[]} pairs @param {number} workers */
function summarize(pairs, workers) {
  return {
    workers,
    cpus: os.availableParallelism(),
    pairs: pairs.length,
    oneProcessPerSecond: medianOf(pairs.map(({ baseline }) => baseline)),
    clusterPerSecond: medianOf(pairs.map(({ ours }) => ours)),
    // Each pair is a block of its own, as all of them meet the same processes.
    ratio: judge(pairs.map((pair) => [pair])),
    samples: pairs,
  };
}

/** @param {ReturnType<typeof summarize>} summary */
function format({ workers, cpus, pairs, oneProcessPerSecond, clusterPerSecond, ratio }) {
  const { medianRatio, interval } = ratio;
  return `${REQUESTS} requests over ${CONNECTIONS} connections, load from the same machine of ${cpus} CPUs, ${pairs} pairs
one process:   ${oneProcessPerSecond.toFixed(0)} requests/second (median)
${workers} processes:   ${clusterPerSecond.toFixed(0)} requests/second (median)
ratio:         ${medianRatio.toFixed(2)} (interval of the median: ${formatInterval(interval)})
`;
}

/** @param {{ pairs: number, json: boolean }} options */
async function bench({ pairs: pairCount, json }) {
  const workers = os.availableParallelism();
  const env = { LOG_LEVEL: 'silent' };
  await withPm2({ workers: 1, env }, (one) =>
    withPm2({ workers, env }, async (cluster) => {
      const onPair = createProgress(pairCount);
      const measures = { ours: () => measureRate(cluster.port), baseline: () => measureRate(one.port) };
      await measurePairs({ pairCount: WARM_UP_ROUNDS, ...measures });
      const pairs = await measurePairs({ pairCount, ...measures, onPair: () => onPair('pairs') });
      const summary = summarize(pairs, workers);
      process.stdout.write(json ? `${JSON.stringify(summary, null, 1)}\n` : format(summary));
    }),
  );
  return true;
}

await runBench({ help: HELP, numbers: { pairs: { max: 1000, default: DEFAULT_PAIRS } }, bench });
