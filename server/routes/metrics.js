/**
 * `/metrics` for Prometheus: whichever worker is asked, it answers for all of them. `/metrics/own` is one worker's, for
 * the others to gather.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { BlockList, isIP } from 'node:net';
import { Router } from 'express';
import { AggregatorRegistry } from 'prom-client';
import { ownPortOf } from '../workers.js';

const GATHER_LIMIT_MS = 2000;

/** The other workers, and whoever runs this machine. */
const LOOPBACK = ['127.0.0.0/8', '::1'];

/**
 * @param {object} options
 * @param {Pick<import('../config.js').Config, 'metrics' | 'workers' | 'trustProxy'>} options.config
 * @param {import('../metrics.js').Metrics} options.metrics
 * @param {import('pino').Logger} options.log
 */
export function metricsRoutes({ config: { metrics: access, workers, trustProxy }, metrics: { registry }, log }) {
  const addresses = createAddressList([...LOOPBACK, ...access.addresses]);
  const router = Router();

  router.use('/metrics', (req, res, next) => {
    if (mayRead(req)) next();
    else
      res
        .status(403)
        .json({ error: { code: 'forbidden', message: 'metrics: expected a token, or an allowed address' } });
  });

  router.get('/metrics', async (_req, res) => {
    const gathered = await Promise.all([registry.getMetricsAsJSON(), ...othersOf(workers).map(gather)]);
    const all = AggregatorRegistry.aggregate(gathered.filter((figures) => figures !== undefined));
    res.type(registry.contentType).send(await all.metrics());
  });

  router.get('/metrics/own', async (_req, res) => {
    res.json(await registry.getMetricsAsJSON());
  });

  /** @param {import('express').Request} req */
  const mayRead = (req) => {
    if (access.token && isSame(req.get('authorization') ?? '', `Bearer ${access.token}`)) return true;
    // Behind a proxy that is not to be believed every visitor has the proxy's address.
    if (trustProxy === 0 && req.get('x-forwarded-for') !== undefined) return false;
    return isListed(addresses, req.ip ?? '');
  };

  /** @param {number} port */
  const gather = async (port) => {
    try {
      const response = await fetch(`http://127.0.0.1:${port}/metrics/own`, {
        headers: access.token ? { authorization: `Bearer ${access.token}` } : {},
        signal: AbortSignal.timeout(GATHER_LIMIT_MS),
      });
      if (!response.ok) throw new Error(`status ${response.status}`);
      return await response.json();
    } catch (error) {
      log.warn({ err: error, port }, 'a worker gave no metrics');
      return undefined;
    }
  };

  return router;
}

/** @param {import('../workers.js').Workers | undefined} workers */
function othersOf(workers) {
  if (!workers) return [];
  const indexes = Array.from({ length: workers.count }, (_, index) => index);
  return indexes.filter((index) => index !== workers.index).map((index) => ownPortOf(workers, index));
}

/** @param {readonly string[]} ranges addresses, or networks with their prefix length */
function createAddressList(ranges) {
  const list = new BlockList();
  for (const range of ranges) {
    const [address, bits] = range.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}

/**
 * @param {BlockList} list
 * @param {string} address
 */
function isListed(list, address) {
  // On a socket that takes both families an IPv4 address comes as ::ffff:10.1.2.3.
  const plain = address.replace(/^::ffff:(?=\d+\.)/, '');
  const family = isIP(plain);
  return family !== 0 && list.check(plain, family === 6 ? 'ipv6' : 'ipv4');
}

/**
 * Compares without telling by its time how much was right.
 *
 * @param {string} got
 * @param {string} expected
 */
function isSame(got, expected) {
  const [a, b] = [got, expected].map((text) => createHash('sha256').update(text).digest());
  return timingSafeEqual(a, b);
}
