import { nameBrowser } from '../browser-name.js';

/**
 * @param {{ url: string, userAgent: string }} environment
 * @param {{ server: string, location: string, version: string } | undefined} answered what the server said of itself
 * @returns {{ origin: string, server: string, location?: string, version?: string, browser: string }} what was measured,
 *   by its host where it did not say its name, and with what
 */
export function serverOf({ url, userAgent }, answered) {
  const browser = nameBrowser(userAgent);
  const { origin, host } = new URL(url);
  if (!answered) return { origin, server: host, browser };
  const { server, location, version } = answered;
  return { origin, server: server || host, location: location || undefined, version, browser };
}

/**
 * @param {{ server: string, location: string, version: string }} answered what a server said of itself
 * @returns {string} like 'fra-1, Frankfurt, version 0.1.0'
 */
export function formatServer({ server, location, version }) {
  return `${[server, location].filter(Boolean).join(', ')}, version ${version}`;
}
