/**
 * What every transport must do, client half and server half together. The same checks run in Node and, as they are, in
 * a browser; so they use nothing but the language, and throw where something is wrong.
 */
import { runTrial } from '../../core/net/echo/trial.js';

/** @import { Connection, Transport } from '../../core/net/echo/index.js' */

const LIMIT_MS = 60_000;

/** Few: a message over a fallback takes its client 25 ms and more. */
const ITERATIONS = 5;

/**
 * @typedef {object} Subject
 * @property {Transport} transport its server is up
 * @property {Transport} lostTransport the same, with nobody at its address
 */

/** @type {Record<string, (subject: Subject) => Promise<void>>} */
export const transportContract = {
  'echoes each payload with its count one higher, in order': async ({ transport }) => {
    await withConnection(transport, async (connection) => {
      for (let count = 0; count < ITERATIONS; count++) {
        equal(await connection.exchange({ count }, limit()), { count: count + 1 });
      }
    });
  },

  'names its protocol once it has exchanged something': async ({ transport }) => {
    await withConnection(transport, async (connection) => {
      // A busy browser may write its timings down some requests later.
      for (let count = 0; count < 50 && (count < 2 || connection.protocol === undefined); count++)
        await connection.exchange({ count }, limit());
      equal(typeof connection.protocol, 'string');
    });
  },

  'has a set-up time above 0, or none at all': async ({ transport }) => {
    await withConnection(transport, async ({ setUpMs }) => {
      if (setUpMs !== undefined && !(setUpMs > 0)) throw new Error(`Expected more than 0 ms, got ${setUpMs}`);
      if (transport.capabilities.socket) equal(typeof setUpMs, 'number');
    });
  },

  'carries a body of 20,000 bytes there and back': async ({ transport }) => {
    const payload = { count: 1, body: 'x'.repeat(20_000) };
    await withConnection(transport, async (connection) => {
      equal(await connection.exchange(payload, limit()), { ...payload, count: 2 });
    });
  },

  'is told who the server is': async ({ transport }) => {
    await withConnection(transport, async (connection) => {
      const { server, version, worker } = await connection.exchange({ whoami: true }, limit());
      equal([server, typeof version, worker], ['test', 'string', 0]);
    });
  },

  'rejects with the server’s reason, and goes on': async ({ transport }) => {
    await withConnection(transport, async (connection) => {
      const error = await failureOf(connection.exchange({ count: -1 }, limit()));
      equal(error.outcome, 'rejected');
      if (!error.message.startsWith('count: expected')) throw new Error(`Expected the reason, got ${error.message}`);
      equal(await connection.exchange({ count: 7 }, limit()), { count: 8 });
    });
  },

  'gives an exchange up as soon as its signal says so': async ({ transport }) => {
    await withConnection(transport, async (connection) => {
      const controller = new AbortController();
      const exchange = connection.exchange({ count: 1 }, { signal: controller.signal });
      controller.abort(new Error('enough'));
      equal((await failureOf(exchange)).message, 'enough');
      equal((await failureOf(connection.exchange({ count: 1 }, controller))).message, 'enough');
    });
  },

  'says that the connection is closed where nobody listens': async ({ lostTransport }) => {
    const attempt = withConnection(lostTransport, (connection) => connection.exchange({ count: 1 }, limit()));
    equal((await failureOf(attempt)).outcome, 'closed');
  },

  'may be closed twice; a closed socket takes nothing': async ({ transport }) => {
    const connection = await transport.connect(limit());
    connection.close();
    connection.close();
    if (!transport.capabilities.socket) return;
    equal((await failureOf(connection.exchange({ count: 1 }, limit()))).outcome, 'closed');
  },

  'makes a trial whose every iteration is a sample': async ({ transport }) => {
    const trial = await runTrial({ transport, now: () => performance.now(), iterations: ITERATIONS, warmUpCount: 2 });
    equal(trial.failures, []);
    equal(trial.samples.iteration.length, ITERATIONS);
    if (!trial.samples.roundTripMs.every((ms) => ms > 0)) throw new Error('Expected every round trip above 0 ms');
    equal(trial.server?.server, 'test');
    equal(typeof trial.protocol, 'string');
  },

  'learns what a new connection costs, where it reuses them': async ({ transport }) => {
    if (!transport.measureColdSetUp) return;
    const setUpMs = await transport.measureColdSetUp(limit());
    if (setUpMs === undefined || !(setUpMs > 0)) throw new Error(`Expected more than 0 ms, got ${setUpMs}`);
  },
};

function limit() {
  return { signal: AbortSignal.timeout(LIMIT_MS) };
}

/**
 * @param {Transport} transport
 * @param {(connection: Connection) => Promise<unknown>} use
 */
async function withConnection(transport, use) {
  const connection = await transport.connect(limit());
  try {
    await use(connection);
  } finally {
    connection.close();
  }
}

/**
 * @param {Promise<unknown>} promise
 * @returns {Promise<any>} what it was rejected with
 */
async function failureOf(promise) {
  let value;
  try {
    value = await promise;
  } catch (error) {
    return error;
  }
  throw new Error(`Expected a failure, got ${JSON.stringify(value)}`);
}

/**
 * @param {unknown} got
 * @param {unknown} expected
 */
function equal(got, expected) {
  const [gotText, expectedText] = [got, expected].map((value) => JSON.stringify(value));
  if (gotText !== expectedText) throw new Error(`Expected ${expectedText}, got ${gotText}`);
}
