import { finished } from 'node:stream';
import type { HttpBindings } from '@hono/node-server';
import {
  type AuthInfo,
  getOAuthProtectedResourceMetadataUrl,
  type McpServer,
  type Server,
} from '@modelcontextprotocol/server';
import type { Logger } from 'pino';
import { type ExtensionName, readExtensions } from '../business/extensions.ts';
import { type GroupName, readGroups } from '../business/tool-groups.ts';
import type { ControlDatabase } from '../control/database/control-database.ts';
import type { WindowCounts } from '../control/limits/window-counts.ts';
import { type Caller, grantedCaller } from '../control/people/callers.ts';
import { GrantUses } from '../control/tokens/grant-uses.ts';
import { InputError } from '../errors.ts';
import { mainThread } from '../main-thread/turns.ts';
import type { SendWritten } from '../mcp/answer-result.ts';
import { hasTooMuchOutsideArguments, idIn, TOO_MUCH_OUTSIDE_ARGUMENTS } from '../mcp/message-limits.ts';
import { withoutNullParams } from '../mcp/request-params.ts';
import { acceptedForm, NEITHER_FORM } from './accepted-form.ts';
import { type AnswerInFlight, AnswersInFlight } from './answers-in-flight.ts';
import { createAuthentication, grantOf } from './authentication.ts';
import { inBatches } from './batch-requests.ts';
import { boundAnswers, REFUSAL_TEXTS } from './bounded-answers.ts';
import { ByteBudget, type ByteLimits } from './byte-budget.ts';
import { LargeAnswers } from './large-answers.ts';
import { Refusals } from './logged-refusals.ts';
import { McpAnswers } from './mcp-answers.ts';
import type { Metrics } from './metrics.ts';
import type { Door } from './next-request.ts';
import { isPictureSession, withPictureSession } from './picture-sessions.ts';
import { mendVersionHeader } from './protocol-version.ts';
import { BODY_LIMITS, readJson, refusal } from './request-body.ts';

/** The status that the SDK has for it too; nobody reads it. */
const CLIENT_GONE = 499;

interface ChosenTools {
  readonly groups: readonly GroupName[];
  readonly extensions: readonly ExtensionName[];
}

/** What a connection chose: by its URL, and by its handshake. */
interface Chosen extends ChosenTools {
  readonly showsPictures: boolean;
  readonly sendWritten: SendWritten;
}

export interface McpEndpointOptions {
  readonly control: ControlDatabase;
  /** Makes what answers one request, for the caller of its token. */
  readonly mcpServer: (caller: Caller, chosen: Chosen) => McpServer | Server;
  /** The groups of tools that are served; a connection chooses among them by `?groups=` of its URL. */
  readonly groups: readonly GroupName[];
  /** The extensions that every connection has; one adds others by `?extensions=`. */
  readonly extensions: readonly ExtensionName[];
  readonly log: Logger;
  readonly metrics: Metrics;
  /** The door, which is told whose token it was. */
  readonly door: Pick<Door, 'recognise'>;
  /** Issues the tokens that are taken. */
  readonly authUrl: string;
  /** Counts JSON-RPC messages by account; a request may hold several. */
  readonly messages: WindowCounts;
  readonly maxRequestBytes: number;
  /** What waits for clients that read; without: as the class says. */
  readonly answers?: AnswersInFlight;
  /** The limits of what is read of requests. Without them, the usual ones hold. */
  readonly bodyLimits?: ByteLimits;
}

/**
 * Answers requests to `/mcp`: who asks, whether there is room for it, then what the MCP server of that caller
 * says.
 */
export class McpEndpoint {
  readonly #log: Logger;
  readonly #door: McpEndpointOptions['door'];
  readonly #maxRequestBytes: number;
  readonly #groups: readonly GroupName[];
  readonly #extensions: readonly ExtensionName[];
  readonly #authenticate: (request: Request) => Promise<AuthInfo | Response>;
  readonly #uses: GrantUses;
  readonly #answers: AnswersInFlight;
  readonly #bodies: ByteBudget;
  readonly #limit: WindowCounts;
  readonly #refusals: Refusals;
  readonly #mcp: McpAnswers;

  constructor(mcpUrl: URL, options: McpEndpointOptions) {
    const { control, log, metrics } = options;
    this.#log = log;
    this.#door = options.door;
    this.#maxRequestBytes = options.maxRequestBytes;
    this.#groups = options.groups;
    this.#extensions = options.extensions;
    this.#uses = new GrantUses(control, (error) =>
      log.warn(
        { err: error },
        'when connections were last used cannot be recorded; trying again in a minute',
      ),
    );
    this.#authenticate = createAuthentication({
      control,
      uses: this.#uses,
      log,
      origin: { issuer: options.authUrl, audience: mcpUrl.href },
      resourceMetadataUrl: getOAuthProtectedResourceMetadataUrl(mcpUrl),
    });
    this.#answers = options.answers ?? new AnswersInFlight();
    this.#bodies = new ByteBudget(options.bodyLimits ?? BODY_LIMITS);
    this.#limit = options.messages;
    this.#refusals = new Refusals(log, metrics);
    this.#mcp = new McpAnswers(
      ({ authInfo }) => {
        const caller = grantedCaller(control, grantOf(authInfo));
        const onRefused = (reason: string) => this.#refusals.add(reason, caller.name);
        const { answer, large, isBatch } = answeringOf(authInfo);
        const server = boundAnswers(options.mcpServer(caller, chosenBy(authInfo)), answer, large, onRefused);
        return isBatch ? inBatches(server, { account: caller.name, answer, onRefused }) : server;
      },
      (error) => log.debug({ err: error }, 'request refused'),
    );
    metrics.addGauge(
      'requests_in_flight',
      'Requests to /mcp that are read, asked or answered',
      () => this.#answers.requests,
    );
    metrics.addGauge(
      'answer_bytes_in_flight',
      'Answers that clients have not taken yet',
      () => this.#answers.bytes,
    );
  }

  /** @param outgoing where the response goes, which counts until its client has taken it */
  async answer(request: Request, outgoing: HttpBindings['outgoing']): Promise<Response> {
    const authInfo = await this.#authenticate(request);
    if (authInfo instanceof Response) return authInfo;
    this.#door.recognise(request.headers.get('Authorization'), grantOf(authInfo).account_id);
    if (request.method !== 'POST') return refusal(405, -32000, insteadOf(request.method), { Allow: 'POST' });
    const form = acceptedForm(request.headers.get('Accept'));
    if (form === null) return refusal(406, -32000, NEITHER_FORM);
    const tools = this.#chosenTools(request);
    if (tools instanceof Response) return tools;
    const { account_id } = grantOf(authInfo);
    const answer = this.#answers.open(account_id, () => {
      this.#refusals.add('answer not taken in time', account_id);
      // Closing alone would leave the system's buffers full until the client goes.
      outgoing.socket?.resetAndDestroy();
    });
    if (typeof answer === 'string') {
      this.#refusals.add(answer, account_id);
      const status = answer === 'memory for answers' ? 503 : 429;
      return refusal(status, -32000, REFUSAL_TEXTS[answer], { 'Retry-After': '5' });
    }
    const asking = new AbortController();
    const leave = mainThread.enter(account_id);
    finished(outgoing, () => {
      leave();
      answer.close();
      asking.abort();
    });
    const read = await this.#read(request, account_id);
    if (read instanceof Response) return read;
    const body = { json: withoutNullParams(read.json) };
    // The SDK would be told of it by an event that is over, and answer nobody.
    if (asking.signal.aborted) return new Response(null, { status: CLIENT_GONE });
    const large = new LargeAnswers();
    const chosen = { ...tools, showsPictures: isPictureSession(request), sendWritten: large.send };
    const answering = { answer, large, isBatch: Array.isArray(body.json) };
    const extra = { ...authInfo.extra, answering, chosen };
    const asked = this.#requestUntil(asking.signal, request, body.json);
    const response = await this.#mcp.fetch(asked, {
      form,
      authInfo: { ...authInfo, extra },
      parsedBody: body.json,
    });
    return withPictureSession(large.fill(response), body.json);
  }

  /**
   * What the SDK is given of a request: its body was read, and its signal ends with the answer, whether a
   * client took it or went away. Of clients of the revisions before 2026-07-28 the SDK listens to that signal
   * and never stops, and the signal of `@hono/node-server`'s own request is never collected: all that was
   * made for a request stayed in memory.
   */
  #requestUntil(signal: AbortSignal, { url, method, headers }: Request, body: unknown): Request {
    return new Request(url, { method, headers: mendVersionHeader(headers, body, this.#log), signal });
  }

  #chosenTools(request: Request): ChosenTools | Response {
    const asked = new URL(request.url).searchParams;
    try {
      return {
        groups: readGroups(asked.get('groups'), this.#groups),
        extensions: readExtensions(asked.get('extensions'), this.#extensions),
      };
    } catch (error) {
      if (error instanceof InputError) return refusal(400, -32602, error.message);
      throw error;
    }
  }

  /** The JSON of a request that is within the limits; or the response that refuses it. */
  async #read(request: Request, accountId: string): Promise<{ json: unknown } | Response> {
    const body = await readJson(request, {
      maxBytes: this.#maxRequestBytes,
      budget: this.#bodies,
      accountId,
    });
    if (body instanceof Response) {
      if (body.status === 413) this.#refusals.add('request too large', accountId);
      if (body.status === 503) this.#refusals.add('memory for requests', accountId);
      return body;
    }
    const messages: readonly unknown[] = Array.isArray(body.json) ? body.json : [body.json];
    const waitSeconds = this.#limit.add(accountId, Math.max(1, messages.length));
    if (waitSeconds === 0) {
      if (!messages.some(hasTooMuchOutsideArguments)) return body;
      this.#refusals.add('request too large', accountId);
      return refusal(400, -32600, TOO_MUCH_OUTSIDE_ARGUMENTS, {}, idIn(body.json));
    }
    this.#refusals.add('rate limit', accountId);
    const message = `too many requests; try again in ${waitSeconds} s`;
    return refusal(429, -32000, message, { 'Retry-After': String(waitSeconds) });
  }

  async close(): Promise<void> {
    await this.#mcp.close();
    await this.#uses.settled();
  }
}

/**
 * Why a method of HTTP is not taken, and what to do instead. Clients before 2026-07-28 try two of them as
 * they begin and end.
 */
function insteadOf(method: string): string {
  if (method === 'GET')
    return 'there is no stream to open: nothing is sent unasked; send each message by POST';
  if (method === 'DELETE')
    return 'there is no session to end: each request is answered by itself; send each message by POST';
  return 'send each message by POST';
}

/** How one request is answered. */
interface Answering {
  readonly answer: AnswerInFlight;
  readonly large: LargeAnswers;
  readonly isBatch: boolean;
}

function answeringOf(authInfo: AuthInfo | undefined): Answering {
  if (authInfo?.extra?.answering === undefined)
    throw new Error('a request that nobody counts reached the MCP server');
  return authInfo.extra.answering as Answering;
}

function chosenBy(authInfo: AuthInfo | undefined): Chosen {
  if (authInfo?.extra?.chosen === undefined)
    throw new Error('a request of which nobody read the groups reached the MCP server');
  return authInfo.extra.chosen as Chosen;
}
