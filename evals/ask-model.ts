import type { Client } from '@modelcontextprotocol/client';
import { ReasonError } from '../src/errors.ts';
import type { Question } from './questions.ts';
import type { Recording } from './recording.ts';

export interface ModelApi {
  /** The address of Anthropic's Messages API. */
  readonly url: string;
  readonly key: string;
  readonly model: string;
}

/** A model that asks on and on ends here. */
const MOST_TURNS = 15;
const MOST_TOKENS = 2000;
const MINUTES = 3;

type Block = {
  readonly type: string;
  readonly text?: string;
  readonly id?: string;
  readonly name?: string;
  readonly input?: Record<string, unknown>;
};

/** Lets a model answer a question by calling tools, and keeps what it called. */
export async function askModel(
  api: ModelApi,
  client: Client,
  { text }: Question,
): Promise<Pick<Recording, 'calls' | 'answer'>> {
  const { tools } = await client.listTools();
  const offered = tools.map(({ name, description, inputSchema }) => ({
    name,
    description,
    input_schema: inputSchema,
  }));
  const calls: { tool: string; arguments: Record<string, unknown> }[] = [];
  const messages: object[] = [
    { role: 'user', content: `${text} Answer in one short paragraph, with the numbers.` },
  ];
  for (let turn = 0; turn < MOST_TURNS; turn++) {
    const { content, stop_reason } = await complete(api, {
      system: client.getInstructions(),
      tools: offered,
      messages,
    });
    const asked = content.filter(({ type }) => type === 'tool_use');
    if (stop_reason !== 'tool_use' || asked.length === 0)
      return {
        calls,
        answer: content
          .map((block) => block.text ?? '')
          .join('')
          .trim(),
      };
    const results: object[] = [];
    for (const { id, name = '', input = {} } of asked) {
      calls.push({ tool: name, arguments: input });
      const answer = await client.callTool({ name, arguments: input });
      results.push({
        type: 'tool_result',
        tool_use_id: id,
        is_error: answer.isError === true,
        content: answer.content,
      });
    }
    messages.push({ role: 'assistant', content }, { role: 'user', content: results });
  }
  return { calls, answer: `(no answer after ${MOST_TURNS} turns)` };
}

async function complete(
  { url, key, model }: ModelApi,
  asked: object,
): Promise<{ content: readonly Block[]; stop_reason: string }> {
  const response = await fetch(`${url}/v1/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key, 'anthropic-version': '2023-06-01' },
    body: JSON.stringify({ model, max_tokens: MOST_TOKENS, ...asked }),
    signal: AbortSignal.timeout(MINUTES * 60_000),
  });
  if (!response.ok)
    throw new ReasonError(`${model} answered ${response.status}: ${(await response.text()).slice(0, 300)}`);
  return (await response.json()) as { content: readonly Block[]; stop_reason: string };
}
