/**
 * The parts of a worker, each of which is given the others that it needs, and types that many of them use.
 *
 * @typedef {{ config: Config, limits: Limits, log: Logger, metrics: Metrics, traffic: Traffic, store: Store }} Base
 * @typedef {object} Made
 * @property {At} at
 * @property {Gate} gate
 * @property {Workers} [workers] absent if there is only one
 * @property {ReturnType<typeof createRelayMark>} relayMark
 * @property {VisitorOf} visitorOf
 * @property {Gather} gather
 * @property {TurnQueue} turns a queue for work that one turn of the event loop has no room for
 * @property {() => boolean} isReady false as soon as this worker drains
 * @property {DelayAnswer} [delayAnswer]
 * @property {ReturnType<typeof createEcho>} echo
 * @property {Parts['echo']} countDown
 * @property {ReturnType<typeof createJobs>} jobs
 * @property {ReturnType<typeof createAlarms>} alarms
 * @property {ReturnType<typeof createFeeds>} feeds
 * @property {ContentPool} content
 * @property {BytesInFlight} inFlight
 * @property {ReturnType<typeof createAnswers>} answers
 * @property {readonly string[] | undefined} allowedOrigins who may measure this server; absent for everyone
 * @property {string} sockjsUrl of our copy of sockjs-client, for SockJS's iframe
 * @property {Assets} assets
 * @property {Example} example
 * @property {ReturnType<typeof createArchive>} archive
 * @property {ReturnType<typeof createDocuments>} documents
 * @property {Identity} identity the site's own address
 * @property {ReturnType<typeof createPageSender>} sendPage
 * @property {ReturnType<typeof createMadeOnce>} madeOnce
 * @property {KeptAnswers} kept
 * @property {Render} render
 * @property {RequestHandler} reads limits what making pages and lists may cost an address
 * @property {RequestHandler} documentReads limits how many documents it reads
 * @property {RequestHandler[]} studyReads limits those who read studies, too
 * @typedef {Base & Made} Parts
 *
 * @typedef {Pick<Parts, 'at' | 'gate' | 'identity' | 'isReady' | 'limits' | 'log' | 'metrics' | 'relayMark' | 'traffic' |
 *   'turns' | 'visitorOf'>} CommonParts
 * @typedef {CommonParts & Pick<Parts, 'alarms' | 'allowedOrigins' | 'answers' | 'content' | 'feeds' | 'inFlight' | 'jobs' | 'sockjsUrl' |
 *   'workers'>} EndpointParts
 */

/**
 * @import { RequestHandler } from 'express'
 * @import { Logger } from 'pino'
 * @import { DelayAnswer } from './app.js'
 * @import { Assets } from './assets.js'
 * @import { At } from './base-path.js'
 * @import { Config } from './config.js'
 * @import { createEcho } from './endpoints/echo.js'
 * @import { createAlarms } from './endpoints/alarms.js'
 * @import { createFeeds } from './endpoints/feeds.js'
 * @import { createJobs } from './endpoints/jobs.js'
 * @import { createAnswers, ContentPool } from './endpoints/payload.js'
 * @import { Example } from './example.js'
 * @import { BytesInFlight } from './http/body.js'
 * @import { Gate } from './http/gate.js'
 * @import { Identity } from './http/identity.js'
 * @import { KeptAnswers } from './http/kept-answers.js'
 * @import { Limits } from './http/limits.js'
 * @import { createMadeOnce, createPageSender, Render } from './http/made-once.js'
 * @import { TurnQueue } from './http/turns.js'
 * @import { createArchive } from './saved-runs/archive.js'
 * @import { createDocuments } from './saved-runs/documents.js'
 * @import { Store } from './store/index.js'
 * @import { Metrics } from './telemetry/metrics.js'
 * @import { Traffic } from './telemetry/traffic.js'
 * @import { createRelayMark, Gather, VisitorOf, Workers } from './workers.js'
 */
export {};
