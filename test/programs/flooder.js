/**
 * Floods a server from a process of its own, once its parent says so, until that ends it, with clients that come back when they
 * were closed:
 * `node test/programs/flooder.js '{"port":8000,"path":"/ws","kind":"pings","reads":false,"clients":10}'`.
 */
import os from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { FLOOD_KINDS, openFlood, STREAM_FLOOD_KINDS } from '../support/flood.js';

/** What a client does that is closed: it does not open thousands of connections a second, which is another flood. */
const PAUSE_MS = 200;

const { clients, ...options } = JSON.parse(process.argv[2]);
/** What these send takes as long to make as such a program to start. */
const isOfFrames = [...FLOOD_KINDS, ...STREAM_FLOOD_KINDS].includes(options.kind);
const requests = isOfFrames ? undefined : await import('../support/request-flood.js');

/** It may have been ended by its parent meanwhile, who hears nothing then. */
const tellOpen = () => void process.send?.('open', () => {});

async function floodForever() {
  if (requests) {
    tellOpen();
    await requests.floodWithRequests(options);
  }
  for (;;) {
    const { closed } = await openFlood({ ...options, bytes: Infinity });
    tellOpen();
    await closed;
    await setTimeout(PAUSE_MS);
  }
}

// What it needs of the processor itself must not be what others wait for.
os.setPriority(os.constants.priority.PRIORITY_LOW);
process.on('disconnect', () => process.exit());
process.once('message', () => {
  for (let i = 0; i < clients; i++) void floodForever().catch(() => {});
});
