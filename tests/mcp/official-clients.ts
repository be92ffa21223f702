import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

/** What the tests need of a client, whichever official one it is. */
export interface OfficialClient {
  revision(): string | undefined;
  instructions(): string | undefined;
  capabilities(): unknown;
  listTools(): Promise<ListedTool[]>;
  callTool(name: string, args: Record<string, unknown>): Promise<CalledTool>;
  close(): Promise<void>;
}

export interface ListedTool {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly inputSchema: JsonObjectSchema;
  readonly outputSchema?: object | undefined;
  readonly annotations?: object | undefined;
}

interface JsonObjectSchema {
  readonly properties?: Readonly<Record<string, object>> | undefined;
  readonly required?: readonly string[] | undefined;
}

interface CalledTool {
  readonly isError?: boolean;
  readonly content: readonly { readonly text: string }[];
  readonly structuredContent?: Record<string, unknown>;
}

const IDENTITY = { name: 'storesight-tests', version: '1.0.0' };

function requestInit(token: string) {
  return { requestInit: { headers: { Authorization: `Bearer ${token}` } } };
}

export async function connectV1(url: string, token: string): Promise<OfficialClient> {
  const client = new ClientV1(IDENTITY);
  const transport = new HttpV1(new URL(url), requestInit(token));
  // TRICKY: its types were not made for exactOptionalPropertyTypes.
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  return {
    revision: () => transport.protocolVersion,
    instructions: () => client.getInstructions(),
    capabilities: () => client.getServerCapabilities(),
    listTools: async () => (await client.listTools()).tools as ListedTool[],
    callTool: async (name, args) =>
      (await client.callTool({ name, arguments: args })) as unknown as CalledTool,
    close: () => client.close(),
  };
}

export async function connectV2(
  url: string,
  token: string,
  mode: 'legacy' | { readonly pin: string },
): Promise<OfficialClient> {
  const client = new ClientV2(IDENTITY, { versionNegotiation: { mode } });
  await client.connect(new HttpV2(new URL(url), requestInit(token)));
  return officialV2(client);
}

export function officialV2(client: ClientV2): OfficialClient {
  return {
    revision: () => client.getNegotiatedProtocolVersion(),
    instructions: () => client.getInstructions(),
    capabilities: () => client.getServerCapabilities(),
    listTools: async () => (await client.listTools()).tools as unknown as ListedTool[],
    callTool: async (name, args) =>
      (await client.callTool({ name, arguments: args })) as unknown as CalledTool,
    close: () => client.close(),
  };
}
