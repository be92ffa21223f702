import { sentEvents } from './events.ts';
import type { Interface } from './mock-model.ts';

const SEARCH = 'ToolSearch';
const SEARCH_ID = 'toolu_search_';

interface Block {
  readonly type: string;
  readonly tool_use_id?: string;
  readonly content?: unknown;
}

interface Body {
  readonly tools?: readonly { readonly name: string }[];
  readonly messages?: readonly { readonly content: unknown }[];
}

/** Claude Code, opencode and Copilot CLI can speak it. */
export const ANTHROPIC: Interface = {
  path: /\/messages(\?|$)/,
  read: (body) => {
    const { tools = [], messages = [] } = body as Body;
    const blocks = messages.flatMap(({ content }) => (Array.isArray(content) ? (content as Block[]) : []));
    const results = blocks.filter(({ type }) => type === 'tool_result');
    const isSearch = ({ tool_use_id = '' }: Block) => tool_use_id.startsWith(SEARCH_ID);
    const found = results.filter(isSearch).map(({ content }) => namesIn(content));
    const names = tools.map(({ name }) => name);
    return {
      tools: [...names, ...found.flat()],
      answers: results.filter((result) => !isSearch(result)).map(({ content }) => textOf(content)),
      found: names.includes(SEARCH) ? found : null,
    };
  },
  search: (query, max_results) => ({ tool: SEARCH, args: { query, max_results } }),
  reply: (wanted, turn, isStream) => {
    const message = {
      id: `msg_${turn}`,
      type: 'message',
      role: 'assistant',
      model: 'mock',
      stop_sequence: null,
      usage: { input_tokens: 1, output_tokens: 1 },
    };
    const stop_reason = wanted === null ? 'end_turn' : 'tool_use';
    const id = `${wanted?.tool === SEARCH ? SEARCH_ID : 'toolu_'}${turn}`;
    if (!isStream) {
      const block =
        wanted === null
          ? { type: 'text', text: 'Finished.' }
          : { type: 'tool_use', id, name: wanted.tool, input: wanted.args };
      return JSON.stringify({ ...message, stop_reason, content: [block] });
    }
    const [content_block, delta] =
      wanted === null
        ? [
            { type: 'text', text: '' },
            { type: 'text_delta', text: 'Finished.' },
          ]
        : [
            { type: 'tool_use', id, name: wanted.tool, input: {} },
            { type: 'input_json_delta', partial_json: JSON.stringify(wanted.args) },
          ];
    return sentEvents([
      { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
      { type: 'content_block_start', index: 0, content_block },
      { type: 'content_block_delta', index: 0, delta },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 1 } },
      { type: 'message_stop' },
    ]);
  },
};

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return (content as { text?: string }[] | undefined)?.map(({ text = '' }) => text).join('\n') ?? '';
}

/** References to tools, or their schemas. */
function namesIn(content: unknown): string[] {
  const names = JSON.stringify(content ?? '').matchAll(/"(?:tool_)?name\\?": ?\\?"([^"\\]+)/g);
  return [...names].map(([, name = '']) => name);
}
