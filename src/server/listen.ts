import type { AddressInfo } from 'node:net';
import { type HttpBindings, type ServerType, serve as serveHttp } from '@hono/node-server';
import { InputError } from '../model/errors.ts';
import type { HttpService } from './http.ts';
import type { Settings } from './settings.ts';

export interface RunningServer {
  /** Where clients reach it. */
  readonly baseUrl: string;
  readonly mcpUrl: string;
  /** Stops taking requests and lets those under way end. */
  stop(): Promise<void>;
}

/** How long requests under way may take to end when the server stops. */
const STOP_SECONDS = 10;

/**
 * Listens, then makes the service: the port may be chosen by the system, and the service's URLs need it.
 *
 * @throws InputError when the address is taken
 */
export async function listen(
  settings: Pick<Settings, 'HOST' | 'PORT' | 'BASE_URL'>,
  createService: (baseUrl: string) => HttpService,
): Promise<RunningServer> {
  let service: HttpService | undefined;
  const server = serveHttp({
    fetch: (request: Request, bindings) =>
      service?.fetch(request, bindings as HttpBindings) ?? new Response(null, { status: 503 }),
    hostname: settings.HOST,
    port: settings.PORT,
  });
  const port = await listening(server, settings.PORT);
  const baseUrl = defaultBaseUrl({ ...settings, PORT: port });
  try {
    service = createService(baseUrl);
  } catch (error) {
    await closeServer(server);
    throw error;
  }
  return {
    baseUrl,
    mcpUrl: `${baseUrl}/mcp`,
    stop: async () => {
      await closeServer(server);
      await service?.close();
    },
  };
}

/** Where clients reach a server with these settings. */
export function defaultBaseUrl(settings: Pick<Settings, 'HOST' | 'PORT' | 'BASE_URL'>): string {
  return settings.BASE_URL ?? `http://${urlHost(settings.HOST)}:${settings.PORT}`;
}

async function listening(server: ServerType, wanted: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  server.once('listening', () => resolve((server.address() as AddressInfo).port));
  server.once('error', reject);
  try {
    return await promise;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new InputError(`port ${wanted} is in use; choose another with --port or STORESIGHT_PORT`);
  }
}

function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
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
