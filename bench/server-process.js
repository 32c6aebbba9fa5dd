import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const ANSWER_LIMIT_MS = 20_000;

/**
 * A server in a process of its own, so that its CPU time is its own.
 *
 * @typedef {object} ServerProcess
 * @property {number} port on 127.0.0.1
 * @property {() => Promise<number>} cpuMicroseconds spent so far, user and system, all threads
 * @property {() => Promise<void>} close
 */

/**
 * @param {string} name of a file in servers/
 * @returns {Promise<ServerProcess>}
 */
export async function startServer(name) {
  const child = fork(fileURLToPath(new URL(`servers/${name}.js`, import.meta.url)));

  /** @returns {Promise<any>} what the child tells next */
  const nextMessage = async () => {
    const ended = new AbortController();
    const onExit = () => ended.abort();
    child.once('exit', onExit);
    try {
      const signal = AbortSignal.any([ended.signal, AbortSignal.timeout(ANSWER_LIMIT_MS)]);
      const [message] = await once(child, 'message', { signal });
      return message;
    } catch (error) {
      const why = ended.signal.aborted ? 'it ended' : `it was silent for ${ANSWER_LIMIT_MS} ms`;
      throw new Error(`Server ${name}: expected an answer, but ${why}`, { cause: error });
    } finally {
      child.off('exit', onExit);
    }
  };

  const close = async () => {
    if (!child.connected || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    // It then ends by itself, and takes its files with it.
    child.disconnect();
    await ended;
  };

  try {
    const { port } = await nextMessage();
    return {
      port,
      async cpuMicroseconds() {
        const answered = nextMessage();
        child.send('cpu');
        return (await answered).cpuMicroseconds;
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
