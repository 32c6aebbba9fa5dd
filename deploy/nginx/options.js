/** The renderer's command line, checked: everything here ends up in a file that nginx, run by root, reads. */
import { isIP, isIPv6 } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { Option } from 'commander';
import { createCommand, parseArguments } from '../../cli/program/command.js';
import { InvalidInputError } from '../../core/base/foreign-text.js';
import { integer, parseField } from '../../core/experiment/plan/fields.js';
import { BASE_PATH } from '../../server/base-path.js';
import { isAddressRange } from '../../server/http/addresses.js';

/** @import { Values } from '../../cli/program/command.js' */

const MAX_WORKERS = 1024;
const MAX_PORT = 65535;
const LOCAL_FOLDER = 'tmp/nginx';
const LOCAL_LISTEN = '127.0.0.1:8443';

const createRender = () =>
  createCommand('npm run nginx --', 'Prints a configuration for nginx 1.22 or newer in front of SockShootout.')
    .usage('--domain NAME [options]\n       npm run nginx -- --local [options]')
    .option('--domain <name>', "the site's name; default with --local: localhost")
    .option('--workers <n>', 'workers on this machine; default: one per CPU, as with pm2')
    .option('--port <n>', 'their shared port; default: 8000. Worker i also has port N + 1 + i')
    .option('--base-path <path>', "the site's BASE_PATH, like /shootout; default: the root")
    .addOption(
      new Option(
        '--upstream <host:port...>',
        'a machine and the shared port of its workers, instead of the two before; repeatable',
      ).conflicts(['workers', 'port']),
    )
    .option('--certificate <file>', 'certificate chain; default: that of certbot, in /etc/letsencrypt/live/NAME/')
    .option('--key <file>', 'its key; default: that of certbot')
    .option('--metrics-allow <addr...>', 'an address or network that may read /metrics; repeatable; default: none')
    .option(
      '--limits',
      'refuse an address that asks for too many pages, or opens too many connections; default: no limits',
    )
    .option('--out <file>', 'write to a file')
    .optionsGroup('For a laptop:')
    .addOption(
      new Option('--local', 'all files in one folder, with a self-signed certificate; needs no root').conflicts([
        ...['certificate', 'key', 'out'],
      ]),
    )
    .option('--folder <dir>', `the folder; default: ${LOCAL_FOLDER}`)
    .option('--listen <[addr:]port>', `address and port to listen on; default: ${LOCAL_LISTEN}`);

/**
 * @typedef {object} Upstreams
 * @property {boolean} areMachines are they machines? Else workers of this one
 * @property {string[]} addresses
 * @typedef {object} Files
 * @property {string[]} listen addresses with ports
 * @property {string} certificate
 * @property {string} key
 * @property {string} [folder] for all files of an nginx for a laptop
 * @property {string} [out] a file for the configuration
 * @typedef {object} Site
 * @property {string[]} args
 * @property {string} domain
 * @property {string} basePath empty for the root
 * @property {string[]} metricsAllow addresses and networks
 * @property {boolean} hasLimits of what an address may ask for
 * @typedef {Site & Upstreams & Files} SiteOptions
 */

/**
 * @param {string[]} args @param {string} [cwd] where relative paths begin @returns {SiteOptions}
 * @throws {InvalidInputError | CommanderError} the option, what was expected, what it got; the latter after the help
 */
export function parseOptions(args, cwd = process.cwd()) {
  const values = parseArguments(createRender(), args);
  refuseContradictions(values);
  const { domain = values.local ? 'localhost' : undefined, metricsAllow = [] } = values;
  if (domain === undefined) throw wrongValue('--domain', 'the name of the site');
  return {
    args,
    domain: parseDomain(domain),
    basePath: parseBasePath(values.basePath),
    ...parseUpstreams(values),
    metricsAllow: metricsAllow.map(parseNetwork),
    hasLimits: values.limits === true,
    ...(values.local ? parseLocal(values, cwd) : parsePublic(values, domain.toLowerCase(), cwd)),
  };
}

/** @param {Values} values */
function refuseContradictions({ local, folder, listen, certificate, key }) {
  const alone = folder === undefined ? listen !== undefined && '--listen' : '--folder';
  if (alone && !local) throw new InvalidInputError(`${alone} needs --local`);
  if ((certificate === undefined) === (key === undefined)) return;
  const given = key === undefined ? 'certificate' : 'key';
  throw new InvalidInputError(`--certificate, --key: expected both or neither, got only --${given}`);
}

/** @param {Values} values @param {string} domain @param {string} cwd @returns {Files} */
function parsePublic({ certificate, key, out }, domain, cwd) {
  const live = `/etc/letsencrypt/live/${domain}`;
  return {
    folder: undefined,
    listen: ['443', '[::]:443'],
    certificate: parsePath('--certificate', certificate ?? `${live}/fullchain.pem`, cwd),
    key: parsePath('--key', key ?? `${live}/privkey.pem`, cwd),
    out: out === undefined ? undefined : parsePath('--out', out, cwd),
  };
}

/** @param {Values} values @param {string} cwd @returns {Files} */
function parseLocal({ folder: name = LOCAL_FOLDER, listen = LOCAL_LISTEN }, cwd) {
  const folder = parsePath('--folder', name, cwd);
  return {
    listen: [parseListen(listen)],
    certificate: path.join(folder, 'certificate.pem'),
    key: path.join(folder, 'key.pem'),
    folder,
    out: undefined,
  };
}

/** @param {Values} values @returns {Upstreams} */
function parseUpstreams({ upstream, workers, port }) {
  if (upstream) {
    return {
      areMachines: true,
      addresses: /** @type {string[]} */ (upstream).map((address) => parseAddress('--upstream', address)),
    };
  }
  const count = parseInteger('--workers', workers ?? String(os.availableParallelism()), MAX_WORKERS);
  // The workers' own ports follow the shared one.
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

/** @param {string} [text] @returns {string} empty for the root */
function parseBasePath(text = '') {
  if (text === '' || BASE_PATH.pattern.test(text)) return text;
  throw wrongValue('--base-path', BASE_PATH.expected.split('; ')[0], text);
}

/** @param {string} parameter @param {string} text @param {number} max */
const parseInteger = (parameter, text, max) => parseField(text, integer({ parameter, label: '', min: 1, max }));

/** @param {string} name of the option @param {string} text */
function parseAddress(name, text) {
  const [, host, port] = /^(.+):([^:]+)$/.exec(text) ?? [];
  if (host && isHost(host)) return `${host}:${parseInteger(`${name}, its port`, port, MAX_PORT)}`;
  throw wrongValue(name, 'HOST:PORT, like 10.0.0.2:8000 or [fd00::2]:8000', text);
}

/** @param {string} text an address and a port, or a port alone, which is one of the loopback interface */
function parseListen(text) {
  const address = text.includes(':') ? text : `127.0.0.1:${text}`;
  if (isIP(hostOf(address)) === 0) throw wrongValue('--listen', 'PORT or ADDRESS:PORT', text);
  return parseAddress('--listen', address);
}

/** @param {string} address with a port @returns {string} without it, and without an IPv6 address's brackets */
export const hostOf = (address) => address.slice(0, address.lastIndexOf(':')).replace(/^\[|\]$/g, '');

/** @param {string} text */
function isHost(text) {
  const [, inBrackets] = /^\[(.+)\]$/.exec(text) ?? [];
  return inBrackets === undefined ? /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/i.test(text) : isIPv6(inBrackets);
}

/** @param {string} text */
function parseNetwork(text) {
  if (isAddressRange(text)) return text;
  throw wrongValue('--metrics-allow', 'an IP address like 10.1.2.3, or a network like 10.0.0.0/8', text);
}

/** @param {string} name @param {string} text @param {string} cwd */
function parsePath(name, text, cwd) {
  const absolute = path.resolve(cwd, text);
  // Paths are quoted in nginx's configuration and in shell commands.
  if (text === '' || /["'\\${};\p{Cc}]/u.test(absolute + text)) {
    throw wrongValue(name, 'a path without quotes, backslash, $, {, }, ; and control characters', absolute);
  }
  return absolute;
}

/** @param {string} name of the option @param {string} expected @param {string} [value] */
const wrongValue = (name, expected, value) =>
  new InvalidInputError(`${name}: expected ${expected}, got ${JSON.stringify(value) ?? 'none'}`);
