/**
 * Lists all paths that a worker answers. The list is not maintained by hand: endpoints come from the table by which
 * they are found, pages from their routes.
 * @import { Router } from 'express'
 * @import { SocketLimits } from './sockets/socket-meter.js'
 * @typedef {{ pattern: string, methods: readonly string[], socketLimits?: SocketLimits }} ServedPath `pattern`: path and query of a
 *   valid request, where `:name` stands for a part and `*name` for several; `socketLimits` of a WebSocket there, absent where
 *   none can be opened
 */

/**
 * @param {Router} router with the routers in it, all of them at its root @returns {ServedPath[]} each path once
 */
export function pathsOf(router) {
  /** @type {Map<string, Set<string>>} */
  const methodsByPattern = new Map();
  for (const { path, methods } of routesOf(router)) {
    const known = methodsByPattern.get(path) ?? new Set();
    for (const method of methods) known.add(method);
    methodsByPattern.set(path, known);
  }
  return [...methodsByPattern].map(([pattern, methods]) => ({ pattern, methods: [...methods] }));
}

/**
 * Reads the router's internals, as there is no public API.
 * @param {Router} router @returns {{ path: string, methods: string[] }[]}
 */
function routesOf({ stack }) {
  return /** @type {any[]} */ (stack).flatMap(({ route, handle, slash }) => {
    if (route) return [{ path: route.path, methods: methodsOf(route) }];
    if (!handle.stack) return [];
    if (!slash) throw new Error('router: expected a router without a path, as its path cannot be read');
    return routesOf(handle);
  });
}

/** @param {{ methods: Record<string, boolean> }} route @returns {string[]} none if it has only `all` */
function methodsOf({ methods }) {
  return Object.keys(methods)
    .filter((name) => name !== '_all')
    .map((name) => name.toUpperCase());
}
