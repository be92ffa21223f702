import { type Command, InvalidArgumentError } from 'commander';
import { findAccount } from '../control/accounts.ts';
import { hasPassword } from '../control/credentials.ts';
import { prepareDemo } from '../demo/prepare-demo.ts';
import type { RunningServer } from '../server/listen.ts';
import { createLog } from '../server/log.ts';
import { serve } from '../server/serve.ts';
import { invite } from './account-commands.ts';
import { type CommandContext, withInstance } from './command.ts';
import { stopSignal, untilStopped } from './signals.ts';
import { startSyncWorker } from './sync-worker.ts';
import { createToken } from './token-commands.ts';
import { untilUncaught } from './uncaught.ts';

interface ServeOptions {
  readonly json?: true;
  readonly port?: number;
  readonly host?: string;
  readonly demo?: true;
  readonly behindProxy?: true;
  readonly sync?: boolean;
}

const DEMO_TOKEN_SECONDS = 7 * 24 * 3600;

export function addServeCommands(program: Command): void {
  program
    .command('serve')
    .option('--port <port>', 'port to listen on (without: STORESIGHT_PORT, or 8787)', readPort)
    .option('--host <host>', 'address to listen on (without: STORESIGHT_HOST, or 127.0.0.1)')
    .option('--demo', 'in an empty data folder, first make two demo businesses and a demo account')
    .option('--behind-proxy', 'a proxy in front of this server speaks https to clients')
    .option('--sync', 'read connections too; as without, unless the control database is PostgreSQL')
    .option('--no-sync', 'leave connections to `worker`')
    .description('Serve MCP over HTTP')
    .action(
      withInstance<ServeOptions>(async (context, options) => {
        const settings = {
          ...context.settings,
          PORT: options.port ?? context.settings.PORT,
          HOST: options.host ?? context.settings.HOST,
        };
        const log = createLog(settings);
        const uncaught = untilUncaught(log);
        const stop = stopSignal();
        const preparing = { ...context.instance, signal: stop };
        const demoAccount = options.demo ? await prepareDemo(preparing, context.output) : null;
        const server = await serve(context.instance, {
          settings,
          log,
          isBehindProxy: options.behindProxy === true,
        });
        // Where several servers share a control database, whoever runs them says where the work is done.
        const isSyncing = options.sync ?? settings.CONTROL_URL === undefined;
        const stopSyncing = isSyncing ? startSyncWorker(context.instance.control, log) : null;
        process.stdout.write(await welcome(context, server, demoAccount));
        await Promise.race([untilStopped(stop), uncaught]);
        await Promise.all([server.stop(), stopSyncing?.()]);
      }),
    );
}

async function welcome(
  context: CommandContext,
  server: RunningServer,
  demoAccount: string | null,
): Promise<string> {
  const { mcpUrl } = server;
  const served = `\nStoresight serves MCP at ${mcpUrl}\n`;
  if (demoAccount === null) {
    return `${served}Give this URL to an MCP client, and sign in when it opens your browser.
Connected apps, and settings for the common clients: ${server.baseUrl}/connect\n\n`;
  }
  const { access_token } = await createToken(context.instance, {
    account: demoAccount,
    businesses: 'all',
    ttl: DEMO_TOKEN_SECONDS,
  });
  return `${served}
${await howToSignIn(context, server, demoAccount)}

Connect a client, which opens your browser to sign in. For example Claude Code:

claude mcp add --transport http storesight ${mcpUrl}

A client that cannot sign in takes this bearer token instead, valid for 7 days:

${access_token}

Then ask: "Which products sold best in November 2011, and how did revenue develop?"
Ctrl+C stops the server.

`;
}

async function howToSignIn(
  { instance, settings }: CommandContext,
  { baseUrl }: RunningServer,
  email: string,
): Promise<string> {
  const { account_id } = await findAccount(instance.control, email);
  if (await hasPassword(instance.control, account_id))
    return `Your account is ${email}. Forgot its password? npm run -s storesight -- account invite --account ${email}`;
  const { password_link } = await invite(instance, settings.AUTH_URL ?? baseUrl, account_id);
  return `Your account is ${email}. First choose its password:\n\n${password_link}`;
}

function readPort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65535) throw new InvalidArgumentError('it must be a port, 0 to 65535.');
  return port;
}
