/**
 * Runs a server that takes its time for each echo. A page that sends the next one at once makes thousands in a second, and
 * Playwright hears of each: what a test asks of that page waits behind them, for minutes where the machine is busy.
 */
import { openServer } from './server.js';

const ANSWER_MS = 5;

const { DATA_DIR = '' } = process.env;
const { port } = await openServer({
  env: { DATA_DIR },
  delayAnswer: (answer) => void setTimeout(answer, ANSWER_MS),
});
process.stdout.write(`${JSON.stringify({ port })}\n`);
