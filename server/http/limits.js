/**
 * What one server takes on, at most. With these no visitor can make its memory grow without bound.
 *
 * @typedef {Record<keyof typeof LIMITS, number>} Limits
 */

const MIB = 1024 * 1024;

export const LIMITS = Object.freeze({
  /** A body, a message or a SockJS frame, on the echo paths. */
  messageBytes: MIB,
  /** All request bodies that are being received, together. */
  bodyBytesInFlight: 256 * MIB,
  /** A body, a message or a download of the payload experiment; SockJS's fallbacks stay at the one above. */
  payloadBytes: 16 * MIB,
  /** All of them that are being received, wait for their answer or are being sent, together. */
  payloadBytesInFlight: 512 * MIB,
  /** Its WebSockets and SockJS sessions, together. */
  payloadSocketCount: 200,
  /** Answers that wait for a socket whose client does not read, before reading from it stops. */
  unsentBytes: MIB,
  /** SockJS sessions and WebSockets of the echoes that are open, together. */
  sessionCount: 1000,
  /** WebSockets, SockJS sessions and streams of jobs, together; they are idle but for a message or two. */
  jobSessionCount: 8000,
  /** A message about a job. */
  jobMessageBytes: 1024,
  /** Jobs that are waited for on one connection that they share. */
  connectionJobCount: 1000,
  /** Those that long polls and streams wait for on one connection; a stream may ask for as many. */
  connectionWaitCount: 100,
  /** All jobs that somebody waits for here; who polls does not wait. */
  waitingJobCount: 100_000,
  /** Runs whose traffic is kept, the last ones. */
  trafficRunCount: 10_000,
  /** From the last that was booked to one. */
  trafficKeptMs: 3_600_000,
  /** Readings of it that are under way. */
  trafficReadCount: 32,
  /** Addresses from which runs to be saved are coming in or being checked at a time, and runs of each. */
  submissionAddressCount: 16,
  submissionsPerAddress: 2,
  /** An upload has to bring so much on average, and may stand still for so long in all: 4 MiB take 275 s at most. */
  submissionBytesPerSecond: 16 * 1024,
  submissionGraceMs: 15_000,
  /** How long `/readyz` gives the same answer, and nothing is written to the store for it. */
  storeCheckEveryMs: 5_000,
  /** Documents of saved runs, and their CSV, that are on their way out, together. */
  answerCount: 32,
  /** One of them; a client that does not read it loses its connection. So does one that neither sends nor reads payload. */
  answerMs: 120_000,
  /** Of one address, by the API and the pages of saved runs together. */
  readsPerMinute: 600,
  savesPerHour: 60,
  deletionsPerHour: 600,
  /** TCP connections, whatever they do. */
  connectionCount: 10_000,
  /** Those that wait to be accepted; the system may allow fewer. Thousands of sockets may be opened at once. */
  backlogCount: 4096,
  /** Parts that one WebSocket message may come in. Browsers send a large one in parts, some of them in many. */
  partCount: 1024,
  payloadPartCount: 16 * 1024,
  /** Packets that it may come in: a message of the largest size in packets of half a kilobyte or less. */
  packetCount: 4096,
  payloadPacketCount: 32 * 1024,
  /** Pings, pongs and closes from one WebSocket. Browsers send none but as an answer, and others a few a minute. */
  controlFramesPerSecond: 1000,
  /** Of one WebSocket, handled in one turn of the event loop, or as much payload, 8 KiB for a frame. The rest waits. */
  framesPerTurn: 16,
  /** The same, of all that have more than that. */
  allFramesPerTurn: 64,
  /** How often an open WebSocket is asked whether it is still there. */
  heartbeatMs: 25_000,
  /** An idle connection; above nginx's 60 s, so that nginx is the one to close it. */
  keepAliveMs: 65_000,
  headersMs: 60_000,
  requestMs: 300_000,
  /** How often requests are looked at for the two limits above. */
  timeoutLookMs: 5_000,
  /** How long an idle connection is left open after the signal: its client may be about to use it. */
  idleGraceMs: 1_000,
  /** From the signal to the end, at most. */
  drainMs: 5_000,
});
