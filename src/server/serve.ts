import type { Logger } from 'pino';
import { KeptAnswers } from '../asking/kept-answers.ts';
import type { ToolEnvironment } from '../asking/run-tool.ts';
import type { Business } from '../business/business.ts';
import { servedSnapshotTimes } from '../control/businesses/businesses.ts';
import type { ControlDatabase } from '../control/database/control-database.ts';
import type { Account } from '../control/people/accounts.ts';
import { accountCaller, type Caller } from '../control/people/callers.ts';
import { InputError } from '../errors.ts';
import { findHook } from '../live/find-webhook.ts';
import { runLimits, tryApart } from '../live/jobs-apart.ts';
import { VENDORS } from '../live/vendors/all-vendors.ts';
import { mainThread } from '../main-thread/turns.ts';
import type { CallObserver } from '../mcp/call-outcome.ts';
import { createMcpServer } from '../mcp/mcp-server.ts';
import { isLoopback } from '../network/loopback.ts';
import { purgeSignIn } from '../oauth/purge.ts';
import { readFindings } from '../overview/findings.ts';
import { readOverview } from '../overview/read-overview.ts';
import { salesFigure } from '../overview/sales-figure.ts';
import { removeDeleted } from '../snapshot/delete-business.ts';
import { importsAtOnce } from '../snapshot/import-memory.ts';
import { removeLeftovers } from '../snapshot/leftovers.ts';
import { removeAllOldRejects } from '../snapshot/old-rejects.ts';
import { ImportQueue } from '../uploads/import-queue.ts';
import { removeOldUploads } from '../uploads/upload-folder.ts';
import type { UploadLimits } from '../uploads/upload-limits.ts';
import type { ScheduledWarehouse } from '../warehouse/scheduling/scheduled-warehouse.ts';
import { StoppingError } from '../warehouse/warehouse.ts';
import { TrustedProxies } from './client-address.ts';
import { createHttpService } from './http.ts';
import { importInProcess } from './import-process.ts';
import type { Instance } from './instance.ts';
import { listen, type RunningServer } from './listen.ts';
import { Metrics } from './metrics.ts';
import { type MetricsServer, serveMetrics } from './metrics-server.ts';
import type { Door } from './next-request.ts';
import { openWarehouse } from './open-warehouse.ts';
import { AHEAD, PagesAhead } from './pages-ahead/pages-ahead.ts';
import { VisitedStores } from './pages-ahead/visited-stores.ts';
import { writeServedAt } from './served-at.ts';
import type { Settings } from './settings.ts';
import { toolEnvironment } from './tool-environment.ts';
import { TraceExporter } from './trace-exporter.ts';

export interface ServeOptions {
  readonly settings: Settings;
  readonly log: Logger;
  /** A proxy in front speaks https to the world. */
  readonly isBehindProxy: boolean;
}

/**
 * Serves MCP over HTTP until it is stopped.
 *
 * @throws InputError when the address is taken, or would be reachable from outside without https
 */
export async function serve(
  instance: Instance,
  { settings, log, isBehindProxy }: ServeOptions,
): Promise<RunningServer> {
  refuseOpenPlainHttp(settings, isBehindProxy);
  const identityProvider = readIdentityProvider(settings);
  const warehouse = await openWarehouse(instance, settings, log);
  const stopping = new AbortController();
  const kept = new KeptAnswers(settings.KEPT_ANSWERS);
  const environment = toolEnvironment(instance, warehouse, { stop: stopping.signal, beside: log, kept });
  const metrics = new Metrics();
  addQueries(metrics, warehouse);
  addKeptAnswers(metrics, kept);
  addSnapshotTimes(metrics, instance.control);
  const traces = settings.OTLP_URL === undefined ? null : new TraceExporter(settings.OTLP_URL, log);
  const onCall: CallObserver = (call) => {
    metrics.observeCall(call);
    traces?.observeCall(call);
  };
  // The import ends itself a minute before, in words.
  const limits = runLimits(instance.importMemory, settings.IMPORT_MINUTES + 1);
  const imports = new ImportQueue(instance, importInProcess(process.env, { limits, log }), log, {
    atOnce: importsAtOnce(instance.importMemory),
    limits: instance.importLimits,
  });
  const proxies = isBehindProxy ? (settings.TRUSTED_PROXIES ?? TrustedProxies.nearby()) : null;
  const visited = VisitedStores.read(instance.data.visitedStores);
  const createService = (baseUrl: string, door: Door) =>
    createHttpService({
      door,
      control: instance.control,
      secret: instance.secret,
      data: instance.data,
      copier: instance.copier,
      uploadLimits: uploadLimits(settings),
      imports,
      vendors: VENDORS,
      allowsLoopback: settings.VENDORS_ON_LOOPBACK,
      tryKey: tryApart(process.env),
      ...numbersOfPages(instance.control, environment, visited),
      mcpServer: (caller, chosen) =>
        createMcpServer(environment, caller, log, {
          onCall,
          websiteUrl: settings.AUTH_URL ?? baseUrl,
          ...chosen,
        }),
      log,
      metrics,
      baseUrl,
      authUrl: settings.AUTH_URL ?? baseUrl,
      allowedHosts: settings.ALLOWED_HOSTS,
      allowedOrigins: settings.ALLOWED_ORIGINS,
      groups: settings.GROUPS,
      extensions: settings.EXTENSIONS,
      rateLimit: settings.RATE_LIMIT,
      maxRequestBytes: settings.MAX_REQUEST_BYTES,
      findHook: (request) => findHook({ ...instance, vendors: VENDORS, log }, request),
      proxies,
      identityProvider,
    });
  const server = await listen({ ...settings, proxies }, createService, (reason) =>
    metrics.observeRefusal(reason),
  );
  const metricsServer = await openMetrics(metrics, settings, log);
  writeServedAt(instance.data, settings.AUTH_URL ?? server.baseUrl);
  const ahead = startPagesAhead({ control: instance.control, environment, visited, log }, warehouse);
  const purging = purgeHourly(instance, settings, log);
  log.info({ url: server.mcpUrl }, 'listening');
  if (server.baseUrl.startsWith('https:') && !isBehindProxy) {
    log.warn('without --behind-proxy all clients of a proxy count as one address, and share its limits');
  }
  return {
    ...server,
    stop: async () => {
      clearInterval(purging);
      await server.stop();
      stopping.abort(new StoppingError());
      await ahead?.close();
      await imports.close();
      await traces?.stop();
      await metricsServer?.stop();
      await warehouse.close();
    },
  };
}

/** What the pages show of a store, whose pages are made ahead from now on. */
function numbersOfPages(control: ControlDatabase, environment: ToolEnvironment, visited: VisitedStores) {
  const opened =
    <Asked extends readonly unknown[], Shown>(
      read: (...given: [ToolEnvironment, Caller, Business, ...Asked]) => Shown,
    ) =>
    (account: Account, business: Business, ...asked: Asked) => {
      visited.add(business.business_id);
      return read(environment, accountCaller(control, account.account_id), business, ...asked);
    };
  return {
    salesOf: opened(salesFigure),
    overviewOf: opened(readOverview),
    findingsOf: opened(readFindings),
  };
}

/** Nothing is asked ahead where no answers are kept. */
function startPagesAhead(
  options: Omit<ConstructorParameters<typeof PagesAhead>[0], 'isIdle'>,
  warehouse: ScheduledWarehouse,
): PagesAhead | null {
  if (options.environment.kept?.isOff !== false) return null;
  const isIdle = () => {
    const { running, waiting } = warehouse.state;
    return running.quick + running.long + waiting === 0 && mainThread.isAlone(AHEAD);
  };
  const ahead = new PagesAhead({ ...options, isIdle });
  ahead.start();
  return ahead;
}

function uploadLimits(settings: Settings): UploadLimits {
  return {
    file: settings.UPLOAD_FILE_LIMIT,
    upload: settings.UPLOAD_LIMIT,
    account: settings.UPLOAD_ACCOUNT_LIMIT,
    all: settings.UPLOAD_SPACE,
    hours: settings.UPLOAD_HOURS,
  };
}

function addQueries(metrics: Metrics, warehouse: ScheduledWarehouse): void {
  const running = () => warehouse.state.running;
  metrics.addGauge(
    'queries_running_quick',
    'Queries that run in the lane of quick ones',
    () => running().quick,
  );
  metrics.addGauge('queries_running_long', 'Queries that run in the lane of long ones', () => running().long);
  metrics.addGauge('queries_waiting', 'Queries that wait for a slot', () => warehouse.state.waiting);
}

function addKeptAnswers(metrics: Metrics, kept: KeptAnswers): void {
  metrics.addGauge('kept_answer_bytes', 'Memory of answers that were given before', () => kept.state.bytes);
  metrics.addGauge(
    'kept_answers_found',
    'Questions since the start that were answered by one of them',
    () => kept.state.found,
  );
  metrics.addGauge(
    'kept_answers_missed',
    'Questions since the start that none of them answered',
    () => kept.state.missed,
  );
}

/** Imports run in processes of their own; what they leave is a newer snapshot. */
function addSnapshotTimes(metrics: Metrics, control: ControlDatabase): void {
  const read = (which: 'oldest' | 'newest') => async () => {
    const at = (await servedSnapshotTimes(control))[which];
    return at === null ? null : Date.parse(at) / 1000;
  };
  const of = 'of all businesses was made: the last import, or a rollback, a new version';
  metrics.addGauge('newest_snapshot_timestamp_seconds', `When the newest snapshot ${of}`, read('newest'));
  metrics.addGauge(
    'oldest_snapshot_timestamp_seconds',
    `When the oldest served snapshot ${of}`,
    read('oldest'),
  );
}

async function openMetrics(metrics: Metrics, settings: Settings, log: Logger): Promise<MetricsServer | null> {
  const { METRICS_HOST, METRICS_PORT } = settings;
  if (METRICS_PORT === undefined) return null;
  metrics.addProcess();
  const server = await serveMetrics(metrics, { METRICS_HOST, METRICS_PORT }, log);
  log.info({ url: server.url }, 'metrics');
  return server;
}

function readIdentityProvider(settings: Settings) {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = settings;
  if (issuer === undefined && clientId === undefined && clientSecret === undefined) return null;
  const trustsEmail = settings.OIDC_TRUST_EMAIL === 'true';
  if (issuer !== undefined && clientId !== undefined) return { issuer, clientId, clientSecret, trustsEmail };
  throw new InputError('sign-in elsewhere needs both STORESIGHT_OIDC_ISSUER and STORESIGHT_OIDC_CLIENT_ID');
}

function purgeHourly(instance: Instance, { UPLOAD_HOURS }: Settings, log: Logger): NodeJS.Timeout {
  const { control, data } = instance;
  const purge = () => {
    removeLeftovers(instance).catch((error: unknown) =>
      log.error({ err: error }, 'what killed imports left stays'),
    );
    removeDeleted(instance).catch((error: unknown) =>
      log.error({ err: error }, 'what is left of deleted stores stays'),
    );
    removeAllOldRejects(data).catch((error: unknown) => log.error({ err: error }, 'old rejects stay'));
    removeOldUploads({ control, data }, UPLOAD_HOURS).catch((error: unknown) =>
      log.error({ err: error }, 'old uploads stay'),
    );
    purgeSignIn(control).catch((error: unknown) => log.error({ err: error }, 'purge failed'));
  };
  purge();
  return setInterval(purge, 3_600_000).unref();
}

function refuseOpenPlainHttp(settings: Settings, isBehindProxy: boolean): void {
  if (!isBehindProxy && settings.TRUSTED_PROXIES !== undefined) {
    throw new InputError(
      'STORESIGHT_TRUSTED_PROXIES says which proxies are in front of this server: say --behind-proxy too, or unset it',
    );
  }
  if (isBehindProxy && settings.BASE_URL === undefined) {
    throw new InputError(
      '--behind-proxy needs STORESIGHT_BASE_URL, the URL under which the proxy serves this: clients are told it, and ' +
        'requests for other hosts are refused',
    );
  }
  if (isLoopback(settings.HOST) || isBehindProxy || settings.BASE_URL !== undefined) return;
  throw new InputError(
    `--host ${settings.HOST} is reachable from other machines, where tokens must not travel unencrypted. Set ` +
      'STORESIGHT_BASE_URL to the https:// URL under which a proxy serves this, and say --behind-proxy',
  );
}
