import { after, before, describe, it } from 'node:test';
import { createJobClients } from '../../cli/net/job-client.js';
import { packagesFor } from '../../core/experiment/plan/packages.js';
import { jobs } from '../../core/experiments/jobs/index.js';
import { deliveries } from '../../core/net/delivery/index.js';
import { openServer } from '../support/server.js';
import { deliveriesContract } from './deliveries-contract.js';

/**
 * @import { Socket } from 'node:net'
 * @import { TestServer } from '../support/server.js'
 */

// One after the other: where this process is busy, SockJS opens slowly, and asks for its server again and again.
describe('deliveries', () => {
  /** @type {TestServer} */
  let server;
  /** @type {Set<Socket>} */
  const sockets = new Set();
  before(async () => {
    server = await openServer();
    server.server.on('connection', (socket) => sockets.add(socket.once('close', () => sockets.delete(socket))));
  });
  after(() => server.close());

  const breakConnections = () => sockets.forEach((socket) => socket.destroy());

  for (const delivery of Object.keys(deliveries)) {
    const packages = packagesFor(jobs, { deliveries: [delivery] });
    describe(`${delivery}, in Node`, () => {
      /** @type {Awaited<ReturnType<typeof createJobClients>>} */
      let createClient;
      /** @type {Awaited<ReturnType<typeof createJobClients>>} */
      let createLostClient;
      before(async () => {
        createClient = await createJobClients(server.origin, packages);
        createLostClient = await createJobClients('http://127.0.0.1:1', packages);
      });

      for (const [name, check] of Object.entries(deliveriesContract)) {
        it(name, { timeout: 120_000 }, () =>
          check({ delivery, origin: server.origin, createClient, createLostClient, breakConnections }),
        );
      }
    });
  }
});
