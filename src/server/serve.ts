import type { Logger } from 'pino';
import { InputError } from '../model/errors.ts';
import { createHttpService } from './http.ts';
import { type Instance, openWarehouse, toolEnvironment } from './instance.ts';
import { listen, type RunningServer } from './listen.ts';
import type { Settings } from './settings.ts';

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
  const warehouse = await openWarehouse(instance, settings);
  const server = await listen(settings, (baseUrl) =>
    createHttpService({
      control: instance.control,
      environment: toolEnvironment(instance, warehouse),
      log,
      baseUrl,
      authUrl: settings.AUTH_URL ?? baseUrl,
      allowedOrigins: settings.ALLOWED_ORIGINS,
      rateLimit: settings.RATE_LIMIT,
      maxRequestBytes: settings.MAX_REQUEST_BYTES,
    }),
  );
  log.info({ url: server.mcpUrl }, 'listening');
  return {
    mcpUrl: server.mcpUrl,
    stop: async () => {
      await server.stop();
      await warehouse.close();
    },
  };
}

function refuseOpenPlainHttp(settings: Settings, isBehindProxy: boolean): void {
  if (isBehindProxy && settings.BASE_URL === undefined) {
    throw new InputError(
      '--behind-proxy needs STORESIGHT_BASE_URL, the URL under which the proxy serves this: clients are told it, and ' +
        'requests for other hosts are refused',
    );
  }
  const isLoopback = ['127.0.0.1', '::1', 'localhost'].includes(settings.HOST);
  if (isLoopback || isBehindProxy || settings.BASE_URL?.startsWith('https://')) return;
  throw new InputError(
    `--host ${settings.HOST} is reachable from other machines, where tokens must not travel unencrypted. Set ` +
      'STORESIGHT_BASE_URL to the https:// URL under which a proxy serves this, or say --behind-proxy',
  );
}
