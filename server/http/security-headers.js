/**
 * The security headers of pages and assets.
 *
 * No `upgrade-insecure-requests`: it breaks plain http away from localhost. No HSTS: over a local TLS set-up it would
 * pin localhost for a year; it belongs to the real domain's proxy.
 */
import helmet from 'helmet';

/**
 * @import { RequestHandler } from 'express'
 * @import { OtherServer } from '../config.js'
 */

const LOCAL_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]']);

/** @param {boolean} isolated @param {readonly string[]} origins of other servers that a page may measure */
const headers = (isolated, origins) =>
  helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        connectSrc: ["'self'", ...origins, ...origins.map((origin) => origin.replace(/^http/, 'ws'))],
        // SockJS has fallbacks that work in a frame of the server's.
        frameSrc: ["'self'", ...origins],
        // The stylesheet's own icons are data URLs.
        imgSrc: ["'self'", 'data:'],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'self'"],
        objectSrc: ["'none'"],
      },
    },
    strictTransportSecurity: false,
    crossOriginOpenerPolicy: isolated && { policy: 'same-origin' },
    crossOriginEmbedderPolicy: isolated && { policy: 'require-corp' },
    // Over plain http away from localhost a browser ignores it, and says so on the console.
    originAgentCluster: isolated,
  });

/**
 * Cross-origin isolation makes the browser's clock 20 times finer, but works only where the page is a secure context:
 * over TLS, and on localhost.
 *
 * @param {readonly OtherServer[]} otherServers
 * @returns {RequestHandler}
 */
export function securityHeaders(otherServers) {
  const origins = otherServers.map(({ origin }) => origin);
  const isolated = headers(true, origins);
  const plain = headers(false, origins);
  return (req, res, next) => {
    const isSecure = req.secure || LOCAL_HOSTS.has(req.hostname);
    (isSecure ? isolated : plain)(req, res, next);
  };
}
