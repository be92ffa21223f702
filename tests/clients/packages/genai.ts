import type { ClientPackage } from '../client-package.ts';

/**
 * Each version translates the schemas of all tools into what Gemini takes, and fails for all where it cannot
 * for one.
 */
export const GENAI: readonly ClientPackage[] = [genai('3.3.0'), genai('1.0.1')];

interface Responded {
  readonly functionResponse: { readonly response: { readonly error?: object; readonly isError?: boolean } };
}

function genai(version: string): ClientPackage {
  return {
    name: '@google/genai',
    version,
    beside: ['@modelcontextprotocol/sdk@1.32.2'],
    connect: async ({ url, token, provider, load }) => {
      const { mcpToTool } = await load('@google/genai');
      const { Client } = await load('@modelcontextprotocol/sdk/client/index.js');
      const { StreamableHTTPClientTransport } = await load(
        '@modelcontextprotocol/sdk/client/streamableHttp.js',
      );
      const auth =
        token === null
          ? { authProvider: provider }
          : { requestInit: { headers: { Authorization: `Bearer ${token}` } } };
      const client = new Client({ name: 'test', version: '1' });
      await client.connect(new StreamableHTTPClientTransport(new URL(url), auth));
      const tool = mcpToTool(client);
      return {
        listTools: async () => {
          const { functionDeclarations } = (await tool.tool()) as {
            functionDeclarations: { name: string }[];
          };
          return functionDeclarations.map(({ name }) => name);
        },
        callTool: async (name, args) => {
          const [part] = (await tool.callTool([{ name, args }])) as Responded[];
          const response = part?.functionResponse.response;
          return {
            isError: response?.error !== undefined || response?.isError === true,
            text: JSON.stringify(response),
          };
        },
        close: () => client.close(),
      };
    },
  };
}
