/**
 * README's deployment as written: a bare Debian behind a real sshd, and a bare repository.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chown, copyFile, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { apps } from '../../../ecosystem.config.js';
import { findFreePorts } from '../../../cli/program/free-ports.js';
import { parseTarget } from '../../target.js';
import { createCheckout } from '../support/checkout.js';
import { openRemote } from '../support/remote.js';
import { askVersion, askWhoami, visitDuring } from '../support/visitor.js';

/**
 * @import { Server } from 'node:net'
 * @import { Checkout } from '../support/checkout.js'
 * @import { Remote } from '../support/remote.js'
 */

const execute = promisify(execFile);
const README = new URL('../../../README.md', import.meta.url);
const CONFIGURATION = new URL('../../../docs/configuration.md', import.meta.url);
/** For what hangs: nothing takes nearly as long. */
const COMMAND_LIMIT_MS = 300_000;
const BACK_LIMIT_MS = 300_000;
const WORKERS = 2;
const SECOND = '0.0.2-second';
/** Where old and new workers cannot serve side by side. */
const STOPS = /the site stops/;

const USER = 'sockshootout';
const SITE = '/srv/sockshootout';
const ORIGIN = '/srv/sockshootout.git';
const UNIT = `/etc/systemd/system/${USER}.service`;

/** All of README's, word for word; what it leaves to be edited by hand is edited below. */
const COMMANDS = {
  provision: 'ssh root@SERVER bash -s -- --authorized-key "\'$(cat ~/.ssh/id_ed25519.pub)\'" < deploy/provision.sh',
  describe: 'cp deploy/target.example.json deploy/target.json',
  setUp: 'npm run deploy:setup',
  edit: 'ssh sockshootout@SERVER',
  deploy: 'npm run deploy',
  revert: 'npm run deploy:revert',
};

/**
 * What the developer who runs this deploys otherwise.
 *
 * @param {NodeJS.ProcessEnv} env
 */
function withoutTarget(env) {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('DEPLOY_')));
}

/** @param {() => Promise<boolean>} holds */
async function waitUntil(holds) {
  const limit = AbortSignal.timeout(BACK_LIMIT_MS);
  while (!(await holds())) await sleep(100, undefined, { signal: limit });
}

describe('the settings of pm2', () => {
  it('are all that docs/configuration.md names, as a reload changes no others, but for WORKERS, which none must change', async () => {
    const names = [...(await readFile(CONFIGURATION, 'utf8')).matchAll(/^\| `([A-Z_]+)` /gm)].map(([, name]) => name);
    assert.ok(names.length > 0);
    const missing = names.filter((name) => !(name in apps[0].env));
    assert.deepEqual(missing, ['WORKERS']);
  });
});

describe('the target of a deployment', () => {
  const right = { host: 'example.org', repo: 'https://git.example.org/you/sockshootout.git' };

  it('has defaults for all but the host and the repository', () => {
    assert.deepEqual(parseTarget(right), {
      ...right,
      user: 'sockshootout',
      port: '22',
      key: '',
      path: '/srv/sockshootout',
      ref: 'origin/main',
    });
  });

  it('has its port as text, which is all that pm2 deploy reads', () => {
    assert.equal(parseTarget({ ...right, port: 2222 }).port, '2222');
  });

  for (const [name, text] of /** @type {const} */ ([
    ['host', 'example.org; reboot'],
    ['host', '-oProxyCommand=x'],
    ['host', 'localhost'],
    ['user', 'a b'],
    ['port', '65536'],
    ['key', "~/it's"],
    ['path', 'srv/site'],
    ['path', '/srv/$(id)'],
    ['ref', '--all'],
    ['ref', 'main'],
    ['ref', 'v1.0.0'],
    ['ref', 'refs/tags/v1.0.0'],
    ['repo', 'https://x/"y'],
  ])) {
    it(`refuses the ${name} ${text}`, () => {
      assert.throws(
        () => parseTarget({ ...right, [name]: text }),
        (/** @type {Error} */ { message }) =>
          message.startsWith(`DEPLOY_${name.toUpperCase()}, or ${name} in`) && message.endsWith(`got '${text}'`),
      );
    });
  }

  for (const ref of ['origin/main', 'origin/topic/one', 'tags/v1.0.0']) {
    it(`takes the ref ${ref}`, () => assert.equal(parseTarget({ ...right, ref }).ref, ref));
  }

  it('refuses a setting that there is not', () => {
    assert.throws(() => parseTarget({ ...right, hots: 'x' }), /^InvalidInputError: hots: expected .*\bhost, /);
  });
});

describe('a release that is tried', () => {
  const TRY = fileURLToPath(new URL('../../try-release.js', import.meta.url));
  /** @type {number} */
  let port;
  /** @type {string} */
  let dataDir;
  /** @type {Server} has the last worker's port */
  let holder;
  before(async () => {
    dataDir = await mkdtemp(path.join(os.tmpdir(), 'sockshootout-try-'));
    port = await findFreePorts(WORKERS + 1);
    holder = createServer().listen(port + WORKERS, '127.0.0.1');
    await once(holder, 'listening');
  });
  after(async () => {
    holder.close();
    await rm(dataDir, { recursive: true });
  });

  /** @param {string[]} held where what serves listens */
  const tryRelease = (...held) => {
    const env = { ...process.env, PORT: `${port}`, WORKERS: `${WORKERS}`, HOST: '127.0.0.1', DATA_DIR: dataDir };
    return execute(process.execPath, [TRY, ...held], { env });
  };

  it('with a port that another program has is refused', () =>
    assert.rejects(tryRelease(), (/** @type {any} */ { code, stderr }) => {
      assert.match(stderr, new RegExp(`^PORT: expected .* got .* EADDRINUSE: .*:${port + WORKERS}`));
      return code === 1;
    }));

  it('with a port that what serves has, and gives up, is not', async () => {
    await tryRelease(`127.0.0.1:${port + WORKERS}`);
  });
});

describe('a deployment', () => {
  /** @type {string} */
  let folder;
  /** @type {Remote} */
  let remote;
  /** @type {Checkout} */
  let checkout;
  /** @type {string} */
  let site;
  let port = 0;
  let host = '127.0.0.1';
  /** @type {string} */
  let origin;
  /** @type {string} */
  let firstVersion;
  /** @type {string} its owner and number */
  let dataFile;
  const localPm2Home = () => path.join(folder, 'local-pm2');
  const user = `sockshootout-test-${process.pid}`;

  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'sockshootout-deploy-'));
    remote = await openRemote(folder);
    checkout = await createCheckout(folder, path.join(remote.root, ORIGIN));
    // Quickly: that a bundle is compressed thoroughly is in test/soak/bundle.test.js.
    await checkout.publish('deploy/bundle.js', (text) => text.replaceAll('THOROUGH', 'FAST'));
    // git mistrusts a repository of somebody else's.
    await writeFile(path.join(remote.root, 'etc/gitconfig'), '[safe]\n\tdirectory = *\n');
    site = path.join(remote.root, SITE);
  });

  after(async () => {
    await remote?.close();
    await rm(folder, { recursive: true, force: true });
    // pm2 deploy's own log.
    await rm(`/tmp/pm2-deploy-${user}.log`, { force: true });
  });

  /**
   * @param {string} command
   * @param {{ expectFailure?: boolean }} [options]
   * @returns {Promise<string>} all that it said
   */
  async function run(command, { expectFailure = false } = {}) {
    const env = { ...withoutTarget(remote.localEnv), USER: user, PM2_HOME: localPm2Home() };
    const options = { cwd: checkout.folder, env, timeout: COMMAND_LIMIT_MS };
    const { error, said } = await new Promise((resolve) =>
      execFile('bash', ['-c', `{ ${command}\n} 2>&1`], options, (error, said) => resolve({ error, said })),
    );
    assert.equal(Boolean(error), expectFailure, `${command}: ${error?.message ?? 'it succeeded'}\n${said}`);
    return said;
  }

  /** @param {string} command on the server, as the user that the site belongs to */
  const runAsUser = (command) => remote.run(USER, command);
  /** @param {string} words */
  const pm2 = (words) => runAsUser(`${SITE}/pm2/node_modules/.bin/pm2 ${words}`);

  const settingsFile = () => path.join(site, 'shared/env');
  /**
   * @param {string} name
   * @param {string} [more] a line, which wins over those before it
   */
  async function writeSettings(name, more = '') {
    const settings = `PORT=${port}\nWORKERS=${WORKERS}\nHOST=${host}\nSERVER_NAME=${name}\n${more}\n`;
    await run(`${COMMANDS.edit} <<'EDIT'\ncat >${SITE}/shared/env <<'END'\n${settings}END\nEDIT`);
  }

  const listReleases = async () => (await readdir(path.join(site, 'releases'))).sort();
  const listDeploys = async () => (await readFile(path.join(site, '.deploys'), 'utf8')).trim().split('\n');
  const listPids = async () => (await pm2('pid sockshootout')).trim().split('\n').map(Number);

  /** @param {number} index of a worker, which has a port of its own */
  const originOf = (index) => `http://127.0.0.1:${port + 1 + index}`;
  /** @param {string} version */
  async function isServedBy(version) {
    const asked = Array.from({ length: WORKERS }, (_, index) => askVersion(originOf(index)).catch(String));
    return (await Promise.all(asked)).every((one) => one === version);
  }

  /**
   * Publishes changes that nothing is built from, and puts the release there as if it had been built. What the serving release
   * has built is used again: to build it once more would take most of a deployment's time.
   *
   * @param {Record<string, (text: string) => string>} changes by file
   */
  async function publishBuilt(changes) {
    let commit = '';
    for (const [file, change] of Object.entries(changes)) commit = await checkout.publish(file, change);
    // As links, which what is changed must not be.
    await runAsUser(`cp -al ${SITE}/live/. ${SITE}/releases/${commit}`);
    for (const file of Object.keys(changes)) {
      const built = path.join(site, 'releases', commit, file);
      const { uid, gid } = await stat(built);
      await rm(built);
      await copyFile(path.join(checkout.folder, file), built);
      await chown(built, uid, gid);
    }
  }

  /** @param {RegExp} reason */
  async function deployInVain(reason) {
    const pids = await listPids();
    let said = '';
    const counts = await visitDuring(origin, async () => (said = await run(COMMANDS.deploy, { expectFailure: true })));
    assert.match(said, reason);
    assert.match(said, /Not deployed: \w+\. \w+ is still live/);
    assert.deepEqual(Object.keys(counts), [SECOND]);
    assert.deepEqual(await listPids(), pids);
  }

  it('is described in README by the commands that are run here, and no others', async () => {
    const section = /^## Deploy.*?(?=^## )/ms.exec(await readFile(README, 'utf8'))?.[0] ?? '';
    const lines = [...section.matchAll(/^```sh\n(.*?)^```/gms)].flatMap(([, block]) => block.trim().split('\n'));
    assert.deepEqual(
      lines.map((line) => line.replace(/\s+#.*/, '')),
      Object.values(COMMANDS),
    );
  });

  it('begins with a bare server, which is made ready, Node.js included', async () => {
    await assert.rejects(remote.run('root', 'command -v node nginx git'));
    assert.match(await run(COMMANDS.provision), /^Ready: sockshootout owns \/srv\/sockshootout$/m);
    assert.equal((await runAsUser('node --version')).trim(), process.version);
    await remote.run('root', 'nginx -t 2>&1');
    assert.equal((await remote.run('root', `systemctl is-enabled ${USER}`)).trim(), 'enabled');
  });

  it('may make it ready again, which changes nothing', async () => {
    assert.equal(await run(COMMANDS.provision), 'Ready: sockshootout owns /srv/sockshootout\n');
  });

  it('may have other keys, even in a file without an end of its last line', async () => {
    const keys = `/home/${USER}/.ssh/authorized_keys`;
    await remote.run('root', `printf 'ssh-ed25519 AAAA another' >${keys}`);
    await run(COMMANDS.provision);
    assert.match(await runAsUser(`cat ${keys}`), /^ssh-ed25519 AAAA another\nssh-ed25519 .*\n$/);
  });

  it('says what is missing before it goes anywhere', async () => {
    const said = await run(COMMANDS.setUp, { expectFailure: true });
    assert.match(said, /DEPLOY_HOST\b.*: expected .*; got nothing/);
  });

  it('is set up', async () => {
    await run(COMMANDS.describe);
    const target = path.join(checkout.folder, 'deploy/target.json');
    const edited = {
      ...JSON.parse(await readFile(target, 'utf8')),
      ...remote.target,
      repo: ORIGIN,
    };
    await writeFile(target, JSON.stringify(edited));

    await run(COMMANDS.setUp);

    port = await findFreePorts(WORKERS + 1);
    origin = `http://127.0.0.1:${port}`;
    assert.match(await readFile(settingsFile(), 'utf8'), /^PORT=8000$/m);
    await writeSettings('first');
  });

  it('brings the site up', async () => {
    await run(COMMANDS.deploy);
    assert.equal((await fetch(`${origin}/healthz`)).status, 200);
    assert.equal((await askWhoami(origin)).server, 'first');
    firstVersion = await askVersion(origin);
    const workers = JSON.parse(await pm2('jlist'));
    assert.deepEqual(
      workers.map((/** @type {any} */ { pm2_env }) => [pm2_env.status, pm2_env.WORKERS]),
      Array(WORKERS).fill(['online', String(WORKERS)]),
    );
  });

  it('keeps its data outside the releases, for the user that the site belongs to', async () => {
    dataFile = (await runAsUser(`stat --format '%U %i' ${SITE}/data/saved-runs.db`)).trim();
    assert.match(dataFile, new RegExp(`^${USER} \\d+$`));
    assert.equal((await runAsUser(`stat --format '%U %a' ${SITE}/data`)).trim(), `${USER} 700`);
  });

  it('replaces a version, and its settings, by the next without failing a request', async (t) => {
    await writeSettings('second');
    await publishBuilt({
      'package.json': (text) => text.replace(/"version": ".*"/, `"version": "${SECOND}"`),
      // How often the deployments below ask what does not answer.
      'deploy/activate.sh': (text) => text.replace('tries < 20', 'tries < 8'),
    });
    const counts = await visitDuring(origin, () => run(COMMANDS.deploy));
    t.diagnostic(`requests by the version that answered: ${JSON.stringify(counts)}`);
    assert.deepEqual(Object.keys(counts), [firstVersion, SECOND]);
    for (let index = 0; index < WORKERS; index++) {
      const { server, version } = await askWhoami(originOf(index));
      assert.deepEqual([server, version], ['second', SECOND]);
    }
  });

  it('of a tag, with another address, moves there, though its port is the same', async () => {
    host = '';
    await writeSettings('second');
    await execute('git', ['tag', 'again'], { cwd: checkout.folder });
    await execute('git', ['push', '--quiet', 'origin', 'again'], { cwd: checkout.folder });
    assert.match(await run(`DEPLOY_REF=tags/again ${COMMANDS.deploy}`), STOPS);
    assert.ok(await isServedBy(SECOND));
    assert.equal(await askVersion(`http://127.0.0.2:${port}`), SECOND);
  });

  it('of what does not build leaves the running version running, and is forgotten', async () => {
    const releases = await listReleases();
    const commit = await checkout.publish('package-lock.json', () => '{');
    await deployInVain(new RegExp(`Not deployed: ${commit}`));
    assert.deepEqual(await listReleases(), releases);
    assert.ok(!(await listDeploys()).includes(commit));

    const [killed] = await listPids();
    await runAsUser(`kill -KILL ${killed}`);
    await waitUntil(async () => !(await listPids()).includes(killed) && (await isServedBy(SECOND)));
    await checkout.unpublish();
  });

  it('of what cannot show a page does so, too', async () => {
    await publishBuilt({ 'views/socktest.ejs': (text) => `<% throw new Error('broken view') %>${text}` });
    await deployInVain(/\/socktest: expected 200 .* got 500/);
    await checkout.unpublish();
  });

  it('of a migration that fails does so, too, and leaves the store as it was', async () => {
    const releases = await listReleases();
    await publishBuilt({
      'server/store/migrations.js': (text) =>
        text.replace(/,?\s*\}\);/, ", '9999-fails': { up: (db) => db.schema.dropTable('none').execute() } });"),
    });
    await deployInVain(/migrated: no such table/);
    assert.deepEqual(await listReleases(), releases);
    assert.equal((await fetch(`${origin}/readyz`)).status, 200);
    await checkout.unpublish();
  });

  it('of settings that are wrong does so, too, and says so where what served before does not answer, either', async () => {
    await writeSettings('second', 'HOST=203.0.113.7');
    await pm2('stop sockshootout');
    const said = await run(COMMANDS.deploy, { expectFailure: true });
    assert.match(said, /HOST: expected an IP address of this machine, got 203\.0\.113\.7/);
    assert.match(said, /Not deployed: .* not answer/);
    await pm2('start sockshootout');
    await waitUntil(() => isServedBy(SECOND));
  });

  it('of what works alone, but not as a worker of pm2, goes back by itself, to the old settings, too', async () => {
    await writeSettings('third', `PORT=${await findFreePorts(WORKERS + 1)}`);
    await publishBuilt({
      // pm2 would wait so long for each of the workers.
      'ecosystem.config.js': (text) => text.replace('listen_timeout: 30_000', 'listen_timeout: 500'),
      'server.js': (text) => `if (process.env.NODE_APP_INSTANCE) process.exit(3);\n${text}`,
    });
    const said = await run(COMMANDS.deploy, { expectFailure: true });
    assert.match(said, STOPS);
    assert.match(said, /not answer: going back/);
    assert.match(said, /Not deployed: \w+\. \w+ is still live/);
    assert.ok(await isServedBy(SECOND));
    assert.equal((await askWhoami(origin)).server, 'second');
    await writeSettings('second');
  });

  it('is taken back without building or failing a request', async (t) => {
    const [first, second, ...others] = await listDeploys();
    assert.deepEqual(others, []);
    assert.deepEqual(await listReleases(), [first, second].sort());

    let said = '';
    const counts = await visitDuring(origin, async () => (said = await run(COMMANDS.revert)));
    t.diagnostic(`requests by the version that answered: ${JSON.stringify(counts)}`);
    assert.doesNotMatch(said, /Building/);
    assert.deepEqual(Object.keys(counts), [SECOND, firstVersion]);
    assert.equal((await runAsUser(`stat --format '%U %i' ${SITE}/data/saved-runs.db`)).trim(), dataFile);
    assert.ok(await isServedBy(firstVersion));
  });

  it('has its logs rotated while it goes on writing them', async () => {
    await remote.run('root', `logrotate --force /etc/logrotate.d/${USER}`);
    const logs = path.join(remote.root, 'home', USER, '.pm2/logs');
    const names = await readdir(logs);
    const [worker] = names
      .filter((name) => /-out-\d+\.log\.1\.gz$/.test(name))
      .map((name) => name.replace('.1.gz', ''));
    assert.ok(worker, `a worker's log, rotated, among ${names.join(', ')}`);
    const current = path.join(logs, worker);
    await waitUntil(async () => {
      for (let index = 0; index < WORKERS; index++) await fetch(`${originOf(index)}/ajaxtest`);
      return (
        (await readFile(current, 'utf8')).startsWith('{') && (await readFile(current, 'utf8')).includes('/ajaxtest')
      );
    });
  });

  it('is brought back at boot', async () => {
    await remote.run('root', `systemd-analyze verify ${UNIT}`);
    await remote.restart();
    await assert.rejects(fetch(`${origin}/healthz`));

    // Nothing boots here, so this does what the unit tells systemd to do.
    const unit = await readFile(path.join(remote.root, UNIT), 'utf8');
    const [owner, environment, start, pidFile] = ['User', 'Environment', 'ExecStart', 'PIDFile'].map(
      (name) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1],
    );
    await remote.run('root', `cd / && runuser -u ${owner} -- env -i ${environment} ${start}`);
    assert.ok(await isServedBy(firstVersion));
    await remote.run('root', `kill -0 "$(cat ${pidFile})"`);
  });

  it('leaves no daemon of pm2 at this end', async () => {
    const { stdout } = await execute('ps', ['-eo', 'args']);
    assert.ok(!stdout.includes(`God Daemon (${localPm2Home()})`));
  });
});
