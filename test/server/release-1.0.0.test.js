import { it } from 'node:test';
import { holdsRelease, writeRelease } from '../contract/release-1.0.0.js';
import { withFolder } from '../support/folder.js';
import { openServer } from '../support/server.js';

it('an SQLite file of 1.0.0 is upgraded without loss', () =>
  withFolder(async (dataDir) => {
    await writeRelease(dataDir);
    const server = await openServer({ env: { DATA_DIR: dataDir } });
    try {
      await holdsRelease(server);
    } finally {
      await server.close();
    }
  }));
