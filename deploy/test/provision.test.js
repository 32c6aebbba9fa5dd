import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { withFolder } from '../../test/support/folder.js';

const execute = promisify(execFile);
const SCRIPT = fileURLToPath(new URL('../provision.sh', import.meta.url));
const CHECK = fileURLToPath(new URL('../check-host.sh', import.meta.url));
const DEPLOY = path.dirname(SCRIPT);

/** Neither is on this machine, so all that concerns them would have to be done. */
const USER = 'sockshootout-dry';
const SITE = '/srv/sockshootout-dry';
const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA somebody@example.org';
const OPTIONS = ['--user', USER, '--path', SITE, '--authorized-key', KEY];

/** What the script would write to. */
const PLACES = ['/etc', '/etc/apt/keyrings', '/etc/apt/sources.list.d', '/etc/logrotate.d', '/etc/systemd/system'];
const FOLDERS = ['/srv', '/home', '/var/lib/dpkg'];

/** @param {...string} words */
const provision = async (...words) => (await execute('bash', [SCRIPT, ...words])).stdout;

/** @returns {string[]} each file that the script may touch, with what shows that it was */
function listPlaces() {
  return [...PLACES, ...FOLDERS]
    .filter(existsSync)
    .flatMap((folder) =>
      [folder, ...readdirSync(folder).map((name) => path.join(folder, name))]
        .map((file) => ({ file, stats: statSync(file, { throwIfNoEntry: false }) }))
        .map(({ file, stats }) => `${file} ${stats?.mtimeMs} ${stats?.size} ${stats?.mode} ${stats?.uid}`),
    );
}

describe('provision.sh', () => {
  it('says with --dry-run what it would do, and does none of it', async () => {
    const before = listPlaces();
    const said = await provision('--dry-run', ...OPTIONS);
    assert.deepEqual(listPlaces(), before);
    for (const step of [
      `useradd --create-home --shell /bin/bash ${USER}`,
      `install -d -o ${USER} -g ${USER} -m 755 ${SITE}`,
      `add the key to /home/${USER}/.ssh/authorized_keys`,
      `write /etc/logrotate.d/${USER}`,
    ]) {
      assert.ok(said.includes(`+ ${step}\n`), `${step} in\n${said}`);
    }
    assert.equal(await provision('--dry-run', ...OPTIONS), said);
  });

  for (const [words, expected] of /** @type {[string[], RegExp][]} */ ([
    [['--user', 'a b'], /--user: expected .*, got 'a b'/],
    [['--user'], /--user: expected .*, got ''/],
    [['--path', 'srv'], /--path: expected .*, got 'srv'/],
    [['--authorized-key', '/root/.ssh/id'], /--authorized-key: expected .*, got '\/root\/\.ssh\/id'/],
    [['--nope'], /expected .*, got '--nope'/],
  ])) {
    it(`refuses ${words.join(' ')}`, async () => {
      await assert.rejects(
        provision('--dry-run', ...words),
        (/** @type {any} */ { code, stderr }) => code === 1 && expected.test(stderr),
      );
    });
  }

  it('explains itself', async () => {
    assert.match(await provision('--help'), /^usage: provision\.sh/);
  });

  it('is read to its end, whatever the programs that it starts read', () =>
    withFolder(async (folder) => {
      // One of them, which now takes all that it can get.
      await writeFile(path.join(folder, 'getent'), '#!/bin/sh\ncat >/dev/null\n', { mode: 0o755 });
      const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` };
      const words = ['--dry-run', ...OPTIONS].map((word) => `'${word}'`).join(' ');
      const { stdout } = await execute('sh', ['-c', `bash -s -- ${words} <'${SCRIPT}'`], { env });
      assert.ok(stdout.endsWith(`Ready: ${USER} owns ${SITE}\n`), stdout);
    }));

  it('asks for the Node.js that package.json asks for, and so does check-host.sh', () => {
    const { engines } = JSON.parse(readFileSync(path.join(DEPLOY, '../package.json'), 'utf8'));
    const [own, other] = [SCRIPT, CHECK].map((script) => readFileSync(script, 'utf8'));
    for (const text of [own, other]) assert.ok(text.includes(`node_wanted='${engines.node}'`));
    const [asked] = /^fits_node\(\) \{$.*?^\}$/ms.exec(own) ?? assert.fail();
    assert.ok(other.includes(asked));
  });
});

describe('check-host.sh', () => {
  for (const [env, expected] of /** @type {[NodeJS.ProcessEnv, RegExp][]} */ ([
    [{ SHELL: '/bin/dash' }, /expected .* bash, got '\/bin\/dash'/],
    [{ SHELL: '/bin/bash', PATH: '/nowhere' }, /expected git .*, found none/],
  ])) {
    it(`refuses a server with ${JSON.stringify(env)}`, async () => {
      await assert.rejects(execute('/bin/bash', [CHECK, SITE], { env }), (/** @type {any} */ { stderr }) =>
        expected.test(stderr),
      );
    });
  }
});

describe('the Node.js of a server', () => {
  for (const [version, isRight] of /** @type {const} */ ([
    ['v18.20.8', false],
    ['v20.18.3', false],
    ['v20.19.0', true],
    ['v21.7.3', false],
    ['v22.11.0', false],
    ['v22.12.0', true],
    ['v23.0.0', true],
    ['v100.1.0', true],
  ])) {
    it(`${isRight ? 'may' : 'must not'} be ${version}`, () =>
      withFolder(async (folder) => {
        await writeFile(path.join(folder, 'node'), `#!/bin/sh\necho ${version}\n`, { mode: 0o755 });
        const env = { ...process.env, SHELL: '/bin/bash', PATH: `${folder}:${process.env.PATH}` };
        const said = await execute('/bin/bash', [CHECK, folder], { env }).then(
          () => '',
          ({ stderr }) => stderr,
        );
        assert.equal(said.includes(`expected Node.js >=20.19 <21 || >=22.12, got ${version};`), !isRight, said);
      }));
  }
});

describe('the scripts of a deployment', () => {
  for (const name of readdirSync(DEPLOY).filter((file) => file.endsWith('.sh'))) {
    it(`${name} is bash`, async () => {
      await execute('bash', ['-n', path.join(DEPLOY, name)]);
    });
  }
});
