import type { ClientPackage } from '../client-package.ts';

/** It throws what the server says is an error, and so tells the model. */
export const LANGCHAIN: ClientPackage = {
  name: '@langchain/mcp-adapters',
  version: '1.1.4',
  beside: ['@langchain/core'],
  connect: async ({ url, token, provider, load }) => {
    const { MultiServerMCPClient } = await load('@langchain/mcp-adapters');
    const auth =
      token === null ? { authProvider: provider } : { headers: { Authorization: `Bearer ${token}` } };
    const client = new MultiServerMCPClient({ mcpServers: { storesight: { url, ...auth } } });
    const tools = (await client.getTools()) as {
      name: string;
      invoke(args: object): Promise<unknown>;
    }[];
    return {
      listTools: async () => tools.map(({ name }) => name),
      callTool: async (name, args) => {
        const tool = tools.find((one) => one.name === name);
        if (tool === undefined) throw new Error(`no tool ${name}`);
        try {
          return { isError: false, text: JSON.stringify(await tool.invoke(args)) };
        } catch (error) {
          return { isError: true, text: String(error) };
        }
      },
      close: () => client.close(),
    };
  },
};
