/**
 * The test suites: which files, what they need, how many at a time.
 */
import { availableParallelism } from 'node:os';

/**
 * @typedef {object} Suite
 * @property {string} command by which a person runs it
 * @property {readonly string[]} folders every *.test.js below them
 * @property {readonly string[]} [except] but not below these
 * @property {readonly string[]} parts what it needs, by the names of parts.js
 * @property {number} workers how many processes at a time
 * @property {number} [filesPerProcess] run in one process, one after the other, by default one: each process loads and compiles
 *   the site anew. There are at least as many processes as workers
 * @property {readonly string[]} [alone] run before all others, one after the other: files that any other work would disturb
 * @property {readonly string[]} [first] the files that take longest: started first, so that no worker is left with one at
 *   the end, each in a process of its own
 * @property {readonly string[]} [waiting] the files that wait, for most of their time: further workers run these
 * @property {number} [waitingWorkers] how many, by default one
 * @property {readonly string[]} [apart] files in whose network links come and go: each has one of its own, which needs root, as a
 *   browser beside them gives up what it loads
 * @property {boolean} [isFacts] what failed is never run again, as chance has no part in it
 * @property {number} [limitMs] of each file
 * @property {boolean} [hasBrowser] each worker has one Chromium and one site for all of its files
 */

const CORES = availableParallelism();

/** A deployment takes five minutes where nothing else is done; what a busy machine spoils over a link is measured again. */
const LONG_MS = 20 * 60_000;

const LINK_PARTS = ['packages', 'root', 'chromium', 'ip', 'ping', 'python', 'nginx', 'openssl'];

/** @type {Record<string, Suite>} */
export const SUITES = {
  quick: {
    command: 'npm test',
    folders: ['test'],
    except: ['test/browser', 'test/engines', 'test/soak'],
    parts: ['packages', 'chromium'],
    workers: CORES,
    filesPerProcess: Infinity,
    isFacts: true,
    limitMs: 2 * 60_000,
    waiting: [
      'test/contract/channels.test.js',
      'test/contract/deliveries.test.js',
      'test/contract/frames.test.js',
      'test/contract/protocols.test.js',
      'test/contract/transfers.test.js',
      'test/contract/transports.test.js',
      // It computes, for as long as ten others: the processes end at the same time.
      'test/core/recording/har-file.test.js',
      'test/runner/suite.test.js',
      'test/scripts.test.js',
      'test/server/endpoints/feed.test.js',
      // For its browser.
      'test/smoke.test.js',
      'test/server/store-sqlite.test.js',
    ],
    // One of them alone took half as long again as all else.
    waitingWorkers: 2,
  },
  browser: {
    command: 'npm run test:browser',
    folders: ['test/browser'],
    parts: ['packages', 'chromium'],
    // More than half of the time a page waits. One worker more takes as long, and each page then waits for the others.
    workers: CORES + 3,
    hasBrowser: true,
    // From the longest to the shortest, each of more than 24 s.
    first: [
      'test/browser/looks.test.js',
      'test/browser/full-test.test.js',
      'test/browser/new-kind.test.js',
      'test/browser/reach.test.js',
      'test/browser/cli-browser.test.js',
      'test/browser/live-pictures.test.js',
      'test/browser/home-run.test.js',
      'test/browser/stream.test.js',
      'test/browser/contract.test.js',
      'test/browser/save.test.js',
      'test/browser/measures.test.js',
      'test/browser/requests.test.js',
      'test/browser/classic-pages.test.js',
      'test/browser/known-delay.test.js',
      'test/browser/inflight.test.js',
      'test/browser/payloadtest.test.js',
      'test/browser/other-tabs.test.js',
      'test/browser/field-cost.test.js',
      'test/browser/busy-page.test.js',
    ],
  },
  engines: {
    command: 'npm run test:engines',
    folders: ['test/engines'],
    parts: ['packages', 'chromium', 'firefox', 'webkit', 'xvfb'],
    workers: CORES + 2,
    // From the longest to the shortest, each of more than 20 s.
    first: [
      'test/engines/webkit.test.js',
      'test/engines/firefox.test.js',
      'test/engines/cuts.test.js',
      'test/engines/firefox-transports.test.js',
      'test/engines/firefox-runs.test.js',
      'test/engines/firefox-recording.test.js',
      'test/engines/webkit-runs.test.js',
    ],
  },
  soak: {
    command: 'npm run test:soak',
    folders: ['test/soak'],
    except: ['test/soak/fuzz', 'test/soak/weight'],
    parts: ['packages', 'chromium', 'postgres'],
    workers: CORES + 1,
    // As many as may be unsteady: a file that hangs also fails the files after it.
    filesPerProcess: 3,
    // From the longest to the shortest.
    first: [
      'test/soak/self-comparison.test.js',
      'test/soak/floods.test.js',
      'test/soak/start.test.js',
      'test/soak/lab-field-load.test.js',
      'test/soak/cli-run.test.js',
      'test/soak/benches.test.js',
      'test/soak/looks-news.test.js',
      'test/soak/package.test.js',
      'test/soak/advice.test.js',
      'test/soak/bundle.test.js',
    ],
    waiting: [
      'test/soak/reach-plain.test.js',
      'test/soak/serve-workers.test.js',
      'test/soak/pm2.test.js',
      'test/soak/sleep.test.js',
      'test/soak/status-pm2.test.js',
      'test/soak/endpoints/stream-sessions.test.js',
    ],
    waitingWorkers: 2,
  },
  // What attacks cost others, beside what they cost before: any other work would disturb that.
  weight: {
    command: 'npm run test:weight',
    folders: ['test/soak/weight'],
    parts: ['packages'],
    workers: 1,
  },
  // Apart from the soak suite, as a person repeats it to replay a seed. One at a time: what takes long in it is the same server's work.
  fuzz: {
    command: 'npm run test:fuzz',
    folders: ['test/soak/fuzz'],
    parts: ['packages'],
    workers: 1,
  },
  // These measure real time over links of one machine; what waits for links far away does not notice another one beside it.
  distance: {
    command: 'npm run test:distance',
    folders: ['distance'],
    except: ['distance/bounds'],
    parts: LINK_PARTS,
    workers: CORES + 1,
    limitMs: LONG_MS,
    // What waits for nothing, as it is no distance away, and what has hundreds of browsers.
    alone: ['distance/echo-floor.test.js', 'distance/ratio.test.js', 'distance/field.test.js'],
    first: ['distance/page-load.test.js'],
    // From the longest to the shortest.
    waiting: [
      'distance/emulated-links.test.js',
      'distance/news-size.test.js',
      'distance/predicted-gain.test.js',
      'distance/places.test.js',
      'distance/studies.test.js',
    ],
    waitingWorkers: 3,
    apart: ['distance/emulated-links.test.js', 'distance/studies.test.js'],
  },
  // By themselves, as their steps follow each other for minutes, and most of them wait: .ci/run has other suites beside them.
  wholeDeploy: {
    command: 'npm run test:whole-deploy',
    folders: ['deploy/test/whole'],
    parts: [
      ...['packages', 'root', 'chromium', 'postgres', 'ssh', 'mmdebstrap', 'wget', 'gpg', 'git', 'nginx', 'systemd'],
      ...['buildah', 'podman', 'runc'],
    ],
    workers: 1,
    first: ['deploy/test/whole/deploy.test.js'],
    limitMs: LONG_MS,
  },
  // What a link forbids holds however busy the machine is, so that is tested beside what waits for processes to start and end.
  deploy: {
    command: 'npm run test:deploy',
    folders: ['deploy/test', 'distance/bounds'],
    except: ['deploy/test/whole'],
    parts: [...LINK_PARTS, 'git', 'systemd', 'apache', 'haproxy', 'caddy'],
    workers: CORES + 1,
    limitMs: LONG_MS,
    first: ['deploy/test/reach.test.js', 'distance/bounds/under-load.test.js', 'deploy/test/nginx.test.js'],
    // From the longest to the shortest.
    waiting: [
      'distance/bounds/lab-forget.test.js',
      'distance/bounds/lab-run.test.js',
      'distance/bounds/payload.test.js',
      'distance/bounds/lab-cut.test.js',
      'deploy/test/proxies.test.js',
      'distance/bounds/example.test.js',
      'deploy/test/ecosystem.test.js',
      'deploy/test/cuts-reload.test.js',
      'distance/bounds/lab-open.test.js',
      'deploy/test/cuts.test.js',
      'deploy/test/reload.test.js',
    ],
    waitingWorkers: 3,
    apart: ['distance/bounds/lab-open.test.js', 'distance/bounds/link.test.js', 'distance/bounds/under-load.test.js'],
  },
};
