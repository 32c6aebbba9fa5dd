/**
 * The renderer's command line, checked: everything here ends up in a file that nginx, run by root, reads.
 */
import { isIP, isIPv6 } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';

const MAX_WORKERS = 1024;
const MAX_PORT = 65535;
const LOCAL_FOLDER = 'tmp/nginx';
const LOCAL_LISTEN = '127.0.0.1:8443';

const OPTIONS = /** @type {const} */ ({
  domain: { type: 'string' },
  workers: { type: 'string' },
  port: { type: 'string' },
  upstream: { type: 'string', multiple: true },
  certificate: { type: 'string' },
  key: { type: 'string' },
  'metrics-allow': { type: 'string', multiple: true },
  out: { type: 'string' },
  local: { type: 'boolean' },
  folder: { type: 'string' },
  listen: { type: 'string' },
  help: { type: 'boolean' },
});

export const USAGE = `usage: npm run nginx -- --domain NAME [options]
       npm run nginx -- --local [options]

Prints a configuration for nginx 1.22 or newer in front of SockShootout.

  --domain NAME          the site's name; with --local it may be left out, and is localhost then
  --workers N            workers on this machine (default: one per CPU, as pm2 starts them)
  --port N               the port that they share (default: 8000); worker i is asked at the port N + 1 + i
  --upstream HOST:PORT   instead of the two above: a machine, at the port that its workers share; once per machine
  --certificate FILE     the chain, and its key; default: where certbot puts them,
  --key FILE             /etc/letsencrypt/live/NAME/
  --metrics-allow ADDR   an address or a network that may read /metrics; once per address (default: nobody)
  --out FILE             write there instead of printing

  --local                everything for a laptop in one folder, with a certificate of its own; no root needed
  --folder DIR           that folder (default: ${LOCAL_FOLDER})
  --listen [ADDR:]PORT   where it listens (default: ${LOCAL_LISTEN})

  --help                 this text
`;

/**
 * @typedef {object} SiteOptions
 * @property {string[]} args the command line that asked for it
 * @property {string} domain
 * @property {string[]} addresses of the workers, or of the machines
 * @property {boolean} areMachines
 * @property {string[]} metricsAllow addresses and networks
 * @property {string[]} listen
 * @property {string} certificate
 * @property {string} key
 * @property {boolean} isLocal
 *
 * @typedef {Omit<SiteOptions, 'listen' | 'certificate' | 'key' | 'isLocal'>} CommonOptions
 * @typedef {{ folder: string }} LocalOptions
 *
 * @typedef {{ action: 'help' }
 *   | { action: 'print', site: SiteOptions, out: string | undefined }
 *   | { action: 'local', site: SiteOptions, local: LocalOptions }} Command
 */

/**
 * @param {string[]} args
 * @param {string} [cwd] where relative paths begin
 * @returns {Command}
 * @throws {RangeError} the option, what was expected, what it got
 */
export function parseOptions(args, cwd = process.cwd()) {
  const values = readOptions(args);
  if (values.help) return { action: 'help' };
  refuseContradictions(values);
  const domain = values.domain === undefined ? localDomain(values) : parseDomain(values.domain);
  const site = {
    args,
    domain,
    ...parseUpstreams(values),
    metricsAllow: (values['metrics-allow'] ?? []).map(parseNetwork),
  };
  return values.local ? parseLocal(values, site, cwd) : parsePublic(values, site, cwd);
}

/**
 * @param {string[]} args
 * @returns {{ [Name in keyof typeof OPTIONS]?: typeof OPTIONS[Name] extends { multiple: true } ? string[]
 *   : typeof OPTIONS[Name] extends { type: 'boolean' } ? boolean : string }}
 */
function readOptions(args) {
  // Not strict: its errors do not all say what was expected.
  const { values, tokens } = parseArgs({ args, options: OPTIONS, strict: false, allowPositionals: true, tokens: true });
  /** @type {Set<string>} */
  const seen = new Set();
  for (const token of tokens) {
    if (token.kind === 'positional') throw wrongValue('options', 'only such as begin with --', token.value);
    if (token.kind === 'option') checkToken(token, seen);
  }
  return /** @type {any} */ (values);
}

/**
 * @param {{ name: string, rawName: string, value?: string }} token
 * @param {Set<string>} seen the names before it
 */
function checkToken({ name, rawName, value }, seen) {
  if (!Object.hasOwn(OPTIONS, name)) {
    throw wrongValue('options', `one of ${Object.keys(OPTIONS).map(flag).join(', ')}`, rawName);
  }
  const option = /** @type {{ type: string, multiple?: boolean }} */ (
    OPTIONS[/** @type {keyof typeof OPTIONS} */ (name)]
  );
  if (option.type === 'string' && (value === undefined || value === '')) throw wrong(flag(name), 'a value', 'none');
  if (option.type === 'boolean' && value !== undefined) throw wrongValue(flag(name), 'no value', value);
  if (seen.has(name) && !option.multiple) throw wrong(flag(name), 'it once', 'it again');
  seen.add(name);
}

/** @param {ReturnType<typeof readOptions>} values */
function refuseContradictions(values) {
  /** @param {(keyof typeof OPTIONS)[]} names */
  const given = (...names) => names.find((name) => values[name] !== undefined);
  const withUpstream = values.upstream && given('workers', 'port');
  if (withUpstream) throw wrong(flag(withUpstream), 'none beside --upstream', 'both');
  if ((values.certificate === undefined) !== (values.key === undefined)) {
    throw wrong('--certificate, --key', 'both or neither', `${given('certificate', 'key')} alone`);
  }
  const notLocal = values.local && given('certificate', 'key', 'out');
  if (notLocal) throw wrong(flag(notLocal), 'none beside --local, which makes its own', 'both');
  const onlyLocal = !values.local && given('folder', 'listen');
  if (onlyLocal) throw wrong(flag(onlyLocal), '--local beside it', 'none');
}

/** @param {ReturnType<typeof readOptions>} values */
function localDomain({ local }) {
  if (local) return 'localhost';
  throw wrong('--domain', 'the name of the site', 'none');
}

/**
 * @param {ReturnType<typeof readOptions>} values
 * @param {CommonOptions} site
 * @param {string} cwd
 * @returns {Command}
 */
function parsePublic(values, site, cwd) {
  const live = `/etc/letsencrypt/live/${site.domain}`;
  return {
    action: 'print',
    out: values.out && parsePath('--out', values.out, cwd),
    site: {
      ...site,
      isLocal: false,
      listen: ['443', '[::]:443'],
      certificate: parsePath('--certificate', values.certificate ?? `${live}/fullchain.pem`, cwd),
      key: parsePath('--key', values.key ?? `${live}/privkey.pem`, cwd),
    },
  };
}

/**
 * @param {ReturnType<typeof readOptions>} values
 * @param {CommonOptions} site
 * @param {string} cwd
 * @returns {Command}
 */
function parseLocal(values, site, cwd) {
  const folder = parsePath('--folder', values.folder ?? LOCAL_FOLDER, cwd);
  return {
    action: 'local',
    local: { folder },
    site: {
      ...site,
      isLocal: true,
      listen: [parseListen(values.listen ?? LOCAL_LISTEN)],
      certificate: path.join(folder, 'certificate.pem'),
      key: path.join(folder, 'key.pem'),
    },
  };
}

/**
 * @param {ReturnType<typeof readOptions>} values
 * @returns {Pick<SiteOptions, 'addresses' | 'areMachines'>}
 */
function parseUpstreams({ upstream, workers, port }) {
  if (upstream) return { areMachines: true, addresses: upstream.map((text) => parseAddress('--upstream', text)) };
  const count = parseInteger('--workers', workers ?? String(os.availableParallelism()), MAX_WORKERS);
  // The workers' own ports follow the one that they share.
  const firstPort = parseInteger('--port', port ?? '8000', MAX_PORT - count) + 1;
  return {
    areMachines: false,
    addresses: Array.from({ length: count }, (_, index) => `127.0.0.1:${firstPort + index}`),
  };
}

/** @param {string} text */
function parseDomain(text) {
  const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i;
  if (text.length > 253 || !text.split('.').every((part) => label.test(part))) {
    throw wrongValue('--domain', 'a name like example.org, in ASCII letters, digits and hyphens', text);
  }
  return text.toLowerCase();
}

/**
 * @param {string} name
 * @param {string} text
 * @param {number} max
 */
function parseInteger(name, text, max) {
  if (!/^[1-9]\d{0,8}$/.test(text) || Number(text) > max) throw wrongValue(name, `an integer from 1 to ${max}`, text);
  return Number(text);
}

/**
 * @param {string} name of the option
 * @param {string} text
 */
function parseAddress(name, text) {
  const [, host, port] = /^(.+):([^:]+)$/.exec(text) ?? [];
  if (host === undefined || !isHost(host))
    throw wrongValue(name, 'HOST:PORT, like 10.0.0.2:8000 or [fd00::2]:8000', text);
  return `${host}:${parseInteger(`${name}, its port`, port, MAX_PORT)}`;
}

/** @param {string} text an address and a port, or a port alone, which is one of the loopback interface */
function parseListen(text) {
  const address = text.includes(':') ? text : `127.0.0.1:${text}`;
  if (isIP(hostOf(address)) === 0) throw wrongValue('--listen', 'PORT or ADDRESS:PORT', text);
  return parseAddress('--listen', address);
}

/**
 * @param {string} address with a port
 * @returns {string} without it, and without an IPv6 address's brackets
 */
export function hostOf(address) {
  return address.slice(0, address.lastIndexOf(':')).replace(/^\[|\]$/g, '');
}

/** @param {string} text */
function isHost(text) {
  const [, inBrackets] = /^\[(.+)\]$/.exec(text) ?? [];
  return inBrackets === undefined ? /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/i.test(text) : isIPv6(inBrackets);
}

/** @param {string} text */
function parseNetwork(text) {
  const [address, bits = '0', ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0 || !/^\d{1,3}$/.test(bits) || Number(bits) > (family === 4 ? 32 : 128)) {
    throw wrongValue('--metrics-allow', 'an address like 10.1.2.3, or a network like 10.0.0.0/8', text);
  }
  return text;
}

/**
 * @param {string} name
 * @param {string} text
 * @param {string} cwd
 */
function parsePath(name, text, cwd) {
  const absolute = path.resolve(cwd, text);
  // They stand between quotes, in nginx's words and in a shell's.
  if (/["'\\${};\p{Cc}]/u.test(absolute + text)) {
    throw wrongValue(name, 'a path without quotes, backslash, $, {, }, ; and control characters', absolute);
  }
  return absolute;
}

/** @param {string} name */
function flag(name) {
  return `--${name}`;
}

/**
 * @param {string} name
 * @param {string} expected
 * @param {string} value
 */
function wrongValue(name, expected, value) {
  return wrong(name, expected, JSON.stringify(value));
}

/**
 * @param {string} name
 * @param {string} expected
 * @param {string} got
 */
function wrong(name, expected, got) {
  return new RangeError(`${name}: expected ${expected}, got ${got}`);
}
