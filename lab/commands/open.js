/**
 * `lab open`: an emulated link for any browser on this machine, until Ctrl-C.
 */
import { once } from 'node:events';
import { createCommand, parseArguments } from '../../cli/program/command.js';
import { cancelOnSignals, EXIT } from '../../cli/program/program.js';
import { describeLink, nameLink } from '../../core/experiment/run/emulated-link.js';
import { withSite } from '../far-site.js';
import { requireMachine, say, throwUnlessCancelled } from '../machine.js';
import { addLinkOptions, parseConditions } from '../options.js';

const createOpen = () =>
  addLinkOptions(
    createCommand(
      'sudo npx sockshootout lab open',
      'Starts the site behind an emulated link and prints its URL, for any browser on this machine. Ctrl-C stops the site and removes the link. Several can be open at the same time.',
    ),
  ).option('--h2', 'behind nginx, with TLS and HTTP/2; the certificate is self-signed');

/** @param {string[]} args @returns {Promise<number>} the exit code */
export async function main(args) {
  const { h2: isBehindNginx, ...values } = parseArguments(createOpen(), args);
  const conditions = parseConditions(values);
  await requireMachine(isBehindNginx ? ['nginx', 'openssl'] : []);
  const signal = cancelOnSignals({ mustTidyUp: true });
  try {
    await withSite(
      conditions,
      async ({ link, origin }) => {
        const ping = await link.ping();
        signal.throwIfAborted();
        process.stdout.write(`${origin}/\n`);
        link.startChanges();
        say(describeLink({ kind: link.kind, ...conditions, ping }));
        if (isBehindNginx) say('The certificate is self-signed: your browser will warn you.');
        say('To stop: Ctrl-C. Runs that you share here are deleted then.');
        await once(signal, 'abort');
      },
      { isBehindNginx, serverName: nameLink(conditions), isClientHere: true },
    );
  } catch (error) {
    throwUnlessCancelled(error, signal);
  }
  return EXIT.done;
}
