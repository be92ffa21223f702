import type { AddressInfo } from 'node:net';
import { type ServerType, serve as serveHttp } from '@hono/node-server';
import type { Logger } from 'pino';
import { MODEL_VERSION } from '../build/build-model.ts';
import { currentSnapshot, listBusinesses } from '../control/businesses.ts';
import { rebuildSnapshot } from '../ingest/import.ts';
import { InputError } from '../model/errors.ts';
import { createHttpService, type HttpService } from './http.ts';
import { type Instance, openWarehouse, toolEnvironment } from './instance.ts';
import type { Settings } from './settings.ts';

export interface RunningServer {
  /** Where clients reach it. */
  readonly mcpUrl: string;
  /** Stops taking requests, lets those under way end, and closes everything. */
  stop(): Promise<void>;
}

export interface ServeOptions {
  readonly settings: Settings;
  readonly log: Logger;
  /** A proxy in front speaks https to the world. */
  readonly isBehindProxy: boolean;
}

/** How long requests under way may take to end when the server stops. */
const STOP_SECONDS = 10;

/** @throws InputError when the address is taken, or would be reachable from outside without https */
export async function serve(
  instance: Instance,
  { settings, log, isBehindProxy }: ServeOptions,
): Promise<RunningServer> {
  refuseOpenPlainHttp(settings, isBehindProxy);
  await rebuildOutdatedSnapshots(instance, log);
  const warehouse = await openWarehouse(instance, settings);
  // The port may be chosen by the system, and the URLs need it, so the service is made when it is known.
  let service: HttpService | undefined;
  const server = serveHttp({
    fetch: (request: Request) => service?.fetch(request) ?? new Response(null, { status: 503 }),
    hostname: settings.HOST,
    port: settings.PORT,
  });
  const port = await listening(server, settings);
  const baseUrl = settings.BASE_URL ?? `http://${urlHost(settings.HOST)}:${port}`;
  service = createHttpService({
    control: instance.control,
    environment: toolEnvironment(instance, warehouse),
    log,
    baseUrl,
    authUrl: settings.AUTH_URL ?? baseUrl,
    allowedOrigins: settings.ALLOWED_ORIGINS,
    rateLimit: settings.RATE_LIMIT,
    maxRequestBytes: settings.MAX_REQUEST_BYTES,
  });
  log.info({ url: `${baseUrl}/mcp` }, 'listening');
  return {
    mcpUrl: `${baseUrl}/mcp`,
    stop: async () => {
      await closeServer(server);
      await service?.close();
      await warehouse.close();
    },
  };
}

function refuseOpenPlainHttp(settings: Settings, isBehindProxy: boolean): void {
  const isLoopback = ['127.0.0.1', '::1', 'localhost'].includes(settings.HOST);
  if (isLoopback || isBehindProxy || settings.BASE_URL?.startsWith('https://')) return;
  throw new InputError(
    `--host ${settings.HOST} is reachable from other machines, where tokens must not travel unencrypted. Set ` +
      'STORESIGHT_BASE_URL to the https:// URL under which a proxy serves this, or say --behind-proxy',
  );
}

/** After an update of Storesight, snapshots may lack what its tools read. */
async function rebuildOutdatedSnapshots(instance: Instance, log: Logger): Promise<void> {
  for (const business of await listBusinesses(instance.control)) {
    const snapshot = await currentSnapshot(instance.control, business.business_id);
    if (snapshot !== null && snapshot.model_version === MODEL_VERSION) continue;
    log.info({ business_id: business.business_id }, 'building the snapshot for this version');
    await rebuildSnapshot(instance, business);
  }
}

async function listening(server: ServerType, settings: Settings): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  server.once('listening', () => resolve((server.address() as AddressInfo).port));
  server.once('error', reject);
  try {
    return await promise;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new InputError(`port ${settings.PORT} is in use; choose another with --port or STORESIGHT_PORT`);
  }
}

async function closeServer(server: ServerType): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const timer = setTimeout(
    () => 'closeAllConnections' in server && server.closeAllConnections(),
    STOP_SECONDS * 1000,
  );
  if ('closeIdleConnections' in server) server.closeIdleConnections();
  await closed;
  clearTimeout(timer);
}

function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}
