/**
 * A program that opens SockJS sessions and prints what it received. On its own, because Node reads which certificates to
 * trust (NODE_EXTRA_CA_CERTS) only as it starts.
 *
 * usage: node sockjs-visitor.js URL TRANSPORT SESSIONS MESSAGES
 * Prints JSON: per session the worker that it was on, and the counts that it was answered.
 */
import { openSession } from '../../../test/support/sockjs-session.js';

const [url, transport, sessionCount, messageCount] = process.argv.slice(2);

async function visit() {
  const session = await openSession(url, transport);
  try {
    const { worker } = await session.ask({ whoami: true });
    const counts = [];
    for (let count = 0; count < Number(messageCount); count++) counts.push((await session.ask({ count })).count);
    return { worker, counts };
  } finally {
    session.close();
  }
}

const visits = await Promise.all(Array.from({ length: Number(sessionCount) }, visit));
process.stdout.write(JSON.stringify(visits));
