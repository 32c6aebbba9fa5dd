/**
 * From checked options to nginx's words.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ejs from 'ejs';
import { formatError } from '../../server/http/answer.js';
import { LIMITS } from '../../server/http/limits.js';
import { MAX_SUBMISSION_BYTES } from '../../server/saved-runs/submission.js';

/** @import { SiteOptions } from './options.js' */

const KIB = 1024;

/** What a body may be longer than what the workers take, so that the refusal comes from them. */
const ROOM_KIB = 64;

/** Debian's own site for every other name serves it, too: so certbot can be asked before this site is in place. */
const ACME_FOLDER = '/var/www/html';

const HSTS = 'add_header Strict-Transport-Security "max-age=63072000" always;';

/**
 * @param {SiteOptions} options
 * @returns {string} for nginx's conf.d
 */
export function renderSite(options) {
  const { messageBytes, payloadBytes, heartbeatMs, requestMs } = LIMITS;
  const isLocal = options.folder !== undefined;
  return render('site.conf.ejs', {
    ...options,
    isLocal,
    ACME_FOLDER,
    HSTS,
    command: formatCommand(options.args),
    serverNames: isLocal ? [...new Set([options.domain, 'localhost'])].join(' ') : options.domain,
    messageBytes,
    messageRoomKib: messageBytes / KIB + ROOM_KIB,
    payloadRoomKib: payloadBytes / KIB + ROOM_KIB,
    payloadSeconds: (2 * requestMs) / 1000,
    submissionRoomKib: Math.ceil(MAX_SUBMISSION_BYTES / KIB) + ROOM_KIB,
    heartbeatSeconds: heartbeatMs / 1000,
    refusals: [
      tooLarge('too_large', messageBytes),
      tooLarge('payload_too_large', payloadBytes),
      tooLarge('run_too_large', MAX_SUBMISSION_BYTES),
      { name: 'upgrade_required', status: 426, text: formatError('upgrade-required', 'Upgrade: expected websocket') },
    ],
  });
}

/** @param {string} name @param {number} bytes @returns what the workers would answer */
function tooLarge(name, bytes) {
  return { name, status: 413, text: formatError('too-large', `body: expected at most ${bytes} bytes`) };
}

/**
 * @param {{ folder: string, user?: string }} options `user` only where root will start it
 * @returns {string} a whole nginx.conf, which includes the folder's site.conf
 */
export function renderLocalFrame({ folder, user }) {
  return render('local.conf.ejs', { folder, user });
}

/** @param {string} name of the template @param {Record<string, unknown>} values */
function render(name, values) {
  return ejs.render(readFileSync(fileURLToPath(new URL(name, import.meta.url)), 'utf8'), values);
}

/** @param {string[]} args */
function formatCommand(args) {
  return ['npm run nginx --', ...args.map((arg) => (/^[\w./:[\]=-]+$/.test(arg) ? arg : `'${arg}'`))].join(' ');
}
