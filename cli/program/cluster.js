/**
 * The site as several processes behind one port, as pm2 runs it, for as long as a measurement takes: WORKERS of them.
 * Says the port when all of them listen, and ends with any of them.
 */
import cluster from 'node:cluster';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { findFreePorts } from './free-ports.js';

const count = Number(process.env.WORKERS);
// Each worker also has a port of its own, after the shared one.
const port = await findFreePorts(count + 1);

cluster.setupPrimary({ exec: fileURLToPath(new URL('../../server.js', import.meta.url)) });
cluster.on('exit', () => process.exit(1));
const workers = Array.from({ length: count }, (_, index) =>
  cluster.fork({ PORT: String(port), NODE_APP_INSTANCE: String(index), LOG_LEVEL: 'silent' }),
);
// The message 'ready' is the one that pm2 waits for.
await Promise.all(workers.map((worker) => once(worker, 'message')));
process.stdout.write(`${JSON.stringify({ port })}\n`);
