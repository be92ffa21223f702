import { sentEvents } from './events.ts';
import type { Interface } from './mock-model.ts';

interface Tool {
  readonly type: string;
  readonly name?: string;
  readonly tools?: readonly Tool[];
}

interface Body {
  readonly tools?: readonly Tool[];
  readonly input?: readonly { readonly type: string; readonly output?: unknown }[];
}

/** "Responses", which Codex speaks. Tools of a server can lie in a namespace: here they are `namespace/name`. */
export const OPENAI: Interface = {
  path: /\/responses(\?|$)/,
  read: (body) => {
    const { tools = [], input = [] } = body as Body;
    return {
      tools: tools.flatMap(({ name = '', tools: inner }) =>
        inner === undefined ? [name] : inner.map((tool) => `${name}/${tool.name}`),
      ),
      answers: (Array.isArray(input) ? (input as Body['input'] & object) : [])
        .filter(({ type }) => type === 'function_call_output')
        .map(({ output }) => textOf(output)),
    };
  },
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
