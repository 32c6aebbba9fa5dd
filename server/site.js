/** The Express half: pages, assets, and all else that is not timed. */
import { fileURLToPath } from 'node:url';
import compression from 'compression';
import express from 'express';
import helmet from 'helmet';
import { isCommand, splitAtFigures } from '../core/base/format.js';
import { toMarkup } from '../core/picture/svg.js';
import { LOGO } from '../core/picture/logo.js';
import { shownNameOf } from '../core/experiment/run/names.js';
import { describeNumberInput } from '../core/experiment/plan/number-input.js';
import { RefusalError } from './http/exchange.js';
import { limitAtOnce, limitRate, limitTime, HOUR_MS, MINUTE_MS, TimeBudget, TOO_MANY } from './http/limit-requests.js';
import { createKeptAnswers } from './http/kept-answers.js';
import { createMadeOnce, createPageSender, createRender } from './http/made-once.js';
import { serveField } from './routes/field-api.js';
import { serveMovings } from './routes/moving-pages.js';
import { serveAssets, serveDocumentation, servePages } from './routes/pages.js';
import { refuseQuery } from './routes/refusals.js';
import { isHealthCheck, serveHealth, serveMetrics, serveStatus, serveTraffic } from './routes/status.js';
import { serveResultLists } from './routes/result-lists.js';
import { serveMatrices } from './routes/matrix-pages.js';
import { serveResultPage } from './routes/result-page.js';
import { serveResultsApi } from './routes/results-api.js';
import { serveYourPage } from './routes/your-page.js';
import { FORM_LIMITS } from './saved-runs/submission.js';
import { StoreError } from './store/store-error.js';
import { serveUsersForm } from './routes/users-form.js';
import { createRequestLog } from './telemetry/request-log.js';
import { createGather } from './workers.js';

/**
 * @import { RequestListener } from 'node:http'
 * @import { CommonParts } from './parts.js'
 * @import { ErrorRequestHandler, RequestHandler, Router } from 'express'
 * @import { Logger } from 'pino'
 * @import { Assets } from './assets.js'
 * @import { Config } from './config.js'
 * @import { FieldRecords } from './field/records.js'
 * @import { FieldScript } from './field/script.js'
 * @import { FieldStudies } from './field/studies.js'
 * @import { UsersReader } from './field/users.js'
 * @import { Identity } from './http/identity.js'
 * @import { PageSender } from './http/made-once.js'
 * @import { Archive } from './saved-runs/archive.js'
 * @import { Documents } from './saved-runs/documents.js'
 * @import { Store } from './store/index.js'
 * @typedef {CommonParts & { archive: Archive, assets: Assets, config: Config, documents: Documents,
 *   fieldRecords: FieldRecords, fieldScript: FieldScript, fieldStudies: FieldStudies, usersReader: UsersReader, store: Store }} SiteParts
 */

const HOME_LINK = { href: '/', text: 'Open the test' };
/** To the page that shows it, whatever its URL. */
const AGAIN_LINK = { href: '', text: 'Try again' };
const NOT_FOUND = {
  view: 'error',
  data: { title: 'Not found', message: 'There is no page at this URL.', link: HOME_LINK },
};
/** It is sent most where there is least time to make it. */
const TOO_MANY_REQUESTS = {
  view: 'error',
  data: {
    title: 'Too many requests',
    message: 'Your IP address sent too many requests. Try again in a minute.',
    link: AGAIN_LINK,
  },
};

/** @param {SiteParts} parts @returns {{ router: Router, listen: RequestListener }} `router`: all that has a path */
export function createSite(parts) {
  const { config, assets, limits, metrics, log } = parts;
  const site = openExpress(parts);
  const render = createRender(site);
  const sendPage = createPageSender(site);
  const madeOnce = createMadeOnce(parts.store);
  const gather = createGather({ workers: config.workers, log });
  const budget = new TimeBudget(limits.readMsPerMinute);
  const reads = limitTime(budget);
  const kept = createKeptAnswers({ ...parts, budget });
  const documentReads = limitRate({ windowMs: MINUTE_MS, limit: limits.documentsPerMinute });
  const saves = limitRate({ windowMs: HOUR_MS, limit: limits.savesPerHour });
  const studyReads = [reads, limitAtOnce({ count: limits.studyCount, noun: 'studies being read' })];

  site.use(ignoreReset);
  site.use(securityHeaders(parts));
  site.use(compression());
  const routes = express.Router();
  serveHealth(routes, parts);
  serveMetrics(routes, { ...parts, gather, madeOnce });
  serveStatus(routes, { ...parts, gather });
  serveTraffic(routes, { ...parts, gather });
  serveAssets(routes, { assets, kept });
  serveField(routes, { ...parts, reads });
  const { version } = config.server;
  serveResultsApi(routes, { ...parts, documentReads, madeOnce, reads, saves, studyReads, version });
  serveUsersForm(routes, { ...parts, saves });
  serveResultPage(routes, { ...parts, madeOnce, reads, render });
  serveResultLists(routes, { ...parts, madeOnce, reads, render });
  serveMatrices(routes, { ...parts, madeOnce, reads, render, studyReads });
  serveDocumentation(routes, { ...parts, kept, reads, sendPage });
  serveMovings(routes, { kept, madeOnce, reads, render, sendPage });
  serveYourPage(routes, { kept, reads, sendPage });
  servePages(routes, { kept, madeOnce, reads, render, sendPage });
  routes.use(refuseQuery);
  // A router answers OPTIONS by the methods of its routes, before the page for everything else.
  site.use(routes);

  site.use(reads, (req, res) => sendPage(req, res.status(404), NOT_FOUND));
  site.use(createErrorPage({ log, sendPage }));
  const logRequest = createRequestLog({ log, metrics, isQuiet: isHealthCheck });
  return {
    router: site.router,
    /** @type {RequestListener} */
    listen(req, res) {
      logRequest(req, res);
      if (!kept.answer(req, res)) site(req, res);
    },
  };
}

/**
 * A connection whose client reset it has no address any more, by which requests are limited, and nobody reads its answer.
 * Node.js keeps an address that was read once, so that a reset from here on is none either. @type {RequestHandler}
 */
const ignoreReset = (req, res, next) => {
  if (req.socket.remoteAddress === undefined) res.destroy();
  else next();
};

/** @param {SiteParts} parts */
function openExpress({ at, config, assets, visitorOf }) {
  const site = express();
  site.disable('x-powered-by');
  site.enable('view cache');
  // By the same rule as at the measured endpoints. https://expressjs.com/en/guide/overriding-express-api.html
  Object.defineProperty(site.request, 'ip', {
    get() {
      return visitorOf(this);
    },
  });
  site.set('views', fileURLToPath(new URL('../views', import.meta.url)));
  site.set('view engine', 'ejs');
  // If the error page itself fails, visitors must not see a stack trace.
  site.set('env', 'production');
  const { basePath, publicUrl, sourceUrl, otherServers } = config;
  const server = { ...config.server, server: shownNameOf(config.server.server) };
  const { pollCostMs } = config.jobs;
  const words = { server, sourceUrl, publicUrl, basePath, formLimits: FORM_LIMITS };
  Object.assign(site.locals, {
    ...words,
    at,
    assets,
    otherServers,
    example: assets.example,
    logo: LOGO.map(toMarkup).join(''),
    pollCostMs,
    describeNumberInput,
    isCommand,
    splitAtFigures,
  });
  return site;
}

/** @param {boolean} isolated @param {readonly string[]} origins of other servers that a page may measure */
const headers = (isolated, origins) =>
  helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      // No `upgrade-insecure-requests`: it breaks plain http away from localhost.
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
    // It would pin localhost for a year if it has TLS; it belongs to the real domain's proxy.
    strictTransportSecurity: false,
    crossOriginOpenerPolicy: isolated && { policy: 'same-origin' },
    crossOriginEmbedderPolicy: isolated && { policy: 'require-corp' },
    // A browser ignores it over plain http away from localhost, and says so on the console.
    originAgentCluster: isolated,
  });

/**
 * Cross-origin isolation makes the browser's clock 20 times finer, but works only where the page is a secure context.
 * @param {{ config: Config, identity: Identity }} parts @returns {RequestHandler}
 */
function securityHeaders({ config, identity }) {
  const origins = [...new Set(config.otherServers.map(({ url }) => new URL(url).origin))];
  const isolated = headers(true, origins);
  const plain = headers(false, origins);
  return (req, res, next) => (identity.isSecure(req) ? isolated : plain)(req, res, next);
}

/** @param {{ log: Logger, sendPage: PageSender }} parts @returns {ErrorRequestHandler} */
function createErrorPage({ log, sendPage }) {
  return (error, req, res, next) => {
    if (res.headersSent) return next(error);
    if (error.status === TOO_MANY.status) return sendPage(req, res.status(TOO_MANY.status), TOO_MANY_REQUESTS);
    const { status, mayRepeat = true, ...text } = describeError(error);
    if (error instanceof StoreError) log.error({ err: error, path: req.path }, 'the store cannot be used');
    if (status === 500) log.error({ err: error, path: req.path }, 'request failed');
    const link = mayRepeat && req.method === 'GET' ? AGAIN_LINK : HOME_LINK;
    res.status(status).render('error', { ...text, link });
  };
}

/** @param {any} error @returns {{ status: number, title: string, message: string, mayRepeat?: boolean }} */
function describeError(error) {
  if (error instanceof StoreError) {
    const message = 'This server cannot read its shared runs. Try again later.';
    return { status: 503, title: 'Results are unavailable', message };
  }
  const { status } = error;
  if (error instanceof RefusalError && status === 503) {
    return {
      status,
      title: 'The server is busy',
      message: 'Too many requests are in progress. Try again in a few seconds.',
    };
  }
  if (status >= 400 && status < 500) {
    const message = 'This URL is not valid. Check the link.';
    return { status, title: 'Bad request', message, mayRepeat: false };
  }
  return { status: 500, title: 'Server error', message: 'The server failed, and logged the error. Try again.' };
}
