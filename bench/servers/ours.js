import { createApp } from '../../server/app.js';
import { parseConfig } from '../../server/config.js';
import { createLog } from '../../server/log.js';
import { serve } from './serve.js';

// Its own environment: what the shell has set must not change what is measured.
const config = parseConfig({ LOG_LEVEL: 'silent' });
const { server } = await createApp({ config, log: createLog(config) });
serve(server);
