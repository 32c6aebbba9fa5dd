/**
 * A whole nginx in one folder, for a laptop: its configuration, and a certificate that nobody vouches for.
 */
import { execFile } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { hostOf } from './options.js';
import { renderLocalFrame, renderSite } from './site.js';

/** @import { SiteOptions } from './options.js' */

const CERTIFICATE_DAYS = 365;

/**
 * Writes the folder anew; starts nothing.
 *
 * @param {SiteOptions} site
 * @param {string} folder
 * @returns {Promise<{ origin: string, startCommand: string, stopCommand: string }>} the commands are for a shell
 */
export async function createLocalSite(site, folder) {
  const user = process.getuid?.() === 0 ? os.userInfo().username : undefined;
  await mkdir(path.join(folder, 'temp'), { recursive: true });
  await createCertificate(site);
  await writeFile(path.join(folder, 'site.conf'), renderSite(site));
  await writeFile(path.join(folder, 'nginx.conf'), renderLocalFrame({ folder, user }));

  // -e: else it would look for its usual log first, which only root may write.
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
  // Before there is anything in it that others must not read.
  await writeFile(key, '', { mode: 0o600 });
  await chmod(key, 0o600);
  await openssl([
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
    ...['-days', String(CERTIFICATE_DAYS), '-subj', '/CN=SockShootout', '-addext', `subjectAltName=${alternatives}`],
    ...['-keyout', key, '-out', certificate],
  ]);
}

/** @param {string[]} args */
async function openssl(args) {
  try {
    await promisify(execFile)('openssl', args);
  } catch (error) {
    const { code, stderr } = /** @type {{ code?: string, stderr?: string }} */ (error);
    const reason = code === 'ENOENT' ? 'it is not here; on Debian: apt-get install openssl' : stderr?.trim();
    throw new Error(`openssl, which makes the certificate: ${reason}`, { cause: error });
  }
}
