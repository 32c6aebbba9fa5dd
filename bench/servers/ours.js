import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createApp } from '../../server/app.js';
import { parseConfig } from '../../server/config.js';
import { createLog } from '../../server/telemetry/log.js';
import { openStore } from '../../server/store/index.js';
import { serve } from './serve.js';

const dataDir = await mkdtemp(path.join(os.tmpdir(), 'sockshootout-'));
process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }));
// Its own environment: what the shell has set must not change what is measured.
const config = parseConfig({ LOG_LEVEL: 'silent' });
const store = await openStore({ dataDir });
await store.migrate();
const { server } = await createApp({ config, log: createLog(config), store });
serve(server);
