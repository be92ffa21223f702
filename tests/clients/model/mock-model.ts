import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ANTHROPIC } from './anthropic.ts';
import { GEMINI } from './gemini.ts';
import { OPENAI } from './openai.ts';

/** What a host asks a model, whatever interface it speaks. */
interface Asked {
  /** As the host names them. */
  readonly tools: readonly string[];
  /** What the host says the calls so far answered, in their order, as the model reads it. */
  readonly answers: readonly string[];
  /** What each search for tools found, which is among `tools` too; `null` where the host offers none. */
  readonly found: readonly (readonly string[])[] | null;
}

export interface LastAsked extends Asked {
  /** The request as it was sent. */
  readonly body: string;
}

/** A tool to call; without one, the model has finished. */
export interface Wanted {
  readonly tool: string;
  readonly args: object;
}

/** The interface of a vendor: how requests are read and replies are written. */
export interface Interface {
  readonly path: RegExp;
  read(body: unknown): Asked;
  /** A call of the tool that looks for tools; without a limit, the host decides how many it gives. */
  search(query: string, limit?: number): Wanted;
  /** Server-sent events, or one JSON document. */
  reply(wanted: Wanted | null, turn: number, isStream: boolean): string;
}

export interface MockModel extends AsyncDisposable {
  readonly url: string;
  /** What it was asked last with tools of the server. */
  last(): LastAsked;
  /** Paths that it does not know, so that somebody can mend the host. */
  readonly unknown: readonly string[];
}

const INTERFACES: readonly Interface[] = [ANTHROPIC, OPENAI, GEMINI];

const ALL = 100;

interface Script {
  /** Where tools must be looked for, what is asked first; then all of the server's are. */
  readonly searches: readonly string[];
  readonly calls: readonly Wanted[];
}

/**
 * A model on loopback that makes these searches and calls one after the other, and then says that it has
 * finished. Which comes next follows from how many answers a request holds, so that what hosts ask besides,
 * as titles, changes nothing.
 */
export async function startMockModel({ searches, calls }: Script, server: string): Promise<MockModel> {
  let last: LastAsked = { tools: [], answers: [], found: null, body: '' };
  const unknown: string[] = [];
  const http = createServer(async (request, response) => {
    const path = request.url ?? '';
    const spoken = INTERFACES.find((one) => one.path.test(path));
    const body = await read(request);
    if (spoken === undefined || request.method !== 'POST') {
      unknown.push(`${request.method} ${path}`);
      response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":{"message":"not here"}}');
      return;
    }
    const asked = spoken.read(body);
    const isOfServer = asked.tools.some((tool) => tool.includes(server));
    if (isOfServer) last = { ...asked, body: JSON.stringify(body) };
    const isStream = path.includes('stream') || (body as { stream?: boolean }).stream === true;
    response
      .writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' })
      .end(
        spoken.reply(wantedNext(asked, spoken), asked.answers.length + (asked.found?.length ?? 0), isStream),
      );
  });
  function wantedNext({ tools, answers, found }: Asked, spoken: Interface): Wanted | null {
    if (found !== null && found.length <= searches.length) {
      const query = searches[found.length];
      return query === undefined ? spoken.search(server, ALL) : spoken.search(query);
    }
    const next = calls[answers.length];
    const tool = tools.find((name) => isTool(name, server, next?.tool));
    return next === undefined || tool === undefined ? null : { ...next, tool };
  }
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    last: () => last,
    unknown,
    [Symbol.asyncDispose]: async () => {
      http.closeAllConnections();
      http.close();
    },
  };
}

/** Hosts put the server before the name of a tool: `mcp__server__tool`, `server-tool`. */
export function isTool(name: string, server: string, tool: string | undefined): boolean {
  const [, after] = name.split(server);
  return after?.replace(/^[^a-z]+/, '') === tool;
}

async function read(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    return {};
  }
}
