import { expect } from 'vitest';
import { untabled } from '../../src/answers/rows-as-table.ts';
import { CATALOGUE } from '../../src/catalogue.ts';
import type { OfficialClient } from '../mcp/official-clients.ts';
import { type NamedCall, namedCalls, namedResources, withFound } from '../prompts/named-calls.ts';

type Args = Readonly<Record<string, unknown>>;

interface Answered {
  readonly tool: string;
  readonly letter: string;
  readonly args: Args;
  readonly result: Args;
}

/** What the agent knows so far: everything that it was answered, and nothing else. */
export class Notes {
  readonly #answers: Answered[] = [];

  add(answered: Answered): void {
    this.#answers.push(answered);
  }

  /** Results of one tool in the order of the calls; of the range itself unless told otherwise. */
  all<Result>(tool: string, letter = 'A'): Result[] {
    const found = this.#answers.filter((answer) => answer.tool === tool && answer.letter === letter);
    expect(found.length, `${tool} ${letter}`).toBeGreaterThan(0);
    return found.map(({ result }) => result as Result);
  }

  /** The result of the call with these arguments. */
  one<Result>(tool: string, letter = 'A', args: object = {}): Result {
    const found = this.#answers.find(
      (answer) =>
        answer.tool === tool &&
        answer.letter === letter &&
        Object.entries(args).every(([name, value]) => answer.args[name] === value),
    );
    expect(found, `${tool} ${letter} ${JSON.stringify(args)}`).toBeDefined();
    return found?.result as Result;
  }
}

/**
 * What the text leaves to the agent at a call: the arguments of each call to make, out of the notes;
 * undefined: as told. A step that says "once for each" needs several, one that says "if" may need none.
 */
export type Judgement = (told: NamedCall, notes: Notes) => readonly Args[] | undefined;

/** Plays the agent: gets the prompt, reads what it names, makes every call that it tells in its order. */
export async function follow(
  client: OfficialClient,
  prompt: string,
  args: Record<string, string>,
  judge: Judgement = () => undefined,
): Promise<Notes> {
  const text = await client.getPrompt(prompt, args);
  const { result: businesses } = await call<{ result: { business_id: string }[] }>(
    client,
    'list_businesses',
    {},
  );
  expect(businesses).toHaveLength(1);
  const found = { '<business_id>': businesses[0]?.business_id };
  const resources = namedResources(text);
  expect(resources.length).toBeGreaterThan(0);
  for (const uri of resources) await client.readResource(uri);

  const notes = new Notes();
  const told = namedCalls(text, { from_date: '<from_date>', to_date: '<to_date>' });
  expect(told.length).toBeGreaterThan(0);
  for (const { tool, letter, args: asTold } of told) {
    const filled = withFound(asTold, found) as Args;
    for (const own of judge({ tool, letter, args: filled }, notes) ?? [filled]) {
      expect(JSON.stringify(own), `what the text leaves open at ${tool} is found`).not.toMatch(/"<\w+>"/);
      notes.add({ tool, letter, args: own, result: await call(client, tool, own) });
    }
  }
  return notes;
}

async function call<Result = Args>(client: OfficialClient, tool: string, args: Args): Promise<Result> {
  const { isError, content, structuredContent } = await client.callTool(tool, args);
  expect(isError ? `${tool}: ${content[0]?.text}` : null).toBeNull();
  // Many rows are a table, which an agent reads as well.
  return untabled(
    structuredContent ?? {},
    CATALOGUE.find(({ name }) => name === tool)?.rows?.list ?? null,
  ) as Result;
}
