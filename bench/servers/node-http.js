/**
 * The AJAX echo on bare node:http: the same answer, and nothing but that.
 */
import { createServer } from 'node:http';
import { LIMITS } from '../../server/http/limits.js';
import { serve } from './serve.js';

const server = createServer({ noDelay: true, keepAliveTimeout: LIMITS.keepAliveMs }, ({ url = '' }, res) => {
  const body = `{"count":${Number(url.slice(url.indexOf('=') + 1)) + 1}}`;
  res.writeHead(200, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
  });
  res.end(body);
});
serve(server);
