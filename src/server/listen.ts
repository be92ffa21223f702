import type { AddressInfo, Server, Socket } from 'node:net';
import { type HttpBindings, type ServerType, serve as serveHttp } from '@hono/node-server';
import { InputError } from '../errors.ts';
import { networkOf } from './client-address.ts';
import type { HttpService } from './http.ts';
import type { Settings } from './settings.ts';
import { endSlowRequests } from './slow-requests.ts';

export interface RunningServer {
  /** Where clients reach it. */
  readonly baseUrl: string;
  readonly mcpUrl: string;
  /** Stops taking requests and lets those under way end. */
  stop(): Promise<void>;
}

/** `isBehindProxy`: then all connections come from the proxy's address. */
type ListenSettings = Pick<Settings, 'HOST' | 'PORT' | 'BASE_URL' | 'CONNECTIONS' | 'KEEP_ALIVE_S'> & {
  readonly isBehindProxy: boolean;
};

/** How long requests under way may take to end when the server stops. */
const STOP_SECONDS = 4;

/** A request that has not arrived by then is ended, however steadily it trickles: its headers, and (`slow-requests.ts`) all of it. */
const ARRIVES_WITHIN = { headersTimeout: 15_000, requestTimeout: 0, connectionsCheckingInterval: 5_000 };
/** An authorization request can have a long URL. */
const MAX_HEADER_BYTES = 16 * 1024;
/** Of all connections, how many one address may have where addresses can be told apart. */
const SHARE_OF_ADDRESS = 1 / 4;

/**
 * Listens, then makes the service: the port may be chosen by the system, and the service's URLs need it.
 *
 * @throws InputError when the address is taken
 */
export async function listen(
  settings: ListenSettings,
  createService: (baseUrl: string) => HttpService,
  onConnectionRefused: () => void = () => {},
): Promise<RunningServer> {
  let service: HttpService | undefined;
  const server = serveHttp({
    fetch: (request: Request, bindings) =>
      service?.fetch(request, bindings as HttpBindings) ?? new Response(null, { status: 503 }),
    hostname: settings.HOST,
    port: settings.PORT,
    serverOptions: {
      ...ARRIVES_WITHIN,
      keepAliveTimeout: 1000 * settings.KEEP_ALIVE_S,
      maxHeaderSize: MAX_HEADER_BYTES,
    },
  });
  limitConnections(server, settings, onConnectionRefused);
  endSlowRequests(server as Server);
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

function limitConnections(
  server: Server,
  { CONNECTIONS, isBehindProxy }: ListenSettings,
  onRefused: () => void,
): void {
  server.maxConnections = CONNECTIONS;
  server.on('drop', onRefused);
  if (isBehindProxy) return;
  const most = Math.ceil(CONNECTIONS * SHARE_OF_ADDRESS);
  const open = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const address = networkOf(socket.remoteAddress ?? '');
    const count = (open.get(address) ?? 0) + 1;
    open.set(address, count);
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1;
      if (left === 0) open.delete(address);
      else open.set(address, left);
    });
    if (count <= most) return;
    onRefused();
    socket.destroy();
  });
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
  // Again and again: a connection is idle when its answer has gone out, and clients keep it open.
  const closing = setInterval(() => 'closeIdleConnections' in server && server.closeIdleConnections(), 50);
  const timer = setTimeout(
    () => 'closeAllConnections' in server && server.closeAllConnections(),
    STOP_SECONDS * 1000,
  );
  await closed;
  clearInterval(closing);
  clearTimeout(timer);
}
