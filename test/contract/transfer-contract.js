/**
 * What every transfer method must do, client half and server half together. The same checks run in Node and, as they are, in a
 * browser; so they use nothing but the language, and throw where something is wrong.
 */
import { checkAnswer, createMessages } from '../../core/net/transfer/content.js';
import { transfers } from '../../core/net/transfer/index.js';
import { DIRECTIONS, MAX_SIZE, OFFERED_SIZES } from '../../core/experiments/payload/plan.js';

/** @import { TransferMethod, TransferConnection, Direction } from '../../core/net/transfer/index.js' */

const LIMIT_MS = 60_000;

/**
 * @typedef {object} Subject
 * @property {TransferMethod} transfer its server is up
 * @property {TransferMethod} lostTransfer the same, with nobody at its address
 * @property {readonly number[]} [sizes] that it is to carry
 * @property {number} [mostBytes] that its server takes
 */

const USUAL_BYTES = 1_000_001;

/** By how many bytes they may have: each takes a moment to make. @type {Map<number, ReturnType<typeof createMessages>>} */
const makers = new Map();

/** @type {Record<string, (subject: Subject) => Promise<void>>} */
export const transferContract = {
  ...Object.fromEntries(
    DIRECTIONS.map((direction) => [
      `carries every size ${direction}, and nothing at all, to the last byte`,
      (/** @type {Subject} */ { transfer, sizes = OFFERED_SIZES }) =>
        withConnection(transfer, direction, async (connection) => {
          const limitBytes = direction === 'down' ? Infinity : sendLimitOf(transfer);
          for (const bytes of [0, ...sizes, limitBytes].filter((size) => size <= limitBytes && size < Infinity)) {
            equal(await send(connection, { transfer, direction, bytes }), undefined);
          }
        }),
    ]),
  ),

  'gives a message up as soon as its signal says so': async ({ transfer }) => {
    for (const direction of DIRECTIONS) {
      await withConnection(transfer, direction, async (connection) => {
        const message = make({ transfer, direction, bytes: 1_000_000 });
        const controller = new AbortController();
        const sent = connection.send(message, controller);
        controller.abort(new Error('enough'));
        // Before anything could have come back.
        const first = Promise.race([failureOf(sent), nextTask()]);
        equal((await first)?.message, 'enough');
        equal((await failureOf(connection.send(message, controller))).message, 'enough');
      });
    }
  },

  'takes its times around the answer': async ({ transfer }) => {
    await withConnection(transfer, 'echo', async (connection) => {
      const beforeMs = performance.now();
      const { startedAtMs, endedAtMs } = await connection.send(
        make({ transfer, direction: 'echo', bytes: 500 }),
        limit(),
      );
      const isAround = beforeMs <= startedAtMs && startedAtMs < endedAtMs && endedAtMs <= performance.now();
      if (!isAround) throw new Error(`Expected times after ${beforeMs}, got ${startedAtMs} and ${endedAtMs}`);
    });
  },

  'has a set-up time above 0, or none at all': async ({ transfer }) => {
    await withConnection(transfer, 'down', async (connection) => {
      await trySmall(connection, { transfer, direction: 'down' });
      const { setUpMs } = connection;
      if (setUpMs !== undefined && !(setUpMs > 0)) throw new Error(`Expected more than 0 ms, got ${setUpMs}`);
    });
  },

  'says that the connection is closed where nobody listens': async ({ lostTransfer: transfer }) => {
    const attempt = withConnection(transfer, 'echo', async (connection) => {
      await send(connection, { transfer, direction: 'echo', bytes: 1 });
    });
    equal((await failureOf(attempt)).outcome, 'closed');
  },

  'may be closed twice': async ({ transfer }) => {
    await withConnection(transfer, 'up', async (connection) => connection.close());
  },
};

/** What takes a large message. @type {typeof transferContract} */
export const limitContract = {
  'is refused what is longer than its library’s server takes': async ({ transfer }) => {
    const bytes = sendLimitOf(transfer) + 1;
    if (bytes === Infinity) return;
    for (const direction of /** @type {const} */ (['up', 'echo'])) {
      await withConnection(transfer, direction, async (connection) => {
        equal((await failureOf(send(connection, { transfer, direction, bytes }))).outcome, 'closed');
      });
    }
  },

  'is refused what is longer than the server takes': async ({ transfer, mostBytes = MAX_SIZE }) => {
    for (const direction of /** @type {const} */ (['up', 'down'])) {
      await withConnection(transfer, direction, async (connection) => {
        const sent = send(connection, { transfer, direction, bytes: mostBytes + 1 });
        const { outcome } = (await sent.catch((error) => error)) ?? {};
        // A socket is closed by it, but where it was only asked for so much.
        if (outcome === 'rejected') equal(await trySmall(connection, { transfer, direction }), undefined);
        else equal(outcome, 'closed');
      });
    }
  },
};

/** Of those over a socket. @type {typeof transferContract} */
export const socketContract = {
  'names its protocol and its set-up at once': async ({ transfer }) => {
    await withConnection(transfer, 'up', async ({ protocol, setUpMs }) => {
      equal([protocol, Number(setUpMs) > 0], ['websocket', true]);
    });
  },

  'takes nothing once it is closed, or given up': async ({ transfer }) => {
    const direction = 'up';
    for (const end of [
      (/** @type {TransferConnection} */ connection) => connection.close(),
      async (/** @type {TransferConnection} */ connection) => {
        const controller = new AbortController();
        const sent = connection.send(make({ transfer, direction, bytes: 1 }), controller);
        controller.abort(new Error('enough'));
        await failureOf(sent);
      },
    ]) {
      await withConnection(transfer, direction, async (connection) => {
        await end(connection);
        equal((await failureOf(trySmall(connection, { transfer, direction }))).outcome, 'closed');
      });
    }
  },
};

/** @param {TransferMethod} transfer @returns {number} bytes; Infinity if its library has no limit */
const sendLimitOf = ({ name }) => transfers[name].sendLimit?.bytes ?? Infinity;

function limit() {
  return { signal: AbortSignal.timeout(LIMIT_MS) };
}

/** @returns {Promise<undefined>} after all that need not wait, and no later */
function nextTask() {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve(undefined);
    };
    port2.postMessage('');
  });
}

/** @param {{ transfer: TransferMethod, direction: Direction, bytes: number }} options */
function make({ transfer: { form }, direction, bytes }) {
  const mostBytes = bytes > USUAL_BYTES ? MAX_SIZE + 1 : USUAL_BYTES;
  const createMessage = makers.get(mostBytes) ?? createMessages(mostBytes);
  makers.set(mostBytes, createMessage);
  return createMessage({ direction, bytes, offset: 12_345, form });
}

/**
 * @param {TransferConnection} connection
 * @param {Parameters<typeof make>[0]} options
 */
async function send(connection, options) {
  const message = make(options);
  const { answer } = await connection.send(message, limit());
  return checkAnswer(message, answer);
}

/**
 * @param {TransferConnection} connection
 * @param {Omit<Parameters<typeof make>[0], 'bytes'>} options
 */
function trySmall(connection, options) {
  return send(connection, { ...options, bytes: 10 });
}

/**
 * @param {TransferMethod} transfer
 * @param {Direction} direction
 * @param {(connection: TransferConnection) => Promise<unknown> | unknown} use
 */
async function withConnection(transfer, direction, use) {
  const connection = await transfer.connect(direction, limit());
  try {
    await use(connection);
  } finally {
    connection.close();
  }
}

/** @param {Promise<unknown>} promise */
async function failureOf(promise) {
  try {
    await promise;
  } catch (error) {
    return /** @type {any} */ (error);
  }
  throw new Error('Expected a failure');
}

/**
 * @param {unknown} actual
 * @param {unknown} expected
 */
function equal(actual, expected) {
  const [got, wanted] = [actual, expected].map((value) =>
    value instanceof Error ? String(value) : JSON.stringify(value),
  );
  if (got !== wanted) throw new Error(`Expected ${wanted}, got ${got}`);
}
