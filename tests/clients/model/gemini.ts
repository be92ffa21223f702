import type { Interface } from './mock-model.ts';

interface Part {
  readonly functionResponse?: { readonly response?: unknown };
}

interface Body {
  readonly tools?: readonly { readonly functionDeclarations?: readonly { readonly name: string }[] }[];
  readonly contents?: readonly { readonly parts?: readonly Part[] }[];
}

export const GEMINI: Interface = {
  path: /:(stream)?generateContent/i,
  read: (body) => {
    const { tools = [], contents = [] } = body as Body;
    const parts = contents.flatMap(({ parts: some = [] }) => some);
    return {
      tools: tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations.map(({ name }) => name)),
      answers: parts.flatMap(({ functionResponse }) =>
        functionResponse === undefined ? [] : [textOf(functionResponse.response)],
      ),
      found: null,
    };
  },
  search: () => {
    throw new Error('it offers all tools');
  },
  reply: (wanted, _turn, isStream) => {
    const part =
      wanted === null
        ? { text: 'Finished.' }
        : { functionCall: { name: wanted.tool, args: wanted.args }, thoughtSignature: 'bW9jaw==' };
    const document = JSON.stringify({
      candidates: [{ index: 0, finishReason: 'STOP', content: { role: 'model', parts: [part] } }],
      usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
      modelVersion: 'mock',
    });
    return isStream ? `data: ${document}\n\n` : document;
  },
};

function textOf(response: unknown): string {
  const { output } = (response ?? {}) as { output?: unknown };
  return typeof output === 'string' ? output : (JSON.stringify(response) ?? '');
}
