import { sentEvents } from './events.ts';
import type { Interface } from './mock-model.ts';

interface Tool {
  readonly type: string;
  readonly name?: string;
  readonly tools?: readonly Tool[];
}

interface Body {
  readonly tools?: readonly Tool[];
  readonly input?: readonly Item[];
}

interface Item {
  readonly type: string;
  readonly output?: unknown;
  readonly tools?: readonly Tool[];
}

const SEARCH = 'tool_search';

/**
 * "Responses", which Codex speaks. Tools of a server can lie in a namespace: here they are `namespace/name`.
 */
export const OPENAI: Interface = {
  path: /\/responses(\?|$)/,
  read: (body) => {
    const { tools = [], input = [] } = body as Body;
    const items = Array.isArray(input) ? (input as readonly Item[]) : [];
    const found = items
      .filter(({ type }) => type === `${SEARCH}_output`)
      .map(({ tools: some = [] }) => namesOf(some));
    return {
      tools: [...namesOf(tools), ...found.flat()],
      answers: items
        .filter(({ type }) => type === 'function_call_output')
        .map(({ output }) => textOf(output)),
      found: tools.some(({ type }) => type === SEARCH) ? found : null,
    };
  },
  search: (query, limit) => ({ tool: SEARCH, args: { query, limit } }),
  reply: (wanted, turn, isStream) => {
    const [name, namespace] = wanted?.tool.split('/').reverse() ?? [];
    const item =
      wanted === null
        ? {
            type: 'message',
            id: `item_${turn}`,
            role: 'assistant',
            status: 'completed',
            content: [{ type: 'output_text', text: 'Finished.', annotations: [] }],
          }
        : wanted.tool === SEARCH
          ? {
              type: `${SEARCH}_call`,
              id: `item_${turn}`,
              call_id: `call_${turn}`,
              status: 'completed',
              execution: 'client',
              arguments: wanted.args,
            }
          : {
              type: 'function_call',
              id: `item_${turn}`,
              call_id: `call_${turn}`,
              status: 'completed',
              name,
              ...(namespace === undefined ? {} : { namespace }),
              arguments: JSON.stringify(wanted.args),
            };
    const response = {
      id: `resp_${turn}`,
      object: 'response',
      status: 'completed',
      model: 'mock',
      output: [item],
      usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
    };
    if (!isStream) return JSON.stringify(response);
    return sentEvents([
      { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
      { type: 'response.output_item.added', output_index: 0, item },
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response },
    ]);
  },
};

function textOf(output: unknown): string {
  if (typeof output === 'string') return output;
  if (Array.isArray(output)) return output.map(({ text = '' }) => text).join('\n');
  return JSON.stringify(output) ?? '';
}

function namesOf(tools: readonly Tool[]): string[] {
  return tools.flatMap(({ name = '', tools: inner }) =>
    inner === undefined ? [name] : inner.map((tool) => `${name}/${tool.name}`),
  );
}
