import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { abortable } from '../../../../core/base/async.js';
import { ExchangeError } from '../../../../core/net/exchange-error.js';
import { runTrial } from '../../../../core/net/echo/trial.js';
import { useGolden } from '../../../support/golden.js';
import { createScriptedTransport } from '../../../support/scripted-transport.js';

const matchGolden = useGolden(import.meta.url);

describe('runTrial', () => {
  it('makes the warm-up iterations and does not count them', async () => {
    const { transport, now, state } = createScriptedTransport({ script: [] });
    const trial = await runTrial({ transport, now, iterations: 4, warmUpCount: 3 });
    assert.equal(state.exchangeCount, 7);
    assert.deepEqual(trial.samples.iteration, [0, 1, 2, 3]);
  });

  it('asks who answers in a warm-up of one message, which then takes no message more', async () => {
    for (const [warmUpCount, exchanges] of [
      [1, ['whoami', 1, 2]],
      [2, [0, 1, 2, 3, 'whoami']],
    ]) {
      const { transport, now } = createScriptedTransport({ script: [] });
      /** @type {unknown[]} */
      const made = [];
      const connect = async (/** @type {any} */ options) => {
        const connection = await transport.connect(options);
        return {
          ...connection,
          exchange: (/** @type {any} */ payload, /** @type {any} */ rest) => {
            made.push('whoami' in payload ? 'whoami' : payload.count);
            return connection.exchange(payload, rest);
          },
        };
      };
      const trial = await runTrial({
        transport: { ...transport, connect },
        now,
        iterations: 2,
        warmUpCount: Number(warmUpCount),
      });
      assert.deepEqual([trial.samples.iteration, trial.server?.server], [[0, 1], 'scripted']);
      assert.deepEqual(made, exchanges);
    }
  });

  it('counts a warm-up that fails, with no iteration', async () => {
    const { transport, now } = createScriptedTransport({ script: ['closed'], socket: true });
    const { samples, failures } = await runTrial({ transport, now, iterations: 4, warmUpCount: 3 });
    assert.deepEqual(samples.iteration, []);
    assert.deepEqual(failures, [{ outcome: 'closed', message: 'scripted closed' }]);
  });

  it('keeps every sample: when it was sent, counted from the start, and how long it took', async () => {
    const { transport, now } = createScriptedTransport({ script: [], roundTripMs: 5 });
    const { samples, startedAtMs } = await runTrial({ transport, now, iterations: 3 });
    assert.equal(startedAtMs, 1000);
    assert.deepEqual(samples, { iteration: [0, 1, 2], sentAtMs: [0, 5, 10], roundTripMs: [5, 5, 5] });
  });

  it('counts failures beside the samples, and goes on', async () => {
    const { transport, now } = createScriptedTransport({ script: ['ok', 'rejected', 'ok', 'mismatch', 'ok'] });
    const { samples, failures } = await runTrial({ transport, now, iterations: 5 });
    assert.deepEqual(samples.iteration, [0, 2, 4]);
    assert.deepEqual(
      failures.map(({ iteration, outcome }) => [iteration, outcome]),
      [
        [1, 'rejected'],
        [3, 'mismatch'],
      ],
    );
  });

  it('says what was expected where an answer is no echo', async (t) => {
    const { transport, now } = createScriptedTransport({ script: ['mismatch'] });
    const { failures } = await runTrial({ transport, now, iterations: 1 });
    const [{ outcome, message }] = failures;
    assert.equal(outcome, 'mismatch');
    matchGolden(t, 'shootout', message);
  });

  it('ends after three failures in a row', async () => {
    const { transport, now, state } = createScriptedTransport({
      script: ['closed', 'closed', 'ok', 'closed', 'closed', 'closed', 'ok'],
    });
    const { failures } = await runTrial({ transport, now, iterations: 10 });
    assert.equal(failures.length, 5);
    assert.equal(state.exchangeCount, 6);
  });

  for (const [socket, exchangeCount] of /** @type {const} */ ([
    [true, 2],
    [false, 4],
  ])) {
    it(`${socket ? 'ends' : 'goes on'} after a close ${socket ? 'of a socket' : 'over HTTP'}`, async () => {
      const { transport, now, state } = createScriptedTransport({ script: ['ok', 'closed'], socket });
      await runTrial({ transport, now, iterations: 4 });
      assert.equal(state.exchangeCount, exchangeCount);
    });
  }

  it('counts an answer that does not come as a timeout, and goes on over HTTP', async () => {
    const { transport, now } = createScriptedTransport({ script: ['ok', 'silence', 'ok'] });
    const { samples, failures } = await runTrial({ transport, now, iterations: 3, timeoutMs: 20 });
    assert.deepEqual(samples.iteration, [0, 2]);
    assert.deepEqual(failures, [{ iteration: 1, outcome: 'timeout', message: 'No answer within 20 ms.' }]);
  });

  it('keeps what was measured when it is cancelled', async () => {
    const { transport, now } = createScriptedTransport({ script: ['ok', 'ok', 'silence'] });
    const controller = new AbortController();
    const running = runTrial({ transport, now, iterations: 9, timeoutMs: 1e6, signal: controller.signal });
    // A script's answers come without an event in between, so this comes when it has fallen silent.
    setImmediate(() => controller.abort());
    const { samples, failures } = await running;
    assert.equal(samples.iteration.length, 2);
    assert.deepEqual(failures, []);
  });

  it('counts a connection that cannot be opened, with no iteration', async () => {
    const transport = {
      name: 'none',
      capabilities: { socket: true },
      connect: () => Promise.reject(new ExchangeError('closed', 'nobody there')),
    };
    const { samples, failures, protocol } = await runTrial({ transport, now: () => 0, iterations: 3 });
    assert.deepEqual(samples.iteration, []);
    assert.deepEqual(failures, [{ outcome: 'closed', message: 'nobody there' }]);
    assert.equal(protocol, undefined);
  });

  it('waits one limit for a connection, and longer only where its transport falls back to others', async () => {
    /** @param {boolean} doesFallBack */
    const messageOf = async (doesFallBack) => {
      const transport = {
        name: 'silent',
        capabilities: { socket: true, doesFallBack },
        connect: (/** @type {{ signal?: AbortSignal }} */ { signal }) =>
          /** @type {Promise<never>} */ (abortable(signal, () => {})),
      };
      const { failures } = await runTrial({ transport, now: () => performance.now(), iterations: 1, timeoutMs: 20 });
      return failures.map(({ outcome, message }) => `${outcome}: ${message}`);
    };
    assert.deepEqual(await messageOf(false), ['timeout: No answer within 20 ms.']);
    assert.deepEqual(await messageOf(true), ['timeout: No answer within 60 ms.']);
  });

  it('closes its connection once, whatever happened', async () => {
    for (const script of /** @type {const} */ ([[], ['closed', 'closed', 'closed']])) {
      const { transport, now, state } = createScriptedTransport({ script: [...script] });
      await runTrial({ transport, now, iterations: 3 });
      assert.equal(state.closeCount, 1);
    }
  });

  it('lets a fault of the program through, and closes the connection', async () => {
    const { transport, now, state } = createScriptedTransport({ script: [] });
    const connect = transport.connect;
    transport.connect = async (options) => ({
      ...(await connect(options)),
      exchange: () => Promise.reject(new TypeError('a bug')),
    });
    await assert.rejects(runTrial({ transport, now, iterations: 3 }), /a bug/);
    assert.equal(state.closeCount, 1);
  });

  it('tells its progress as it goes', async () => {
    const { transport, now } = createScriptedTransport({ script: [] });
    const progress = { completedCount: 0 };
    await runTrial({ transport, now, iterations: 8, progress });
    assert.equal(progress.completedCount, 8);
  });
});
