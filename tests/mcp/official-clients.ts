import {
  Client as ClientV2,
  StreamableHTTPClientTransport as HttpV2,
  type Transport as TransportV2,
  type VersionNegotiationMode,
} from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport as TransportV1 } from '@modelcontextprotocol/sdk/shared/transport.js';
import { expect } from 'vitest';

/** What the tests need of a client, whichever official one it is. */
export interface OfficialClient {
  revision(): string | undefined;
  instructions(): string | undefined;
  capabilities(): unknown;
  listTools(): Promise<ListedTool[]>;
  callTool(name: string, args: Record<string, unknown>, options?: CallOptions): Promise<CalledTool>;
  /** What went wrong beside the answers. */
  readonly errors: readonly Error[];
  listResources(): Promise<ListedResource[]>;
  listResourceTemplates(): Promise<unknown[]>;
  readResource(uri: string): Promise<unknown>;
  listPrompts(): Promise<ListedPrompt[]>;
  /** The text of the one message. */
  getPrompt(name: string, args: Record<string, string>): Promise<string>;
  complete(
    prompt: string,
    argument: string,
    typed: string,
    others?: Record<string, string>,
  ): Promise<string[]>;
  close(): Promise<void>;
}

export interface ListedTool {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly inputSchema: JsonObjectSchema;
  readonly outputSchema?: object | undefined;
  readonly annotations?: object | undefined;
  readonly _meta?: Readonly<Record<string, unknown>> | undefined;
}

interface ListedResource {
  readonly uri: string;
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly mimeType?: string | undefined;
}

interface ListedPrompt {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly arguments?:
    | readonly { readonly name: string; readonly required?: boolean | undefined }[]
    | undefined;
}

interface JsonObjectSchema {
  readonly properties?: Readonly<Record<string, object>> | undefined;
  readonly required?: readonly string[] | undefined;
}

interface CallOptions {
  readonly signal?: AbortSignal;
  /** The timeout is in milliseconds. */
  readonly timeout?: number;
  readonly onprogress?: (progress: object) => void;
}

export interface CalledTool {
  readonly isError?: boolean;
  readonly content: readonly { readonly text: string }[];
  readonly structuredContent?: Record<string, unknown>;
  readonly _meta?: Record<string, unknown>;
}

interface ConnectOptions {
  readonly fetch?: (url: string | URL, init?: RequestInit) => Promise<Response>;
  /** The extensions among its capabilities; there are none without it. */
  readonly extensions?: Record<string, Record<string, string[]>>;
}

/** What a desktop client starts. */
export interface Command {
  readonly command: string;
  readonly args: string[];
  readonly env: Record<string, string>;
}

const IDENTITY = { name: 'storesight-tests', version: '1.0.0' };

function httpOptions(token: string, { fetch }: ConnectOptions) {
  return { ...(fetch && { fetch }), requestInit: { headers: { Authorization: `Bearer ${token}` } } };
}

// TRICKY: its types were not made for exactOptionalPropertyTypes.
export function connectV1(url: string, token: string, options: ConnectOptions = {}): Promise<OfficialClient> {
  return openV1(new HttpV1(new URL(url), httpOptions(token, options)) as TransportV1, options);
}

export function connectV2(
  url: string,
  token: string,
  mode: VersionNegotiationMode,
  options: ConnectOptions = {},
): Promise<OfficialClient> {
  return openV2(new HttpV2(new URL(url), httpOptions(token, options)), mode, options);
}

export function startV1(command: Command): Promise<OfficialClient> {
  return openV1(new StdioV1({ ...command, stderr: 'pipe' }));
}

export function startV2(command: Command, mode: VersionNegotiationMode): Promise<OfficialClient> {
  return openV2(new StdioV2({ ...command, stderr: 'pipe' }), mode);
}

export async function openV1(
  transport: TransportV1,
  { extensions }: ConnectOptions = {},
): Promise<OfficialClient> {
  const client = new ClientV1(IDENTITY, { capabilities: extensions === undefined ? {} : { extensions } });
  const errors: Error[] = [];
  client.onerror = (error) => errors.push(error);
  // The client itself does not tell what it agreed on.
  let revision: string | undefined;
  const { setProtocolVersion } = transport;
  transport.setProtocolVersion = (version) => {
    revision = version;
    setProtocolVersion?.call(transport, version);
  };
  await client.connect(transport);
  return {
    revision: () => revision,
    instructions: () => client.getInstructions(),
    capabilities: () => client.getServerCapabilities(),
    listTools: async () => (await client.listTools()).tools as ListedTool[],
    callTool: async (name, args, options) =>
      (await client.callTool({ name, arguments: args }, undefined, options)) as unknown as CalledTool,
    errors,
    ...textsOf(client as unknown as TextClient),
    close: () => client.close(),
  };
}

export async function openV2(
  transport: TransportV2,
  mode: VersionNegotiationMode,
  { extensions }: ConnectOptions = {},
): Promise<OfficialClient> {
  const client = new ClientV2(IDENTITY, {
    versionNegotiation: { mode },
    capabilities: extensions === undefined ? {} : { extensions },
  });
  const errors: Error[] = [];
  client.onerror = (error) => errors.push(error);
  await client.connect(transport);
  return {
    revision: () => client.getNegotiatedProtocolVersion(),
    instructions: () => client.getInstructions(),
    capabilities: () => client.getServerCapabilities(),
    listTools: async () => (await client.listTools()).tools as unknown as ListedTool[],
    callTool: async (name, args, options) =>
      (await client.callTool({ name, arguments: args }, options)) as unknown as CalledTool,
    errors,
    ...textsOf(client as unknown as TextClient),
    close: () => client.close(),
  };
}

/** What both official clients name alike. */
interface TextClient {
  listResources(): Promise<{ resources: ListedResource[] }>;
  listResourceTemplates(): Promise<{ resourceTemplates: unknown[] }>;
  readResource(params: { uri: string }): Promise<{ contents: unknown[] }>;
  listPrompts(): Promise<{ prompts: ListedPrompt[] }>;
  getPrompt(params: { name: string; arguments: Record<string, string> }): Promise<{
    messages: { role: string; content: { type: string; text: string } }[];
  }>;
  complete(params: {
    ref: { type: 'ref/prompt'; name: string };
    argument: { name: string; value: string };
    context?: { arguments: Record<string, string> };
  }): Promise<{ completion: { values: string[] } }>;
}

function textsOf(client: TextClient) {
  return {
    listResources: async () => (await client.listResources()).resources,
    listResourceTemplates: async () => (await client.listResourceTemplates()).resourceTemplates,
    readResource: async (uri: string) => {
      const { contents } = await client.readResource({ uri });
      expect(contents).toHaveLength(1);
      return contents[0];
    },
    listPrompts: async () => (await client.listPrompts()).prompts,
    getPrompt: async (name: string, args: Record<string, string>) => {
      const { messages } = await client.getPrompt({ name, arguments: args });
      expect(messages).toHaveLength(1);
      expect(messages[0]).toMatchObject({ role: 'user', content: { type: 'text' } });
      return messages[0]?.content.text ?? '';
    },
    complete: async (prompt: string, argument: string, typed: string, others?: Record<string, string>) => {
      const { completion } = await client.complete({
        ref: { type: 'ref/prompt', name: prompt },
        argument: { name: argument, value: typed },
        ...(others && { context: { arguments: others } }),
      });
      return completion.values;
    },
  };
}
