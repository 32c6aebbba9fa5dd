/**
 * The figures of the documents, in the order in which they are made: commands, of whose output a document has a part.
 *
 * @typedef {object} Figure
 * @property {string} name
 * @property {string} file the document
 * @property {readonly string[]} commands as a reader types them, without the output format
 * @property {number} [tables] how many tables the document shows after the answer; default: 1
 * @property {string} [part] the heading of the one table that the document shows instead
 * @property {string} [text] the command prints text: the beginning of the paragraph that the document shows
 * @property {string} [memoryFile] the file that gets the memory that each command prints, for the site
 */

const RUN = 'npx sockshootout run';
const LAB_RUN = 'sudo npx sockshootout lab run';
const UPLOADS = '--browser --directions up --budget 10000 --seed 7';
const IN_FLIGHT = '--browser --depths 1,8,32 --blocks 6 --seed 7';
const JOBS_OVER_HTTP =
  '--rtt 0 --deliveries poll,long-poll,sse,push --interval 500 --users 5 --jobs 20 --max 2000 --limit 10000 --blocks 6 --seed 19';
const CLASSIC = '--iterations 10,100,1000';

/** @param {string} method */
const memoryOf = (method) =>
  `${RUN} jobs --stress --users 500 --max-users 500 --jobs 1 --min 3000 --max 4000 --interval 500 --deliveries ${method}`;

/** @type {readonly Figure[]} */
export const FIGURES = [
  {
    name: 'answer',
    file: 'docs/reading-results.md',
    tables: 2,
    commands: [`${RUN} all --browser --tests shootout,jobs`],
  },
  {
    name: 'jobs',
    file: 'docs/jobs.md',
    commands: [
      `${RUN} jobs --deliveries poll,long-poll,sse,socket-per-job,push,sockjs --interval 500,250 --users 20 --jobs 10 --max 10000 --seed 2018`,
    ],
    tables: 3,
  },
  {
    name: '2018',
    file: 'docs/seeds.md',
    commands: [`${RUN} jobs --preset as-in-2018 --seed 2018`],
    part: 'Bytes and server CPU',
  },
  {
    name: 'jobs-memory',
    file: 'docs/jobs.md',
    // A process reuses memory, so each method has a server of its own.
    commands: ['poll', 'long-poll', 'sse', 'socket-per-job', 'push', 'sockjs'].map(memoryOf),
    text: 'Server memory',
    memoryFile: 'server/connection-memory.json',
  },
  { name: '2019', file: 'docs/seeds.md', commands: [`${RUN} countdown --kind both3 --iterations 1000`] },
  { name: 'load', file: 'docs/seeds.md', commands: ['npx sockshootout load'] },
  {
    name: 'masking',
    file: 'docs/seeds.md',
    commands: [
      `${RUN} payload --sizes 10000000 --directions up,down --transports fetch,websocket-binary --budget 1000`,
    ],
    part: 'All figures',
  },
  {
    name: 'small-server',
    file: 'docs/scale.md',
    commands: [
      `${LAB_RUN} shootout --rtt 0 --cpus 0.125 --memory 1024 --seed 7`,
      `${LAB_RUN} shootout --rtt 0 --seed 7`,
    ],
  },
  {
    name: 'in-flight',
    file: 'docs/method.md',
    commands: [
      `${LAB_RUN} in-flight --rtt 100 --transports ajax,sockjs ${IN_FLIGHT}`,
      `${LAB_RUN} in-flight --rtt 100 --h2 --transports ajax ${IN_FLIGHT}`,
    ],
  },
  {
    name: 'fixed-rate',
    file: 'docs/method.md',
    commands: [`${LAB_RUN} fixed-rate --rtt 100 --browser --messages 60 --blocks 6 --seed 7 -- --rate 100`],
  },
  {
    name: 'jobs-http',
    file: 'docs/jobs.md',
    commands: [`${LAB_RUN} jobs ${JOBS_OVER_HTTP}`, `${LAB_RUN} jobs --h2 ${JOBS_OVER_HTTP}`],
  },
  {
    name: 'payload',
    file: 'docs/payload.md',
    commands: [
      `${RUN} payload ${UPLOADS} --sizes 1000,100000,10000000 --repeats 20`,
      `${LAB_RUN} payload --profile lan ${UPLOADS} --sizes 1000,10000000 --repeats 8`,
      `${LAB_RUN} payload --profile wan ${UPLOADS} --sizes 1000,1000000 --repeats 6`,
      `${LAB_RUN} payload --profile hsdpa-plus ${UPLOADS} --sizes 1000,1000000 --repeats 6`,
    ],
    part: 'All figures',
  },
  {
    name: '2012',
    file: 'docs/seeds.md',
    commands: [
      `${RUN} classic --transport ajax ${CLASSIC}`,
      `${RUN} classic --transport sockjs ${CLASSIC}`,
      `${LAB_RUN} classic --rtt 230 --transport ajax ${CLASSIC}`,
      `${LAB_RUN} classic --rtt 230 --transport sockjs ${CLASSIC}`,
    ],
  },
];

/** @param {Figure} figure @returns {boolean} does it need root, for network namespaces? */
export const needsRoot = ({ commands }) => commands.some((command) => command.startsWith('sudo '));
