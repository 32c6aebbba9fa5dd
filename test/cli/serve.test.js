/** The options of `sockshootout serve`. What it does once it runs is in test/soak/package.test.js. */
import { describe, it } from 'node:test';
import { main } from '../../cli/serve.js';
import { assertComplaint, assertRefused, refusalOf } from '../support/complaint.js';
import { runProgram } from '../support/program.js';
import { withSettings } from '../support/settings.js';

describe('sockshootout serve', () => {
  for (const name of ['port', 'host', 'data', 'workers']) {
    it(`refuses an empty --${name}, as a script has it whose variable is unset`, () =>
      withSettings({}, async () => {
        const { message } = await refusalOf(() => main([`--${name}`, '']));
        assertComplaint(message, `--${name}`, 'none');
      }));
  }

  for (const workers of ['1', '2']) {
    it(`refuses a wrong setting as it does a wrong option, with WORKERS=${workers}`, () =>
      withSettings({ WORKERS: workers }, async () =>
        assertComplaint(await refusalOf(() => main(['--port', 'x'])), '--port', 'x'),
      ));
  }

  it('ends with 2 and one line where it refuses', async () => {
    assertRefused(await runProgram('cli/sockshootout.js', ['serve', '--port', 'x']), '--port', 'x');
  });
});
