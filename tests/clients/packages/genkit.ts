import type { ClientPackage } from '../client-package.ts';

interface Action {
  (args: object): Promise<unknown>;
  readonly __action: { readonly name: string };
}

/** It checks arguments by the listed schema before it sends them. */
export const GENKIT: ClientPackage = {
  name: '@genkit-ai/mcp',
  version: '1.42.0',
  beside: ['genkit@1.42.0', '@modelcontextprotocol/sdk@1.32.2'],
  connect: async ({ url, token, provider, load }) => {
    const { genkit } = await load('genkit');
    const { createMcpClient } = await load('@genkit-ai/mcp');
    const auth =
      token === null
        ? { authProvider: provider }
        : { requestInit: { headers: { Authorization: `Bearer ${token}` } } };
    const client = createMcpClient({ name: 'storesight', mcpServer: { url, ...auth } });
    await client.ready();
    const tools = (await client.getActiveTools(genkit({}))) as Action[];
    return {
      listTools: async () => tools.map(({ __action }) => __action.name.split('/').at(-1) ?? ''),
      callTool: async (name, args) => {
        const tool = tools.find(({ __action }) => __action.name.endsWith(`/${name}`));
        if (tool === undefined) throw new Error(`no tool ${name}`);
        try {
          const text = JSON.stringify(await tool(args));
          return { isError: text.startsWith('{"error"'), text };
        } catch (error) {
          return { isError: true, text: String(error) };
        }
      },
      close: () => client.disable(),
    };
  },
};
