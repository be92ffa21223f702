import { type ClientPackage, calledAsIs } from '../client-package.ts';

export const AI_SDK: ClientPackage = {
  name: '@ai-sdk/mcp',
  version: '2.0.99',
  connect: async ({ url, token, provider, load }) => {
    const { createMCPClient } = await load('@ai-sdk/mcp');
    const auth =
      token === null ? { authProvider: provider } : { headers: { Authorization: `Bearer ${token}` } };
    const client = await createMCPClient({ transport: { type: 'http', url, ...auth } });
    const tools = await client.tools();
    return {
      listTools: async () => Object.keys(tools),
      callTool: async (name, args) =>
        calledAsIs(await tools[name].execute(args, { toolCallId: '1', messages: [] })),
      close: () => client.close(),
    };
  },
};
