/**
 * What a worker is made of: each part is handed those others that it needs; and types that many of them name.
 *
 * @typedef {{ config: Config, limits: Limits, log: Logger, metrics: Metrics, traffic: Traffic, store: Store }} Base
 * @typedef {object} Made
 * @property {import('./http/gate.js').Gate} gate
 * @property {Workers} [workers] absent where there is but one
 * @property {import('./workers.js').RelayMark} relayMark
 * @property {import('./workers.js').Gather} gather
 * @property {() => boolean} isReady false as soon as this worker drains
 * @property {import('./app.js').PutOff} [putOff]
 * @property {import('./endpoints/echo.js').Echo} echo
 * @property {import('./endpoints/echo.js').Echo} countDown
 * @property {import('./endpoints/jobs.js').Jobs} jobs
 * @property {import('./endpoints/jobs.js').Alarms} alarms
 * @property {import('./endpoints/payload.js').ContentPool} content
 * @property {import('./http/body.js').BytesInFlight} inFlight
 * @property {import('./endpoints/payload.js').Answers} answers
 * @property {readonly string[] | undefined} allowedOrigins who may measure this server; absent for everyone
 * @property {string} sockjsUrl of our copy of sockjs-client, for SockJS's iframe
 * @property {import('./assets.js').Assets} assets
 * @property {import('./example.js').Example} example
 * @property {import('./saved-runs/archive.js').Archive} archive
 * @property {import('./saved-runs/document-thread.js').DocumentThread} documents
 * @property {import('./http/addresses.js').OriginOf} originOf
 * @property {import('express').RequestHandler} reads limits those who read saved runs
 * @typedef {Base & Made} Parts
 *
 * @typedef {Pick<Parts, 'gate' | 'limits' | 'log' | 'metrics' | 'relayMark' | 'traffic'>} CommonParts of most endpoints
 * @typedef {Pick<Parts, 'alarms' | 'gate' | 'jobs' | 'limits' | 'metrics' | 'traffic'>} JobParts
 * @typedef {Pick<Parts, 'answers' | 'gate' | 'inFlight' | 'limits' | 'metrics' | 'traffic'>} PayloadParts
 *
 * @typedef {import('node:http').IncomingMessage} Request
 * @typedef {import('node:http').ServerResponse} Response
 * @typedef {import('node:net').Socket} Socket
 * @typedef {import('node:stream').Duplex} Duplex
 * @typedef {import('pino').Logger} Logger
 * @typedef {import('./config.js').Config} Config
 * @typedef {import('./http/gate.js').Endpoint} Endpoint
 * @typedef {import('./http/gate.js').SessionKind} SessionKind
 * @typedef {import('./http/limits.js').Limits} Limits
 * @typedef {import('./telemetry/metrics.js').Metrics} Metrics
 * @typedef {import('./telemetry/traffic.js').Traffic} Traffic
 * @typedef {import('./store/index.js').SavedRun} SavedRun
 * @typedef {import('./store/index.js').Store} Store
 * @typedef {import('./workers.js').Workers} Workers
 */
export {};
