/**
 * Somebody who uses the site all the time: asks which version answers, one request after the other, each over a new
 * connection and a kept one in turn.
 */
import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** @import { Server } from '../../../core/net/echo/trial.js' */

const PAUSE_MS = 10;
/** For what hangs: on a busy machine an answer may take seconds, and is one all the same. */
const LIMIT_MS = 120_000;

/**
 * @param {string} origin
 * @returns {Promise<Server>} who answers
 */
export async function askWhoami(origin, agent = new Agent()) {
  return JSON.parse(await askText(`${origin}/ajaxecho?whoami=1`, agent));
}

/**
 * @param {string} origin
 * @returns {Promise<string>} the version that answers
 */
export async function askVersion(origin, agent = new Agent()) {
  return (await askWhoami(origin, agent)).version;
}

/**
 * @param {string} url
 * @param {Agent} agent
 * @returns {Promise<string>}
 */
function askText(url, agent) {
  return new Promise((resolve, reject) => {
    get(url, { agent, signal: AbortSignal.timeout(LIMIT_MS) }, async (response) => {
      let text = '';
      for await (const chunk of response) text += chunk;
      if (response.statusCode === 200) resolve(text);
      else reject(new Error(`${url}: expected 200, got ${response.statusCode} ${text}`));
    }).on('error', reject);
  });
}

/**
 * @param {string} origin
 * @param {() => Promise<unknown>} act what happens in the meantime
 * @returns {Promise<Record<string, number>>} how many requests which version answered, in the order of their coming, and
 *   how many failed why
 */
export async function visitDuring(origin, act) {
  const kept = new Agent({ keepAlive: true, maxSockets: 1 });
  /** @type {Record<string, number>} */
  const counts = {};
  let isOver = false;

  /** @param {Agent} agent */
  const ask = async (agent) => {
    const outcome = await askVersion(origin, agent).catch((error) => `failed: ${error.message}`);
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  };
  const visit = async () => {
    for (let index = 0; !isOver; index++) {
      await ask(index % 2 === 0 ? kept : new Agent());
      await sleep(PAUSE_MS);
    }
  };
  // However slow the machine is, one comes before, and one after.
  await ask(new Agent());
  const visits = visit();
  try {
    await act();
  } finally {
    isOver = true;
    await visits;
    await ask(new Agent());
    kept.destroy();
  }
  return counts;
}
