/** A page of another site, whose policy allows what the documentation says and nothing more. */
import { once } from 'node:events';
import { createServer } from 'node:http';

/** @import { AddressInfo } from 'node:net' */

/**
 * @param {{ site: string, tag: string, script?: string, allowed?: string }} options `tag`: the line of HTML; `script`: of the page's
 *   own, at /own.js; /bare has neither; `allowed`: what it may connect to
 */
export async function openHostPage({ site, tag, script = '', allowed = `${site} ${site.replace(/^http/, 'ws')}` }) {
  const server = createServer((req, res) => {
    const isScript = req.url === '/own.js';
    res.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html');
    res.setHeader('Content-Security-Policy', `default-src 'none'; script-src 'self' ${site}; connect-src ${allowed}`);
    const own = script ? '<script type="module" src="/own.js"></script>' : '';
    res.end(
      isScript
        ? script
        : `<!doctype html><html lang="en"><title>Shop</title><h1>Shop</h1>${req.url === '/bare' ? '' : tag + own}</html>`,
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${/** @type {AddressInfo} */ (server.address()).port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
