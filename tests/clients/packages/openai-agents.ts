import type { ClientPackage } from '../client-package.ts';

interface Tool {
  readonly name: string;
  readonly strict: boolean;
  invoke(context: unknown, input: string): Promise<unknown>;
}

/**
 * It turns schemas into OpenAI's strict subset where it can, and quietly leaves them as they are where it
 * cannot.
 */
export const OPENAI_AGENTS: ClientPackage = {
  name: '@openai/agents',
  version: '0.20.0',
  beside: ['zod@4', '@modelcontextprotocol/sdk@1.32.2'],
  connect: async ({ url, token, provider, load }) => {
    const { getAllMcpTools, MCPServerStreamableHttp, RunContext } = await load('@openai/agents');
    const auth =
      token === null
        ? { authProvider: provider }
        : { requestInit: { headers: { Authorization: `Bearer ${token}` } } };
    const server = new MCPServerStreamableHttp({ url, name: 'storesight', ...auth });
    await server.connect();
    const tools = (await getAllMcpTools({
      mcpServers: [server],
      convertSchemasToStrict: true,
      // If this were missing, what a tool throws would become a text that looks like an answer.
      errorFunction: null,
    })) as Tool[];
    return {
      listTools: async () => {
        const loose = tools.filter(({ strict }) => !strict).map(({ name }) => name);
        if (loose.length > 0) throw new Error(`not in the strict subset: ${loose.join(', ')}`);
        return tools.map(({ name }) => name);
      },
      callTool: async (name, args) => {
        const tool = tools.find((one) => one.name === name);
        if (tool === undefined) throw new Error(`no tool ${name}`);
        const answered = [await tool.invoke(new RunContext(), JSON.stringify(args))].flat() as {
          text: string;
        }[];
        // It gives the model the content alone: an error is what is not the JSON of an answer.
        return { isError: answered[0]?.text.startsWith('{') !== true, text: JSON.stringify(answered) };
      },
      close: () => server.close(),
    };
  },
};
