/**
 * Clients of the jobs' endpoints.
 */
const LIMIT_MS = 60_000;

/** This is the ID of a trial. */
export const RUN = 'run-of_jobs1';
/** This query makes a job that is not complete before the test has ended. */
export const LONG = 'min=600000&max=600000';

/**
 * @param {string} url
 * @param {RequestInit} [options]
 */
export async function ask(url, options) {
  const response = await fetch(url, { signal: AbortSignal.timeout(LIMIT_MS), ...options });
  const text = await response.text();
  const isJson = response.headers.get('content-type') === 'application/json';
  return { status: response.status, headers: response.headers, text, answer: isJson ? JSON.parse(text) : undefined };
}

/** @param {string} origin @param {string} [query] */
export const make = async (origin, query = 'min=0&max=30') =>
  (await ask(`${origin}/job?${query}`, { method: 'POST' })).answer;

/** @param {string} text of a stream */
export const eventsOf = (text) => [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data));

/** @param {() => Promise<boolean>} check */
export async function untilTrue(check) {
  while (!(await check())) await new Promise(setImmediate);
}
