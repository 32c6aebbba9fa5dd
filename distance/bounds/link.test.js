/**
 * The link itself: without it being what was asked for, nothing measured over it says anything.
 */
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { endChild, readUntil } from '../../cli/program/child.js';
import { openLink, withLink } from '../../lab/link.js';
import { holdsOnce } from '../../test/support/attempts.js';

const LINK = fileURLToPath(new URL('../../lab/link.js', import.meta.url));
const TRANSFER = fileURLToPath(new URL('../programs/transfer.js', import.meta.url));
const CONNECTIONS = fileURLToPath(new URL('../programs/connections.js', import.meta.url));
const BRIDGE = fileURLToPath(new URL('../../lab/tun-bridge.py', import.meta.url));
/** For what hangs: nothing takes nearly as long. */
const LIMIT_MS = 300_000;
const execute = promisify(execFile);

/** @returns {Promise<string[]>} this program's namespaces */
async function listNamespaces() {
  const { stdout } = await execute('ip', ['netns', 'list']);
  return stdout.split('\n').filter((line) => line.startsWith(`sockshootout-${process.pid}-`));
}

/**
 * Runs a program that has `openLink`, with a tool that is not the machine's.
 *
 * @param {{ tool: string, shell: string }} fake `shell`: what the tool does instead
 * @param {string} script
 * @returns {Promise<{ stdout: string, pid: number }>}
 */
async function runWithFake({ tool, shell }, script) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'sockshootout-tools-'));
  try {
    await writeFile(path.join(folder, tool), `#!/bin/sh\nPATH='${process.env.PATH}'\n${shell}\n`, { mode: 0o755 });
    const source = `const { openLink } = await import(${JSON.stringify(LINK)});\n${script}`;
    const running = execute(process.execPath, ['--input-type=module', '--eval', source], {
      env: { PATH: `${folder}:${process.env.PATH}` },
    });
    return { pid: Number(running.child.pid), stdout: (await running).stdout };
  } finally {
    await rm(folder, { recursive: true });
  }
}

describe('a link', () => {
  // Each of these bounds is kept however busy the machine is, and pings wait most of the time.
  describe('for what goes over it', { concurrency: true }, () => {
    it('takes at least the round trip asked for', async (t) => {
      const { minMs, meanMs, maxMs } = await withLink({ rttMs: 40 }, (link) => link.ping({ count: 5 }));
      t.diagnostic(`ping over 40 ms: ${minMs} to ${maxMs} ms, mean ${meanMs}`);
      assert.ok(minMs >= 40, `${minMs} ms`);
    });

    it('varies by no more than the jitter below the round trip', async () => {
      const { minMs, maxMs } = await withLink({ rttMs: 40, jitterMs: 30 }, (link) => link.ping({ count: 20 }));
      assert.ok(minMs >= 10, `${minMs} ms`);
      // That 20 pings are drawn alike to a thousandth of a millisecond happens never: once in 10 ** 80 times.
      assert.ok(maxMs > minMs);
    });

    it('gives its server the share of CPU time that was asked for', async (t) => {
      const script =
        'const begunMs = performance.now(); while (performance.now() < begunMs + 2000); ' +
        'const { user, system } = process.cpuUsage(); console.log((user + system) / 1000 / performance.now())';
      const share = await withLink({ rttMs: 0, cpus: 0.125 }, async ({ serverCommand }) => {
        const [name, ...args] = serverCommand([process.execPath, '--eval', script]);
        return Number((await execute(name, args)).stdout);
      });
      t.diagnostic(`${share} of a CPU`);
      // A program may use its share of the period in which it begins, and of the one in which it ends.
      assert.ok(share < 0.19, `${share} of a CPU`);
    });

    it('ends a server that needs more memory than was asked for', async () => {
      const script = 'const kept = []; for (;;) kept.push(Buffer.alloc(2 ** 20, 1))';
      await withLink({ rttMs: 0, memoryMib: 128 }, async ({ serverCommand }) => {
        const [name, ...args] = serverCommand([process.execPath, '--eval', script]);
        await assert.rejects(execute(name, args), (/** @type {any} */ { signal }) => signal === 'SIGKILL');
      });
    });

    it('lets nothing through when all is to be lost', async () => {
      await withLink({ rttMs: 0, lossPercent: 100 }, async ({ clientCommand, serverAddress }) => {
        const [name, ...args] = clientCommand(['ping', '-c', '1', '-W', '1', serverAddress]);
        await assert.rejects(execute(name, args), (/** @type {any} */ { stdout }) =>
          stdout.includes('100% packet loss'),
        );
      });
    });

    it('forgets the TCP connections that there are, for good, as often as it is asked, and carries new ones', async () => {
      await withLink(
        { rttMs: 20 },
        async (link) => {
          const start = (/** @type {string[]} */ [name, ...args]) => spawn(name, args);
          const server = start(link.serverCommand([process.execPath, CONNECTIONS, 'serve']));
          const port = await readUntil(server, (line) => line, { limitMs: LIMIT_MS });
          const client = start(link.clientCommand([process.execPath, CONNECTIONS, 'ask', link.serverAddress, port]));
          const answers = createInterface({ input: client.stdout })[Symbol.asyncIterator]();
          const ask = async () => {
            client.stdin.write('\n');
            return JSON.parse((await answers.next()).value);
          };
          try {
            assert.deepEqual(await ask(), [true]);
            assert.deepEqual(await ask(), [true, true]);
            await link.forget();
            assert.deepEqual(await ask(), [false, false, true]);
            await link.forget();
            assert.deepEqual(await ask(), [false, false, false, true]);
          } finally {
            await Promise.all([endChild(client), endChild(server)]);
          }
        },
        { forgets: true },
      );
    });

    it('is no faster than the rate asked for', async (t) => {
      const byteCount = 500_000;
      const seconds = await withLink({ rttMs: 10, mbitPerSecond: 4 }, async (link) => {
        const [serverName, ...serverArgs] = link.serverCommand([process.execPath, TRANSFER, 'send', String(byteCount)]);
        const sender = spawn(serverName, serverArgs);
        try {
          const port = await readUntil(sender, (line) => line, { limitMs: LIMIT_MS });
          const receive = [process.execPath, TRANSFER, 'receive', link.serverAddress, port];
          const [clientName, ...clientArgs] = link.clientCommand(receive);
          const { stdout } = await execute(clientName, clientArgs, { timeout: LIMIT_MS });
          const { receivedBytes, elapsedMs } = JSON.parse(stdout);
          assert.equal(receivedBytes, byteCount);
          return elapsedMs / 1000;
        } finally {
          await endChild(sender);
        }
      });
      t.diagnostic(`${byteCount} bytes over 4 Mbit/s took ${seconds.toFixed(3)} s; 1 s at the least`);
      assert.ok(seconds >= (byteCount * 8) / 4e6, `${seconds} s`);
    });
  });

  it('loses what finds its queue full, and keeps nothing waiting longer', (t) =>
    // The bytes of 50 pings at once take 0.57 s at that rate.
    holdsOnce(t, () =>
      withLink({ rttMs: 20, mbitPerSecond: 1, queueMs: 100 }, async ({ clientCommand, serverAddress }) => {
        const pings = ['-q', '-c', '50', '-l', '50', '-s', '1400', '-W', '2', serverAddress];
        const [name, ...args] = clientCommand(['ping', ...pings]);
        const { stdout } = await execute(name, args);
        const answered = Number(/(\d+) received/.exec(stdout)?.[1]);
        const maxMs = Number(/= [\d.]+\/[\d.]+\/([\d.]+)/.exec(stdout)?.[1]);
        t.diagnostic(`${answered} of 50 answered, within ${maxMs} ms`);
        // 100 ms hold eight of them, and another is on the line.
        if (!(answered >= 8 && answered < 30)) return `${answered} answered`;
        return maxMs < 20 + 100 + 50 ? undefined : `${maxMs} ms`;
      }),
    ));

  it('leaves nothing behind, and can be closed twice', async () => {
    const link = await openLink({ rttMs: 0 });
    assert.equal((await listNamespaces()).length, 2);
    await link.close();
    await link.close();
    assert.deepEqual(await listNamespaces(), []);
  });

  it('has neighbours of its own: two at once do not meet', (t) =>
    withLink({ rttMs: 0 }, (near) =>
      withLink({ rttMs: 100 }, (far) =>
        holdsOnce(t, async () => {
          const [nearPing, farPing] = await Promise.all([near.ping({ count: 2 }), far.ping({ count: 2 })]);
          assert.ok(farPing.minMs >= 100, `${farPing.minMs} ms`);
          return nearPing.minMs < 100 ? undefined : `${nearPing.minMs} ms`;
        }),
      ),
    ));

  it('is cleared away by the next one when its program was killed', async () => {
    const script = `
      const { openLink } = await import(${JSON.stringify(LINK)});
      await openLink({ rttMs: 0 });
      console.log('open');
      setInterval(() => {}, 1000);`;
    const program = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const isLeft = async () => (await execute('ip', ['netns', 'list'])).stdout.includes(`sockshootout-${program.pid}-`);
    await once(program.stdout, 'data');
    // As long as it runs no other link removes it.
    assert.equal(await isLeft(), true);
    program.kill('SIGKILL');
    await once(program, 'exit');
    await withLink({ rttMs: 0 }, async () => {});
    assert.equal(await isLeft(), false);
  });

  it('that cannot change goes on, and says so when it is closed', async (t) => {
    const tc = { tool: 'tc', shell: 'case "$*" in *" change "*) echo no such link >&2; exit 1;; esac' };
    const { stdout } = await runWithFake(
      tc,
      `const link = await openLink({ rttMs: 0, changes: [{ afterMs: 1, rttMs: 5 }] });
      link.startChanges();
      await new Promise((resolve) => setTimeout(resolve, 500));
      console.log(link.kind);
      await link.close().catch(({ message }) => console.log(message));`,
    );
    const [kind, message] = stdout.split('\n');
    // Without virtual Ethernet devices it uses no tc.
    if (kind === 'tun') t.skip('no netem');
    else assert.match(message, /^The lab could not be taken down: tc .* no such link/);
  });

  it('that cannot be opened leaves no control group', async () => {
    const ip = { tool: 'ip', shell: '[ "$1" = -o ] && exit 1\nexec ip "$@"' };
    const { stdout, pid } = await runWithFake(
      ip,
      'await openLink({ rttMs: 0, cpus: 1 }, { isClientHere: true }).catch(({ message }) => console.log(message));',
    );
    assert.match(stdout, /^ip -o /);
    for (const folder of ['/sys/fs/cgroup', '/sys/fs/cgroup/cpu']) {
      const names = await readdir(folder).catch(() => []);
      assert.deepEqual(
        names.filter((name) => name.startsWith(`sockshootout-${pid}-`)),
        [],
      );
    }
  });

  it('says in a sentence which tools are missing', async () => {
    const script = `
      const { openLink } = await import(${JSON.stringify(LINK)});
      await openLink({ rttMs: 0 }).catch(({ message }) => process.stdout.write(message));`;
    const { stdout } = await execute(process.execPath, ['--input-type=module', '--eval', script], {
      env: { PATH: path.dirname(TRANSFER) },
    });
    assert.match(stdout, / ip and ping;/);
    assert.match(stdout, / iproute2 iputils-ping$/);
  });
});

describe('tun-bridge.py', () => {
  it('ends when its standard input does', async () => {
    const bridge = spawn('python3', [BRIDGE]);
    try {
      const names = await readUntil(bridge, (line) => line.split(' '), { limitMs: LIMIT_MS });
      assert.equal(names.length, 2);
      bridge.stdin.end();
      assert.deepEqual(await once(bridge, 'exit'), [0, null]);
    } finally {
      await endChild(bridge);
    }
  });
});
