import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Logger } from 'pino';
import type { Tool } from '../answers/tool.ts';
import { chartAbout } from '../asking/chart-store.ts';
import { type Arguments, atOneSnapshot, runTool, type ToolEnvironment } from '../asking/run-tool.ts';
import type { ExtensionName } from '../business/extensions.ts';
import { ALL_GROUPS, type GroupName, TOOL_GROUPS } from '../business/tool-groups.ts';
import { CATALOGUE, EXTENSION_TOOLS, toolsOfExtensions } from '../catalogue.ts';
import type { Caller } from '../control/people/callers.ts';
import type { Pieces } from '../main-thread/pieces.ts';
import { mainThread } from '../main-thread/turns.ts';
import { answerResult, type SendWritten } from './answer-result.ts';
import { type CallObserver, type CallOutcome, outcomeOf } from './call-outcome.ts';
import { instructionsOf } from './instructions.ts';
import { APPS_CAPABILITY, negotiatedBy, pictureOf } from './mcp-apps.ts';
import { handlePrompts } from './prompt-handlers.ts';
import { logRefusal, publicTexts, shorten } from './public-error.ts';
import { ParameterCheckingServer } from './request-params.ts';
import { handleResources } from './resource-handlers.ts';
import { IDENTITY } from './server-identity.ts';
import { listTools } from './tool-list.ts';
import { type TraceContext, traceContext } from './trace-context.ts';
import { hideUnexpected } from './unexpected-error.ts';

const EVERY_TOOL = [...CATALOGUE, ...EXTENSION_TOOLS];
const TOOLS = listTools(EVERY_TOOL);
const OUTPUT_SCHEMAS = new Map(TOOLS.map((tool) => [tool.name, tool.outputSchema]));
/** The same for hosts that show pictures. */
const TOOLS_WITH_PICTURES = TOOLS.map((tool, index) => {
  const picture = pictureOf(EVERY_TOOL[index] as Tool);
  return picture === null ? tool : { ...tool, _meta: { ...tool._meta, ...picture } };
});
const TOOL_BY_NAME = new Map(EVERY_TOOL.map((tool) => [tool.name, tool]));

/** How long a client may keep what changes only with a new version of the server. */
const CACHE = { ttlMs: 3_600_000, cacheScope: 'private' } as const;

export interface McpServerOptions {
  readonly onCall?: CallObserver;
  /** Tools of others do not exist for this connection; without: all. */
  readonly groups?: readonly GroupName[];
  /** The tools of extensions; without it there are none. */
  readonly extensions?: readonly ExtensionName[];
  /** The handshake of this connection, which another server answered, told that pictures are shown. */
  readonly showsPictures?: boolean;
  /** The page where people sign in to this server with a browser. Without it, they cannot. */
  readonly websiteUrl?: string;
  /** Sends long answers as the bytes that they are; without, they are sent like any other. */
  readonly sendWritten?: SendWritten;
}

/**
 * One MCP server for one caller: a request over HTTP, or a connection over stdio.
 *
 * It answers on the SDK's low level because the contract wants arguments checked after authorization, and
 * because the list of tools is the same for every request.
 */
export function createMcpServer(
  environment: ToolEnvironment,
  caller: Caller,
  log: Logger,
  {
    onCall = () => {},
    groups = ALL_GROUPS,
    extensions = [],
    showsPictures = false,
    sendWritten,
    websiteUrl,
  }: McpServerOptions = {},
): Server {
  const titles: readonly string[] = groups.map((group) => TOOL_GROUPS[group]);
  const added = toolsOfExtensions(extensions);
  const isServed = (tool: Tool) => titles.includes(tool.group) || added.includes(tool);
  const server = new ParameterCheckingServer(
    { ...IDENTITY, ...(websiteUrl !== undefined && { websiteUrl }) },
    {
      capabilities: { tools: {}, resources: {}, prompts: {}, completions: {}, extensions: APPS_CAPABILITY },
      instructions: instructionsOf(groups, extensions),
      cacheHints: {
        'server/discover': CACHE,
        'tools/list': CACHE,
        'resources/list': CACHE,
        'resources/templates/list': CACHE,
        'resources/read': CACHE,
        'prompts/list': CACHE,
      },
    },
  );
  const arePicturesShown = (context: ServerContext) =>
    showsPictures || negotiatedBy(context, server.getClientCapabilities());
  server.setRequestHandler('tools/list', (_request, context) => ({
    tools: (arePicturesShown(context) ? TOOLS_WITH_PICTURES : TOOLS).filter((_, index) =>
      isServed(EVERY_TOOL[index] as Tool),
    ),
  }));
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const tool = TOOL_BY_NAME.get(params.name);
    if (tool === undefined || !isServed(tool)) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${shorten(params.name)}`);
    }
    const args = params.arguments ?? {};
    const asked = atOneSnapshot(environment);
    const { signal } = context.mcpReq;
    const trace = traceContext(context.mcpReq._meta);
    const ofTrace = trace === null ? log : log.child({ trace_id: trace.traceId });
    const result = await callTool(
      asked,
      caller,
      { log: ofTrace, trace, onCall, sendWritten },
      { tool, args },
      signal,
    );
    const about =
      tool.chart !== undefined && result.isError !== true && arePicturesShown(context)
        ? await chartAbout(asked, caller, tool, args, log)
        : null;
    const pictured = about === null ? result : { ...result, _meta: { ...result._meta, ...about } };
    return server.projectCallToolResult(pictured, OUTPUT_SCHEMAS.get(params.name));
  });
  handleResources(server, extensions, environment, caller, log);
  handlePrompts(server, { groups, extensions }, environment, caller, log);
  return server;
}

async function callTool(
  environment: ToolEnvironment,
  caller: Caller,
  {
    log,
    trace,
    onCall,
    sendWritten,
  }: {
    readonly log: Logger;
    readonly trace: TraceContext | null;
    readonly onCall: CallObserver;
    readonly sendWritten: SendWritten | undefined;
  },
  { tool, args }: { readonly tool: Tool; readonly args: Arguments },
  signal: AbortSignal,
): Promise<CallToolResult> {
  const startedAt = performance.now();
  const ended = (outcome: CallOutcome) => {
    const seconds = (performance.now() - startedAt) / 1000;
    onCall({ tool: tool.name, outcome, seconds, trace });
    return { tool: tool.name, caller: caller.name, ms: Math.round(1000 * seconds), outcome };
  };
  try {
    const answer = await runTool(environment, tool, args, caller, signal);
    const inTurn = <Result>(work: Pieces<Result>) => mainThread.run(caller.name, work, signal);
    const answered = await answerResult(tool, args, answer, { inTurn, sendWritten });
    log.info(ended('answered'), 'tool call');
    return answered;
  } catch (error) {
    if (signal.aborted) {
      log.info(ended('cancelled'), 'tool call cancelled');
      return errorResult(['cancelled']);
    }
    const facts = ended(outcomeOf(error));
    const texts = publicTexts(error);
    if (texts === null) return errorResult([hideUnexpected(log, error, 'tool call failed', facts)]);
    logRefusal(log, error, facts, 'tool call refused');
    return errorResult(texts);
  }
}

/** The result of an error. Each text begins a line, since hosts join them as they are. */
function errorResult(texts: readonly string[]): CallToolResult {
  const lines = texts.map((text, index) => `${index === 0 ? '' : '\n'}${shorten(text)}`);
  return { isError: true, content: lines.map((text) => ({ type: 'text', text })) };
}
