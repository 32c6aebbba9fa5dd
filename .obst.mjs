process.chdir('/tmp/wt-reach');
const { openServer } = await import('/tmp/wt-reach/test/support/server.js');
const { withObstacle, OBSTACLE_NAMES } = await import('/tmp/wt-reach/test/support/obstacles/index.js');
import { spawn } from 'node:child_process';
const server = await openServer();
const names = process.argv.slice(2);
for (const name of names.length ? names : OBSTACLE_NAMES) {
  const t = Date.now();
  await withObstacle(name, server.port, async ({ origin, certificatePath }) => {
    const env = { ...process.env, ...(certificatePath && { NODE_EXTRA_CA_CERTS: certificatePath }) };
    const child = spawn('node', ['cli/sockshootout.js','run','reach','--url',origin,'--silences','300,2000','--heartbeat','500','-q'], { env });
    let out=''; child.stdout.on('data', d => out += d); child.stderr.on('data', d => out += d);
    await new Promise(r => child.on('close', r));
    console.log('=====', name, Date.now()-t, 'ms');
    console.log(out.split('\nFigures')[0].split('\n').filter(l=>!/not tested  This client/.test(l)).map(l=>l.replace(/  +/g,'  ')).join('\n'));
  });
}
await server.close();
