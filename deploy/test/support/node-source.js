/**
 * A stand-in for deb.nodesource.com: a signed repository over TLS, whose one package is the Node.js that runs the test.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cp, mkdir, readFile, realpath, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import path from 'node:path';
import { promisify } from 'node:util';
import express from 'express';

const execute = promisify(execFile);
const NAME = 'deb.nodesource.com';
/** Of loopback, and nobody's: 443 of the usual one may be taken. */
const ADDRESS = '127.77.0.1';
const DISTRIBUTION = 'dists/nodistro';
const PACKAGE = 'pool/nodejs.deb';

/**
 * @param {string} folder to be made; whoever asks for it removes it
 * @returns {Promise<{ host: Parameters<typeof import('./bare-debian.js').introduce>[1], close(): Promise<void> }>}
 */
export async function openNodeSource(folder) {
  const site = path.join(folder, 'site');
  const repository = path.join(site, 'node_24.x');
  await packNode(path.join(folder, 'package'), path.join(repository, PACKAGE));
  await writeIndex(repository);
  await sign(folder, path.join(repository, DISTRIBUTION), path.join(site, 'gpgkey'));
  const { key, certificateFile } = await makeCertificate(folder);

  const server = createServer({ key, cert: await readFile(certificateFile) }, express().use(express.static(site)));
  server.listen(443, ADDRESS);
  await once(server, 'listening');
  return {
    host: { name: NAME, address: ADDRESS, certificateFile },
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/**
 * @param {string} folder
 * @param {string} file the package to be made
 */
async function packNode(folder, file) {
  const npm = path.dirname(path.dirname(await realpath((await execute('which', ['npm'])).stdout.trim())));
  await mkdir(path.join(folder, 'usr/bin'), { recursive: true });
  await cp(process.execPath, path.join(folder, 'usr/bin/node'), { dereference: true });
  await cp(npm, path.join(folder, 'usr/lib/node_modules/npm'), { recursive: true });
  await symlink('../lib/node_modules/npm/bin/npm-cli.js', path.join(folder, 'usr/bin/npm'));
  const control = {
    Package: 'nodejs',
    Version: `${process.versions.node}-1nodesource1`,
    Architecture: await architecture(),
    Depends: 'libc6, libstdc++6',
    Maintainer: 'Test <test@example.org>',
    Description: 'Node.js',
  };
  await mkdir(path.join(folder, 'DEBIAN'));
  await writeFile(path.join(folder, 'DEBIAN/control'), formatFields(control));
  await mkdir(path.dirname(file), { recursive: true });
  await execute('dpkg-deb', ['--build', '--root-owner-group', '-Znone', folder, file]);
}

/** @param {string} repository */
async function writeIndex(repository) {
  const file = path.join(repository, PACKAGE);
  const control = (await execute('dpkg-deb', ['--field', file])).stdout;
  const packages =
    control + formatFields({ Filename: PACKAGE, Size: (await stat(file)).size, SHA256: await hash(file) });
  const list = `main/binary-${await architecture()}/Packages`;
  const listFile = path.join(repository, DISTRIBUTION, list);
  await mkdir(path.dirname(listFile), { recursive: true });
  await writeFile(listFile, packages);
  const release = {
    Suite: 'nodistro',
    Codename: 'nodistro',
    Architectures: await architecture(),
    Components: 'main',
    Date: new Date().toUTCString(),
    SHA256: `\n ${await hash(listFile)} ${packages.length} ${list}`,
  };
  await writeFile(path.join(repository, DISTRIBUTION, 'Release'), formatFields(release));
}

/**
 * @param {string} folder
 * @param {string} distribution
 * @param {string} keyFolder
 */
async function sign(folder, distribution, keyFolder) {
  const home = path.join(folder, 'gpg');
  await mkdir(home, { mode: 0o700 });
  await mkdir(keyFolder);
  /** @param {...string} words */
  const gpg = (...words) => execute('gpg', ['--homedir', home, '--batch', '--passphrase', '', ...words]);
  await gpg('--quick-generate-key', 'test@example.org', 'rsa2048', 'sign', 'never').catch((error) => {
    throw error.code === 'ENOENT' ? new Error('Expected gpg; on Debian: apt-get install gnupg') : error;
  });
  await gpg('--armor', '--output', path.join(keyFolder, 'nodesource-repo.gpg.key'), '--export');
  const [signed, release] = ['InRelease', 'Release'].map((name) => path.join(distribution, name));
  await gpg('--clearsign', '--output', signed, release);
  await execute('gpgconf', ['--homedir', home, '--kill', 'all']);
}

/** @param {string} folder */
async function makeCertificate(folder) {
  const [keyFile, certificateFile] = ['key.pem', 'certificate.pem'].map((name) => path.join(folder, name));
  const subject = ['-subj', `/CN=${NAME}`, '-addext', `subjectAltName=DNS:${NAME}`];
  const files = ['-keyout', keyFile, '-out', certificateFile];
  await execute('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-noenc', '-days', '2', ...subject, ...files]);
  return { key: await readFile(keyFile), certificateFile };
}

/** @param {Record<string, string | number>} fields */
const formatFields = (fields) =>
  Object.entries(fields)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('');

const architecture = async () => (await execute('dpkg', ['--print-architecture'])).stdout.trim();

/** @param {string} file */
const hash = async (file) =>
  createHash('sha256')
    .update(await readFile(file))
    .digest('hex');
