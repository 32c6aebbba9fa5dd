import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createApp } from '../../server/app.js';
import { parseConfig } from '../../server/config.js';
import { createLog } from '../../server/log.js';
import { openStore } from '../../server/store/index.js';
import { serve } from './serve.js';

const dataDir = await mkdtemp(path.join(os.tmpdir(), 'sockshootout-'));
// Its own environment: what the shell has set must not change what is measured.
const config = parseConfig({ LOG_LEVEL: 'silent' });
const store = await openStore({ dataDir });
await store.migrate();
// It stays usable while it is open, and this process is ended without a warning.
await rm(dataDir, { recursive: true });
const { server } = await createApp({ config, log: createLog(config), store });
serve(server);
