const LIMIT_MS = 5000;

/**
 * @param {string} url
 * @throws {Error} unless it answers with 200 in time
 */
export async function ask(url) {
  /** @param {unknown} got */
  const failed = (got) => new Error(`${url}: expected 200 within ${LIMIT_MS} ms, got ${got}`);
  const response = await fetch(url, { signal: AbortSignal.timeout(LIMIT_MS) }).catch((error) => {
    throw failed(error.cause?.message ?? error.message);
  });
  if (response.status !== 200) throw failed(response.status);
  await response.arrayBuffer();
}
