import { type Command, InvalidArgumentError } from 'commander';
import type { RunningServer } from '../server/listen.ts';
import { type CommandContext, withInstance } from './command.ts';
import { firstPasswordLink, howToSignIn, runServer, type ServeOptions } from './run-server.ts';
import { createToken } from './token-commands.ts';

const DEMO_TOKEN_SECONDS = 7 * 24 * 3600;

export function addServeCommands(program: Command): void {
  addAddressOptions(program.command('serve'))
    .option('--demo', 'in an empty data folder, first make two demo businesses and a demo account')
    .option('--behind-proxy', 'a proxy in front of this server speaks https to clients')
    .option('--sync', 'read connections too; as without, unless the control database is PostgreSQL')
    .option('--no-sync', 'leave connections to `worker`')
    .description('Serve MCP over HTTP')
    .action(
      withInstance<ServeOptions>((context, options) =>
        runServer(context, options, async (server, demoAccount) => {
          process.stdout.write(await welcome(context, server, demoAccount));
        }),
      ),
    );
}

export function addAddressOptions(command: Command): Command {
  return command
    .option('--port <port>', 'port to listen on (without: STORESIGHT_PORT, or 8787)', readPort)
    .option('--host <host>', 'address to listen on (without: STORESIGHT_HOST, or 127.0.0.1)');
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
${howToSignIn(demoAccount, await firstPasswordLink(context, server, demoAccount))}

Connect a client, which opens your browser to sign in. For example Claude Code:

claude mcp add --transport http storesight ${mcpUrl}

A client that cannot sign in takes this bearer token instead, valid for 7 days:

${access_token}

Then ask: "Which products sold best in November 2011, and how did revenue develop?"
Ctrl+C stops the server.

`;
}

function readPort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65535) throw new InvalidArgumentError('it must be a port, 0 to 65535.');
  return port;
}
