/**
 * The security headers of pages and assets.
 *
 * No `upgrade-insecure-requests`: it breaks plain http away from localhost. No HSTS: over a local TLS set-up it would
 * pin localhost for a year; it belongs to the real domain's proxy.
 */
import helmet from 'helmet';

const LOCAL_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]']);

/** @param {boolean} isolated */
const headers = (isolated) =>
  helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
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
 * @returns {import('express').RequestHandler}
 */
export function securityHeaders() {
  const isolated = headers(true);
  const plain = headers(false);
  return (req, res, next) => {
    const isSecure = req.secure || LOCAL_HOSTS.has(req.hostname);
    (isSecure ? isolated : plain)(req, res, next);
  };
}
