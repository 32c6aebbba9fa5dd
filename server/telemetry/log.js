/** The log: one JSON line per event on standard output, whose reader may be gone or stand still: the site does not wait for it. */
import { closeSync, createWriteStream } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isatty } from 'node:tty';
import pino from 'pino';

const { stdout } = process;

/** Node.js waits for a terminal, which may have been stopped with Ctrl-S; a thread of its own waits here. pm2 has its own `write`. */
const output =
  stdout.isTTY && !Object.hasOwn(stdout, 'write') ? createWriteStream('', { fd: stdout.fd, autoClose: false }) : stdout;

/** What waits for a slow reader, at most; what is logged beyond that is lost. */
const MAX_WAITING_BYTES = 1024 * 1024;
const FLUSH_LIMIT_MS = 1000;

// Node.js aborts as it exits where it cannot reset a terminal, as that was closed. It leaves out what the program has closed.
const terminals = [0, 1, 2].filter(isatty);
process.once('exit', () => terminals.filter((fd) => !isatty(fd)).forEach((fd) => closeSync(fd)));

// There is nobody to hear that the terminal was closed, the reader is gone, or the disk is full.
for (const stream of [stdout, output]) stream.on('error', () => {});

/** @param {string} line */
function write(line) {
  if (output.writableLength < MAX_WAITING_BYTES) output.write(line);
}

/** Creates the log. @param {{ logLevel: string }} config */
export function createLog({ logLevel }) {
  return pino({ level: logLevel, base: undefined, timestamp: pino.stdTimeFunctions.isoTime }, { write });
}

/** Waits until the log is written, which pm2 delays, but not for ever. To be called before the program exits. */
export async function flushLog() {
  const written = new Promise((resolve) => output.write('', () => resolve(true)));
  const isWritten = await Promise.race([written, sleep(FLUSH_LIMIT_MS, false)]);
  // Node.js would wait for the thread that waits for the terminal.
  if (!isWritten && output !== stdout) process.once('exit', () => process.kill(process.pid, 'SIGKILL'));
}
