/**
 * @param {{ url: string }} environment
 * @param {{ server: string, location: string, version: string } | undefined} answered what the server said of itself
 * @returns {{ origin: string, server: string, location?: string, version?: string }} by its host where it did not say
 */
export function serverOf({ url }, answered) {
  const { origin, host } = new URL(url);
  if (!answered) return { origin, server: host };
  const { server, location, version } = answered;
  return { origin, server: server || host, location: location || undefined, version };
}
