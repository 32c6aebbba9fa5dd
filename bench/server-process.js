import { fork } from 'node:child_process';
import { on, once } from 'node:events';
import { fileURLToPath } from 'node:url';

/**
 * Starts a server in a process of its own, so that its CPU time can be measured, and ends it again.
 * @template T
 * @param {string} name of server.js @param {(server: { port: number, cpuMicroseconds(): Promise<number> }) => Promise<T>} use
 *   is given the port on 127.0.0.1, and a function that reads the CPU time so far, of user and system, all threads
 * @returns {Promise<T>} what `use` gives @throws {Error} where the server ends before it has answered
 */
export async function withServer(name, use) {
  const child = fork(fileURLToPath(new URL('server.js', import.meta.url)), [name]);
  const exited = once(child, 'exit');
  const messages = on(child, 'message', { close: ['exit'] });
  const nextMessage = async () => {
    const { done, value } = await messages.next();
    if (done) throw new Error(`Server ${name}: expected an answer, got its end`);
    return value[0];
  };
  const cpuMicroseconds = async () => {
    child.send('cpu');
    return (await nextMessage()).cpuMicroseconds;
  };
  try {
    const { port } = await nextMessage();
    return await use({ port, cpuMicroseconds });
  } finally {
    // The server then exits, and removes its files.
    if (child.connected) child.disconnect();
    await exited;
  }
}
