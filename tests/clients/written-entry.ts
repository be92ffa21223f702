import { CLIENT_APPS } from '../../src/cli/connect/client-apps.ts';

/** What `storesight connect` writes of a server into the settings of a client. */
export function entryOf(client: string, mcpUrl: string): Record<string, unknown> {
  const app = CLIENT_APPS.find(({ id }) => id === client);
  if (app === undefined) throw new Error(`connect knows no ${client}`);
  return app.entry({ url: mcpUrl, command: { command: '', args: [], env: {} } });
}
