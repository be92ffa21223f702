/** JSON-RPC by hand, for what official clients would never send. */

import { connect, type Socket } from 'node:net';

export interface Message {
  readonly jsonrpc: '2.0';
  readonly id: number;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

export function message(method: string, params: Readonly<Record<string, unknown>> = {}, id = 1): Message {
  return { jsonrpc: '2.0', id, method, params };
}

export function toolCall(name: string, args: object): Message {
  return message('tools/call', { name, arguments: args });
}

export interface PostOptions {
  readonly token?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** As a client of the revisions before 2026 does. */
export function post(url: string, body: unknown, options: PostOptions = {}): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...(options.token === undefined ? {} : { Authorization: `Bearer ${options.token}` }),
      ...options.headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
}

/** Asks, and reads nothing of the answer. */
export function postWithoutReading(url: string, body: unknown, token: string): Socket {
  const { host, hostname, port } = new URL(url);
  const text = JSON.stringify(body);
  const socket = connect(Number(port), hostname).pause();
  // The server may end it at any moment.
  socket.on('error', () => {});
  socket.write(
    [
      'POST /mcp HTTP/1.1',
      `Host: ${host}`,
      `Authorization: Bearer ${token}`,
      'Content-Type: application/json',
      'Accept: application/json, text/event-stream',
      `Content-Length: ${Buffer.byteLength(text)}`,
      '',
      text,
    ].join('\r\n'),
  );
  return socket;
}

const NEWEST = '2026-07-28';

/** What a client of revision 2026-07-28 sends in a body. */
export function modern(sent: Message): Message {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': NEWEST,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return { ...sent, params: { ...sent.params, _meta } };
}

/** As a client of revision 2026-07-28 does. */
export function postModern(url: string, sent: Message, options: PostOptions = {}): Promise<Response> {
  const { name } = sent.params as { name?: string };
  return post(url, modern(sent), {
    ...options,
    headers: {
      'MCP-Protocol-Version': NEWEST,
      'Mcp-Method': sent.method,
      ...(name === undefined ? {} : { 'Mcp-Name': name }),
      ...options.headers,
    },
  });
}

export interface Reply {
  readonly id: number;
  readonly result?: {
    readonly isError?: boolean;
    readonly content: readonly { readonly text: string }[];
    readonly structuredContent?: Record<string, unknown>;
    readonly _meta?: Readonly<Record<string, unknown>>;
    readonly tools: readonly { readonly name: string }[];
  };
  readonly error?: { readonly code: number; readonly message: string };
}

/** The JSON-RPC replies of a response, whether it came as JSON or as a stream of events. */
export async function replies(response: Response): Promise<Reply[]> {
  const text = await response.text();
  if (!response.headers.get('content-type')?.startsWith('text/event-stream'))
    return [JSON.parse(text)].flat();
  return text
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice('data: '.length)));
}

/** Asks a tool and gives the texts of its answer. */
export async function ask(url: string, token: string, tool: string, args: object): Promise<string[]> {
  const [reply] = await replies(await post(url, toolCall(tool, args), { token }));
  return (reply?.result?.content ?? []).map(({ text }) => text);
}
