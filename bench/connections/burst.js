/**
 * Load, bounded in count and time: some connections, each in a closed loop.
 *
 * @typedef {object} Connection
 * @property {(count: number) => Promise<number>} exchange sends a count and gives the one that comes back
 * @property {() => void} close
 */

const LIMIT_MS = 30_000;

/**
 * @param {readonly Connection[]} connections
 * @param {number} echoCount of all connections together
 * @throws {Error} where an answer is wrong, missing or late
 */
export async function burst(connections, echoCount) {
  let sentCount = 0;
  const loop = async (/** @type {Connection} */ connection) => {
    while (sentCount < echoCount) {
      const count = sentCount++;
      const answer = await connection.exchange(count);
      if (answer !== count + 1) throw new Error(`count: expected ${count + 1}, got ${answer}`);
    }
  };
  const timer = setTimeout(() => closeAll(connections), LIMIT_MS);
  try {
    await Promise.all(connections.map(loop));
  } finally {
    clearTimeout(timer);
  }
}

/** @param {readonly Connection[]} connections */
export function closeAll(connections) {
  for (const connection of connections) connection.close();
}
