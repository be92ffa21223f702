import { expect } from 'vitest';

/**
 * A call as the text of a prompt tells it, with its shared arguments; ids to be found still stand as `<…>`.
 */
export interface NamedCall {
  readonly tool: string;
  readonly letter: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** Reads the text as an agent has to: the shared arguments, and every call with those of its letter. */
export function namedCalls(text: string, ofCampaigns: object = {}): NamedCall[] {
  const shared = new Map<string, object>(
    [...text.matchAll(/^([SAB]) = (\{.*?\})(?:,.*)?$/gm)].map(([, letter = '', json = '']) => [
      letter,
      JSON.parse(json),
    ]),
  );
  if (text.includes('A is S with from_date')) shared.set('A', { ...shared.get('S'), ...ofCampaigns });
  let letters: string[] = [];
  const calls: NamedCall[] = [];
  for (const line of text.split('\n')) {
    const [, first, second] = /Call with ([SAB])(?: and with ([SAB]))?:$/.exec(line) ?? [];
    if (first !== undefined) letters = second === undefined ? [first] : [first, second];
    if (/^\d+\. Call:$/.test(line)) letters = [''];
    const [, tool, json = '{}'] = /^ {3}- `(\w+)`(?: (\{.*\}))?$/.exec(line) ?? [];
    if (tool === undefined) continue;
    for (const letter of letters) {
      // A call without a letter has all of its arguments.
      if (letter !== '') expect(shared.has(letter), `${letter} of ${tool}`).toBe(true);
      calls.push({ tool, letter, args: { ...shared.get(letter), ...JSON.parse(json) } });
    }
  }
  return calls;
}

/** Puts what was found where it stands, however deep; what is not among the found stays as it is. */
export function withFound(value: unknown, found: Readonly<Record<string, unknown>>): unknown {
  if (typeof value === 'string') return value in found ? found[value] : value;
  if (Array.isArray(value)) return value.map((inner) => withFound(inner, found));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withFound(inner, found)]));
}

/** The resources that the text tells to read. */
export function namedResources(text: string): string[] {
  return /^2\. Read the resources (.*)\.$/m.exec(text)?.[1]?.split(', ') ?? [];
}
