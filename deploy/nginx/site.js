/** Writes nginx's configuration from checked options: that of a site, or a whole nginx in one folder, for a laptop. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import ejs from 'ejs';
import { deliveries } from '../../core/net/delivery/index.js';
import { transports } from '../../core/net/echo/index.js';
import { feedMethods } from '../../core/net/feed/index.js';
import { streamMethods } from '../../core/net/stream/index.js';
import { transfers } from '../../core/net/transfer/index.js';
import { formatError } from '../../server/http/exchange.js';
import { TOO_MANY } from '../../server/http/limit-requests.js';
import { LIMITS } from '../../server/http/limits.js';
import { MAX_SUBMISSION_BYTES } from '../../server/saved-runs/submission.js';
import { hostOf } from './options.js';

/** @import { SiteOptions } from './options.js' */

const KIB = 1024;
/** The margin above the workers' limit of a body, so that they refuse it, not nginx. */
const ROOM_KIB = 64;

/** The folder is also served by Debian's default site, so that certbot works before this site is in place. */
const ACME_FOLDER = '/var/www/html';

/** The operator's own lines, which making the configuration again leaves alone. */
const OWN_LINES = 'sockshootout.d/*.conf';

/**
 * What --limits allows one address. The workers' own limits, too, count on 200 visitors at one: a classroom, an office. The
 * first ten seconds of a visit ask for most: a page with its assets, and up to 60 reads of the server's state by the tests of
 * the home page, which nginx-operator.test.js counts.
 */
const ADDRESS_LIMITS = { visitors: 200, burst: 200 * 80, perSecond: 200 };

const HSTS = 'add_header Strict-Transport-Security "max-age=63072000" always;';

/** @typedef {{ endpoint: string, sessionPath?: string, protocols?: readonly string[] }} Row of what is measured */

/** The rows of what no transport has: the count-down of 2019, and the SockJS of 2012. @type {Row[]} */
const OTHER_ROWS = [
  { endpoint: '/xhr' },
  { endpoint: '/ws' },
  { endpoint: '/echo2012', sessionPath: transports.sockjs.sessionPath },
];
/** The roots that clients of the old experiments have as absolute paths, which are passed on also above a site's path. */
const OLD_ROOTS = ['ajaxecho', 'echo', 'echo2012', 'xhr', 'ws', 'job'];
/** @type {Row[]} */
const FEED_ROWS = Object.values(feedMethods).map((row) => ({ ...row, protocols: transports[row.transport].protocols }));
const PART = '[^/.]+';

/**
 * Computes what nginx has to know of what is measured.
 * @param {readonly Row[]} ofMessages at paths of their own @param {readonly Row[]} ofPayload below /payload/
 * @returns {{ roots: string, sessionFolders: string, sessions: string }} alternatives of patterns, without the first slash.
 *   `roots`: those of `ofMessages`. `sessionFolders`: what stands before the ID of a session over several requests. `sessions`:
 *   the beginning of whatever belongs to such a session, as far as it can be distinguished.
 */
export function patternsOf(ofMessages, ofPayload) {
  const rows = [...ofMessages, ...ofPayload];
  const folders = rows.flatMap(({ endpoint, sessionPath }) => (sessionPath ? [folderOf(endpoint + sessionPath)] : []));
  // A client that may use requests instead of a WebSocket, but has the ID in their queries.
  const withoutPath = rows.filter(
    ({ sessionPath, protocols = [] }) => !sessionPath && protocols.includes('websocket') && protocols.length > 1,
  );
  return {
    roots: alternatives(ofMessages.map(({ endpoint }) => escapePattern(endpoint.split('/')[1]))),
    sessionFolders: alternatives(folders),
    sessions: alternatives([
      ...folders.map((folder) => `${folder}/${PART}`),
      ...withoutPath.map(({ endpoint }) => `${escapePattern(endpoint.slice(1))}(?:/|$)`),
    ]),
  };
}

/**
 * @param {string} basePath of the site; empty at the root @returns {{ base: string, anyBase: string, oldRoots: string }} patterns: of
 *   the path; of the path or none; of the other locations of what is measured, with the bar before them
 */
function basePatternsOf(basePath) {
  const base = escapePattern(basePath);
  if (basePath === '') return { base, anyBase: '', oldRoots: '' };
  return { base, anyBase: `(?:${base})?`, oldRoots: `|/${alternatives(OLD_ROOTS)}` };
}

/** @param {string} sessionPath which ends with the ID @returns {string} a pattern of what is before that */
const folderOf = (sessionPath) => escapePattern(path.posix.dirname(sessionPath).slice(1)).replace(/:\w+/g, PART);

/** @param {string[]} patterns */
const alternatives = (patterns) => `(?:${[...new Set(patterns)].join('|')})`;

/** @param {string} text */
const escapePattern = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** @param {SiteOptions} options @returns {string} for nginx's conf.d */
export function renderSite(options) {
  const { messageBytes, payloadBytes, heartbeatMs, reachMs, requestMs, connectionCount } = LIMITS;
  const { code, message, status } = TOO_MANY;
  const isLocal = options.folder !== undefined;
  const ofMessages = [
    ...[transports, deliveries, streamMethods].flatMap((rows) => Object.values(rows)),
    ...FEED_ROWS,
    ...OTHER_ROWS,
  ];
  return render('site.conf.ejs', {
    ...options,
    ...patternsOf(ofMessages, Object.values(transfers)),
    ...basePatternsOf(options.basePath),
    isLocal,
    ACME_FOLDER,
    HSTS,
    ownLines: path.join(options.folder ?? '/etc/nginx', OWN_LINES),
    command: formatCommand(options.args),
    serverNames: isLocal ? [...new Set([options.domain, 'localhost'])].join(' ') : options.domain,
    messageBytes,
    messageRoomKib: messageBytes / KIB + ROOM_KIB,
    payloadRoomKib: payloadBytes / KIB + ROOM_KIB,
    payloadSeconds: (2 * requestMs) / 1000,
    reachSeconds: reachMs / 1000,
    submissionRoomKib: Math.ceil(MAX_SUBMISSION_BYTES / KIB) + ROOM_KIB,
    heartbeatSeconds: heartbeatMs / 1000,
    ...ADDRESS_LIMITS,
    connections: connectionCount / 2,
    refusals: [
      tooLarge('too_large', messageBytes),
      tooLarge('payload_too_large', payloadBytes),
      tooLarge('run_too_large', MAX_SUBMISSION_BYTES),
      ...(options.hasLimits ? [{ name: 'too_many', status, text: formatError(code, message) }] : []),
      { name: 'upgrade_required', status: 426, text: formatError('upgrade-required', 'Upgrade: expected websocket') },
    ],
  });
}

/** @param {string} name @param {number} bytes @returns the workers' answer */
function tooLarge(name, bytes) {
  return { name, status: 413, text: formatError('too-large', `body: expected at most ${bytes} bytes`) };
}

/**
 * Writes the folder anew; starts nothing.
 * @param {SiteOptions} site @param {string} folder
 * @returns {Promise<{ origin: string, startCommand: string, stopCommand: string }>} the commands are for a shell
 */
export async function createLocalSite(site, folder) {
  const user = process.getuid?.() === 0 ? os.userInfo().username : undefined;
  await mkdir(path.join(folder, 'temp'), { recursive: true });
  await createCertificate(site);
  await writeFile(path.join(folder, 'site.conf'), renderSite(site));
  await writeFile(path.join(folder, 'nginx.conf'), render('local.conf.ejs', { folder, user }));

  // Without -e, nginx would open its default log first, which only root may write.
  const nginx = `nginx -p '${folder}' -e '${folder}/error.log' -c '${folder}/nginx.conf'`;
  return {
    origin: `https://${site.domain}:${site.listen[0].split(':').at(-1)}`,
    startCommand: nginx,
    stopCommand: `${nginx} -s stop`,
  };
}

/** @param {SiteOptions} site */
async function createCertificate({ domain, listen, certificate, key }) {
  const names = new Set([domain, 'localhost', '127.0.0.1', '::1', ...listen.map(hostOf)]);
  const alternatives = [...names].map((name) => `${isIP(name) ? 'IP' : 'DNS'}:${name}`).join(',');
  // The mode is set before the key is written, which others must not read.
  await writeFile(key, '', { mode: 0o600 });
  await chmod(key, 0o600);
  const args = [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
    ...['-days', '365', '-subj', '/CN=SockShootout', '-addext', `subjectAltName=${alternatives}`],
    ...['-keyout', key, '-out', certificate],
  ];
  await promisify(execFile)('openssl', args).catch(({ code, stderr }) => {
    const reason = code === 'ENOENT' ? 'it is not installed; on Debian: apt-get install openssl' : stderr.trim();
    throw new Error(`openssl, which makes the certificate: ${reason}`);
  });
}

/** @param {string} name of the template @param {Record<string, unknown>} values */
function render(name, values) {
  return ejs.render(readFileSync(fileURLToPath(new URL(name, import.meta.url)), 'utf8'), values);
}

/** @param {string[]} args */
const formatCommand = (args) =>
  ['npm run nginx --', ...args.map((arg) => (/^[\w./:[\]=-]+$/.test(arg) ? arg : `'${arg}'`))].join(' ');
