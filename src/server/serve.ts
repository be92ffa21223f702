import type { Logger } from 'pino';
import { MODEL_VERSION } from '../build/build-model.ts';
import { currentSnapshot, listBusinesses } from '../control/businesses.ts';
import { rebuildSnapshot } from '../ingest/import.ts';
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
  await rebuildOutdatedSnapshots(instance, log);
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
