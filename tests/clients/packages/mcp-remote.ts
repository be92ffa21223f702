import { join } from 'node:path';
import { type ClientPackage, calledAsIs } from '../client-package.ts';

/** What hosts without HTTP start: an official client speaks to it over stdio. */
export const MCP_REMOTE: ClientPackage = {
  name: 'mcp-remote',
  version: '0.15.1',
  beside: ['@modelcontextprotocol/sdk@1.32.2'],
  cannotRefresh: 'its sign-in needs a browser',
  connect: async ({ url, token, folder, load }) => {
    const { Client } = await load('@modelcontextprotocol/sdk/client/index.js');
    const { StdioClientTransport } = await load('@modelcontextprotocol/sdk/client/stdio.js');
    const client = new Client({ name: 'test', version: '1' });
    const program = join(folder, 'node_modules', '.bin', 'mcp-remote');
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [program, url, '--allow-http', '--header', `Authorization:Bearer ${token}`],
        env: { ...process.env, MCP_REMOTE_CONFIG_DIR: join(folder, 'mcp-auth') },
        stderr: 'ignore',
      }),
    );
    return {
      listTools: async () => {
        const { tools } = (await client.listTools()) as { tools: { name: string }[] };
        return tools.map(({ name }) => name);
      },
      callTool: async (name, args) => calledAsIs(await client.callTool({ name, arguments: args })),
      close: () => client.close(),
    };
  },
};
