import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { InputError } from '../errors.ts';
import type { Metrics } from './metrics.ts';

const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

export interface MetricsServer {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * `GET /metrics` at a port of its own, so that no proxy in front of the server brings it to the world by
 * mistake.
 *
 * @throws InputError when the port is taken
 */
export async function serveMetrics(
  metrics: Metrics,
  {
    METRICS_HOST: host,
    METRICS_PORT: port,
  }: { readonly METRICS_HOST: string; readonly METRICS_PORT: number },
  log: Logger,
): Promise<MetricsServer> {
  const server = createServer({ requestTimeout: 10_000, headersTimeout: 10_000 }, (request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    metrics.text().then(
      (text) => response.writeHead(200, { 'Content-Type': CONTENT_TYPE }).end(text),
      (error: unknown) => {
        log.error({ err: error }, 'metrics failed');
        response.writeHead(500).end();
      },
    );
  });
  server.maxConnections = 20;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject).listen({ host, port }, resolve);
  await promise.catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error;
    throw new InputError(`port ${port} is in use; choose another with STORESIGHT_METRICS_PORT`);
  });
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${(server.address() as AddressInfo).port}/metrics`;
  return {
    url,
    stop: async () => {
      const closed = new Promise((done) => server.close(done));
      server.closeAllConnections();
      await closed;
    },
  };
}
