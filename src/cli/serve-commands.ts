import { type Command, InvalidArgumentError } from 'commander';
import { prepareDemo } from '../demo/prepare-demo.ts';
import { createLog } from '../server/log.ts';
import { serve } from '../server/serve.ts';
import { createToken } from './account-commands.ts';
import { type CommandContext, withInstance } from './command.ts';
import { untilStopped } from './signals.ts';

interface ServeOptions {
  readonly json?: true;
  readonly port?: number;
  readonly host?: string;
  readonly demo?: true;
  readonly behindProxy?: true;
}

const DEMO_TOKEN_SECONDS = 7 * 24 * 3600;

export function addServeCommands(program: Command): void {
  program
    .command('serve')
    .option('--port <port>', 'port to listen on (without: STORESIGHT_PORT, or 8787)', readPort)
    .option('--host <host>', 'address to listen on (without: STORESIGHT_HOST, or 127.0.0.1)')
    .option('--demo', 'in an empty data folder, first make two demo businesses and a demo account')
    .option('--behind-proxy', 'a proxy in front of this server speaks https to clients')
    .description('Serve MCP over HTTP')
    .action(
      withInstance<ServeOptions>(async (context, options) => {
        const settings = {
          ...context.settings,
          PORT: options.port ?? context.settings.PORT,
          HOST: options.host ?? context.settings.HOST,
        };
        const demoAccount = options.demo ? await prepareDemo(context.instance, context.output) : null;
        const server = await serve(context.instance, {
          settings,
          log: createLog(settings),
          isBehindProxy: options.behindProxy === true,
        });
        process.stdout.write(await welcome(context, server.mcpUrl, demoAccount));
        await untilStopped();
        await server.stop();
      }),
    );
}

async function welcome(
  { instance }: CommandContext,
  mcpUrl: string,
  demoAccount: string | null,
): Promise<string> {
  if (demoAccount === null) {
    return `\nStoresight serves MCP at ${mcpUrl}\nMake a token with: npm run -s storesight -- token create --account <e-mail>\n\n`;
  }
  const { access_token } = await createToken(instance, {
    account: demoAccount,
    businesses: 'all',
    ttl: DEMO_TOKEN_SECONDS,
  });
  return `
Storesight serves MCP at ${mcpUrl}

Sign in with this bearer token of ${demoAccount}, valid for 7 days:

${access_token}

Paste one line to connect a client, for example Claude Code:

claude mcp add --transport http storesight ${mcpUrl} --header "Authorization: Bearer ${access_token}"

Then ask: "Which products sold best in November 2011, and how did revenue develop?"
Ctrl+C stops the server.

`;
}

function readPort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65535) throw new InvalidArgumentError('it must be a port, 0 to 65535.');
  return port;
}
