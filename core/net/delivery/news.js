/**
 * A piece of news: the answer that a job is done, which may have content to be as large as news of the visitor's page. The content is
 * pseudo-random text that client and server have alike, so that the client can check each byte. Each character is one of those of
 * base64url: one byte, as it is in JSON.
 */
import { createContent, toText } from '../transfer/content.js';

/** How large a piece of news may be: an answer's body, or a message. Without content it is smaller than the minimum. */
export const NEWS_BYTES = Object.freeze({ min: 200, max: 64_000 });
/** The size of a piece of news without content, to a byte or two. */
export const SMALLEST_NEWS_BYTES = 117;

/** The number of places in the text where a content may begin: jobs that take another time have another one. */
const PLACE_COUNT = 4096;
/** What the content has around it. */
const AROUND_BYTES = ',"content":""'.length;

/**
 * @typedef {{ id: string, createMs: number, durationMs: number, newsBytes?: number }} News of a job; `newsBytes`: its size; absent: as
 *   small as can be
 */

/** @type {string | undefined} made for the first piece of news that has a size */
let text;

/** @param {News} news @returns {string} a JSON object without its end, in ASCII */
const formatBare = ({ id, createMs, durationMs }) =>
  `{"id":"${id}","createTime":${createMs},"complete":true,"durationMs":${durationMs}`;

/** @param {News} news @returns {string | undefined} absent where the news has no size */
export function contentOf(news) {
  const { durationMs, newsBytes } = news;
  if (newsBytes === undefined) return undefined;
  text ??= toText(createContent(PLACE_COUNT + NEWS_BYTES.max));
  const start = durationMs % PLACE_COUNT;
  return text.slice(start, start + Math.max(0, newsBytes - formatBare(news).length - AROUND_BYTES - '}'.length));
}

/** Formats the answer that a job is done. @param {News} news @returns {string} JSON, in ASCII */
export function formatNews(news) {
  const content = contentOf(news);
  return content === undefined ? `${formatBare(news)}}` : `${formatBare(news)},"content":"${content}"}`;
}
