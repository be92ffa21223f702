import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { InputError } from '../errors.ts';
import { addressOfRequest, networkOf, type TrustedProxies } from './client-address.ts';
import type { HttpService } from './http.ts';
import { Door } from './next-request.ts';
import { oneAtATime } from './pipelining.ts';
import type { Settings } from './settings.ts';
import { endSlowRequests } from './slow-requests.ts';

export interface RunningServer {
  /** The address at which clients reach it. */
  readonly baseUrl: string;
  readonly mcpUrl: string;
  /** Stops taking requests and lets those under way end. */
  stop(): Promise<void>;
}

type ListenSettings = Pick<Settings, 'HOST' | 'PORT' | 'BASE_URL' | 'CONNECTIONS' | 'KEEP_ALIVE_S'> & {
  /**
   * The proxies, from whose addresses all connections come. It is null when clients connect to this server
   * itself.
   */
  readonly proxies: TrustedProxies | null;
};

/** How long requests under way may take to end when the server stops. */
const STOP_SECONDS = 4;

/**
 * A request that has not arrived by then is ended, however steadily it trickles: its headers, and
 * (`slow-requests.ts`) all of it.
 */
const ARRIVES_WITHIN = { headersTimeout: 15_000, requestTimeout: 0, connectionsCheckingInterval: 5_000 };
/** An authorization request can have a long URL. */
const MAX_HEADER_BYTES = 16 * 1024;
/** The part of all connections that one address may have, where addresses can be told apart. */
const SHARE_OF_ADDRESS = 1 / 4;

/**
 * Listens, then makes the service: the port may be chosen by the system, and the service's URLs need it.
 *
 * @throws InputError when the address is taken
 */
export async function listen(
  settings: ListenSettings,
  createService: (baseUrl: string, door: Door) => HttpService,
  onRefused: (reason: 'connections' | 'requests of a connection') => void = () => {},
): Promise<RunningServer> {
  let service: HttpService | undefined;
  const door = new Door((incoming) => addressOfRequest(incoming, settings.proxies));
  const answer = getRequestListener(
    (request, bindings) =>
      service?.fetch(request, bindings as HttpBindings) ?? new Response(null, { status: 503 }),
  );
  const server = createServer(
    {
      ...ARRIVES_WITHIN,
      keepAliveTimeout: 1000 * settings.KEEP_ALIVE_S,
      maxHeaderSize: MAX_HEADER_BYTES,
    },
    oneAtATime(door.inTurns(endSlowRequests((incoming, outgoing) => void answer(incoming, outgoing))), () =>
      onRefused('requests of a connection'),
    ),
  );
  limitConnections(server, settings, () => onRefused('connections'));
  server.listen(settings.PORT, settings.HOST);
  const port = await listening(server, settings.PORT);
  const baseUrl = defaultBaseUrl({ ...settings, PORT: port });
  try {
    service = createService(baseUrl, door);
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
  { CONNECTIONS, proxies }: ListenSettings,
  onRefused: () => void,
): void {
  server.maxConnections = CONNECTIONS;
  server.on('drop', onRefused);
  if (proxies !== null) return;
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

async function listening(server: Server, wanted: number): Promise<number> {
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

async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // Again and again: a connection is idle when its answer has gone out, and clients keep it open.
  const closing = setInterval(() => server.closeIdleConnections(), 50);
  const timer = setTimeout(() => server.closeAllConnections(), STOP_SECONDS * 1000);
  await closed;
  clearInterval(closing);
  clearTimeout(timer);
}
