import type { ClientPackage } from '../client-package.ts';

const PREFIX = 'storesight_';

export const MASTRA: ClientPackage = {
  name: '@mastra/mcp',
  version: '2.0.0',
  beside: ['@mastra/core@1.71.0', 'zod@4'],
  connect: async ({ url, token, provider, load }) => {
    const { MCPClient } = await load('@mastra/mcp');
    const auth =
      token === null
        ? { authProvider: provider }
        : { requestInit: { headers: { Authorization: `Bearer ${token}` } } };
    const client = new MCPClient({ servers: { storesight: { url: new URL(url), ...auth } } });
    const tools = await client.listTools();
    return {
      listTools: async () => Object.keys(tools).map((name) => name.slice(PREFIX.length)),
      callTool: async (name, args) => {
        try {
          const answered = await tools[`${PREFIX}${name}`].execute(args, {});
          return { isError: answered.error === true, text: JSON.stringify(answered) };
        } catch (error) {
          return { isError: true, text: String(error) };
        }
      },
      close: () => client.disconnect(),
    };
  },
};
