import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import { z } from 'zod';

const text = z.string({ error: () => 'must be a text' });
const object = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.looseObject(shape, { error: () => 'must be an object' });
/** Null says the same as leaving it out. */
const optional = <Schema extends z.ZodType>(schema: Schema) => schema.nullish();

const objects = optional(z.record(z.string(), object({}), { error: () => 'must be an object' }));
const list = object({ cursor: optional(text) });

/**
 * What a request must have, where the SDK would answer with the words of a validator, and as if the server
 * had failed.
 */
const PARAMS: Readonly<Record<string, z.ZodType>> = {
  initialize: object({
    protocolVersion: text,
    capabilities: object({
      experimental: objects,
      extensions: objects,
      roots: optional(object({})),
      sampling: optional(object({})),
      elicitation: optional(object({})),
      tasks: optional(object({})),
    }),
    clientInfo: object({
      name: text,
      version: text,
      icons: optional(z.array(object({ src: text }), { error: () => 'must be a list' })),
    }),
  }),
  'tools/list': list,
  'resources/list': list,
  'resources/templates/list': list,
  'prompts/list': list,
  'tools/call': object({ name: text, arguments: optional(object({})) }),
  'resources/read': object({ uri: text }),
  'prompts/get': object({
    name: text,
    arguments: optional(z.record(z.string(), optional(text), { error: () => 'must be an object' })),
  }),
  'completion/complete': object({
    ref: z.union(
      [
        object({ type: z.literal('ref/prompt'), name: text }),
        object({ type: z.literal('ref/resource'), uri: text }),
      ],
      {
        error: () => 'must be {"type": "ref/prompt", "name": …}',
      },
    ),
    argument: object({ name: text, value: text }),
    context: optional(
      object({ arguments: optional(z.record(z.string(), text, { error: () => 'must be an object' })) }),
    ),
  }),
};

/** A server that reads the parameters of requests itself before the SDK does. */
export class ParameterCheckingServer extends Server {
  protected override _wrapHandler(
    method: string,
    handler: Parameters<Server['_wrapHandler']>[1],
  ): ReturnType<Server['_wrapHandler']> {
    const answer = super._wrapHandler(method, handler);
    return async (request, context) => answer(withCheckedParams(method, request), context);
  }
}

/** @throws ProtocolError -32602 that names what is wrong, and what a request of this method must have */
function withCheckedParams<Request extends { params?: unknown }>(method: string, request: Request): Request {
  const schema = Object.hasOwn(PARAMS, method) ? PARAMS[method] : undefined;
  if (schema === undefined) return request;
  const read = schema.safeParse(request.params ?? {});
  if (!read.success) {
    const [issue] = read.error.issues;
    const path = ['params', ...(issue?.path ?? [])].map(String).join('.').slice(0, 200);
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `${method}: ${path} ${issue?.message ?? 'is wrong'}`,
    );
  }
  return { ...request, params: withoutNulls(request.params ?? {}) };
}

/**
 * The parameters without nulls, and what stands one level below them, such as the arguments of a prompt. The
 * arguments of a tool are the tool's own.
 */
function withoutNulls(params: object): object {
  const isGiven = ([, value]: readonly [string, unknown]) => value !== null;
  return Object.fromEntries(
    Object.entries(params)
      .filter(isGiven)
      .map(([name, value]) =>
        name === 'arguments' && isArgumentsOfPrompt(value)
          ? [name, Object.fromEntries(Object.entries(value).filter(isGiven))]
          : [name, value],
      ),
  );
}

function isArgumentsOfPrompt(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * JSON-RPC messages without `params` of null, which JSON-RPC does not have and some clients send, and without
 * nulls in them.
 */
export function withoutNullParams(json: unknown): unknown {
  return Array.isArray(json) ? json.map(messageWithoutNulls) : messageWithoutNulls(json);
}

function messageWithoutNulls(json: unknown): unknown {
  if (typeof json !== 'object' || json === null || !('params' in json)) return json;
  const { params, ...message } = json;
  if (params === null) return message;
  if (typeof params !== 'object' || !Object.values(params).includes(null)) return json;
  return { ...json, params: withoutNulls(params) };
}
