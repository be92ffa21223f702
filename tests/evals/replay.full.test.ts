import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askModel } from '../../evals/ask-model.ts';
import { openDemoStore, truthsOf } from '../../evals/demo-server.ts';
import { type Fact, missingIn, missingInAnswers } from '../../evals/facts.ts';
import { QUESTIONS } from '../../evals/questions.ts';
import { readRecordings, resultTable } from '../../evals/recording.ts';

const recordings = readRecordings();

let folder: string;
let client: Client;
let truths: ReadonlyMap<string, readonly Fact[]>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'storesight-evals-'));
  truths = await truthsOf(QUESTIONS);
  client = await openDemoStore(folder);
});

afterAll(async () => {
  await client?.close();
  rmSync(folder, { recursive: true, force: true });
});

it('each question has facts, and was answered at least once', () => {
  for (const { id } of QUESTIONS) expect(truths.get(id), id).not.toEqual([]);
  expect(new Set(recordings.map(({ question }) => question))).toEqual(new Set(QUESTIONS.map(({ id }) => id)));
});

describe.each(recordings)('$question, $model', ({ question, calls, answer, missing }) => {
  it('the calls are answered, and their answers hold the facts', async () => {
    const answers: unknown[] = [];
    for (const { tool, arguments: args } of calls) {
      const called = await client.callTool({ name: tool, arguments: args });
      expect(called.isError, `${tool} ${JSON.stringify(args)}: ${JSON.stringify(called.content)}`).not.toBe(
        true,
      );
      answers.push(called.structuredContent, called.content);
    }
    if (missing.length === 0) expect(missingInAnswers(answers, truths.get(question) ?? [])).toEqual([]);
  });

  it('the reply says what it is recorded to say', () => {
    expect(missingIn(answer, truths.get(question) ?? [])).toEqual(missing);
  });
});

it('the table of the document is of these recordings (else run `npm run evals`)', () => {
  expect(readFileSync('docs/evals.md', 'utf8')).toContain(`\n${resultTable(recordings)}\n`);
});

it('a model chooses the calls by itself: what it called and said is kept', async () => {
  const told: { messages: { content: unknown }[]; tools: object[] }[] = [];
  const turns = [
    [{ type: 'tool_use', id: 'a', name: 'list_businesses', input: {} }],
    [{ type: 'tool_use', id: 'b', name: 'order_statistics', input: {} }],
    [{ type: 'text', text: 'It was 1.51 million.' }],
  ];
  const model = createServer(async (request, response) => {
    told.push((await json(request)) as (typeof told)[number]);
    const content = turns[told.length - 1] ?? [];
    const stop_reason = content[0]?.type === 'text' ? 'end_turn' : 'tool_use';
    response.end(JSON.stringify({ content, stop_reason }));
  });
  await new Promise<void>((resolve) => model.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(model.address() as AddressInfo).port}`;
  const [question] = QUESTIONS;
  if (question === undefined) throw new Error('there is no question');
  const asked = await askModel({ url, key: 'k', model: 'm' }, client, question);
  model.close();
  expect(asked).toEqual({
    calls: [
      { tool: 'list_businesses', arguments: {} },
      { tool: 'order_statistics', arguments: {} },
    ],
    answer: 'It was 1.51 million.',
  });
  expect(told[0]?.tools.length).toBe((await client.listTools()).tools.length);
  expect(JSON.stringify(told[1]?.messages.at(-1))).toContain('UCI Online Retail');
  // A call that was refused is told to the model as such, so that it can mend it.
  expect(told[2]?.messages.at(-1)?.content).toMatchObject([{ tool_use_id: 'b', is_error: true }]);
});
