/** Loads over HTTP: one request, or several at once. */
import { ExchangeError } from '../exchange-error.js';
import { fetchAnswer } from '../http.js';
import { OFFSET_SPAN } from '../transfer/content.js';

/**
 * @import { LoadDirection, LoadOptions } from './index.js'
 * @typedef {Omit<LoadOptions, 'bytes'> & { fetch: typeof globalThis.fetch, url: string, content: Uint8Array<ArrayBuffer>, from: number, to: number }} Part
 *   bytes `from` to `to` of the whole
 */

/**
 * Splits a load into equal requests, and sends all of them at once.
 * @param {LoadOptions & { fetch: typeof globalThis.fetch, baseUrl: string, direction: LoadDirection, count: number, content:
 *   Uint8Array<ArrayBuffer> }} options `content` to upload; empty if nothing is
 */
export async function transferByRequests({ fetch, baseUrl, direction, count, content, bytes, onFirst, signal }) {
  const send = direction === 'down' ? download : upload;
  const url = `${baseUrl}/payload/${direction}`;
  const ends = Array.from({ length: count + 1 }, (_, i) => Math.round((i * bytes) / count));
  let hasBegun = false;
  const onFirstOfAll = () => {
    if (!hasBegun) onFirst();
    hasBegun = true;
  };
  // One that fails ends the others: they would load what comes next.
  const own = new AbortController();
  const all = AbortSignal.any([signal, own.signal]);
  await Promise.all(
    ends
      .slice(1)
      .map((to, i) =>
        withReason(signal, send({ fetch, url, content, from: ends[i], to, onFirst: onFirstOfAll, signal: all })),
      ),
  ).finally(() => own.abort());
}

/**
 * An aborted request fails as one without an answer; why it was aborted says more.
 * @param {AbortSignal} signal @param {Promise<void>} request
 */
async function withReason(signal, request) {
  try {
    await request;
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  }
}

/** @param {Part} options */
async function download({ fetch, url, from, to, onFirst, signal }) {
  const length = to - from;
  // The offset makes the URLs of requests at once differ.
  const address = `${url}?bytes=${length}&offset=${from % OFFSET_SPAN}`;
  const got = await fetchAnswer(fetch, address, { cache: 'no-store', signal }, async ({ body }) => {
    let sum = 0;
    const reader = /** @type {ReadableStream<Uint8Array>} */ (body).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return sum;
      if (sum === 0) onFirst();
      sum += value.length;
    }
  });
  checkLength(got, length);
}

/** @param {Part} options */
async function upload({ fetch, url, content, from, to, onFirst, signal }) {
  onFirst();
  const part = content.subarray(from, to);
  // Binary data has no content type, so it needs no CORS preflight.
  const init = { method: 'POST', body: part, signal };
  const { bytes } = await fetchAnswer(fetch, url, init, (response) => response.json());
  checkLength(bytes, part.length);
}

/** @param {unknown} got @param {number} expected bytes @throws {ExchangeError} */
export function checkLength(got, expected) {
  if (got !== expected) throw new ExchangeError('mismatch', `Expected a transfer of ${expected} bytes, got ${got}.`);
}
