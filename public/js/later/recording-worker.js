/**
 * The worker that reads a recording: a large one takes seconds, in which its page must answer presses. It may not connect to
 * anything (server/routes/your-page.js).
 *
 * @typedef {{ file: Blob } | { text: string } | { isExample: true }} Asked
 * @typedef {{ share: number } | { recording: Recording } | { problem: string } | { failed: string }} Reply `share`: read so far, 0 to 1;
 *   `failed`: why, where the file is not what is wrong with it, such as one that was deleted after it was chosen
 * @import { Recording } from '../../../core/recording/recording.js'
 */
import { decodeJsonFile, InvalidInputError } from '../../../core/base/foreign-text.js';
import { createExample } from '../../../core/recording/example.js';
import { readRecording } from '../../../core/recording/recording.js';

/** @param {Reply} reply */
const reply = (reply) => postMessage(reply);

/** @param {Asked} asked @returns {Promise<string>} */
async function textOf(asked) {
  if ('file' in asked) return decodeJsonFile(new Uint8Array(await asked.file.arrayBuffer()));
  return 'text' in asked ? asked.text : createExample();
}

addEventListener('message', async ({ data }) => {
  try {
    const text = await textOf(data);
    reply({ recording: await readRecording(text, { onProgress: (share) => reply({ share }) }) });
  } catch (error) {
    reply(error instanceof InvalidInputError ? { problem: error.message } : { failed: String(error) });
  }
});
