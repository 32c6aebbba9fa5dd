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
