import { afterEach, expect, it, vi } from 'vitest';
import { LargeAnswers } from '../../src/server/large-answers.ts';

afterEach(() => void vi.restoreAllMocks());

const bytesOf = (text: string) => [Buffer.from(text)];

it('a long answer stands in the place that is given for it, and no other text is taken for one', async () => {
  const large = new LargeAnswers();
  const [first, second] = [large.send(bytesOf('{"first":1}')), large.send(bytesOf('{"second":2}'))];
  const unknown = { 'answer 00000000-0000-4000-8000-000000000000': true };
  const json = JSON.stringify([second, unknown, first]);
  const expected = `[{"second":2},${JSON.stringify(unknown)},{"first":1}]`;
  expect(large.bytes(json)).toBe(expected.length);
  const filled = await large.fill(new Response(json)).text();
  expect(filled).toBe(expected);
  // What was sent is not kept.
  expect(large.bytes(json)).toBe(json.length);
});

it('each answer of a batch is looked through once, however many stand before it', () => {
  const large = new LargeAnswers();
  const long = JSON.stringify({ tools: ['x'.repeat(100_000)] });
  for (let answer = 0; answer < 100; answer += 1) large.send(bytesOf(long));
  let searches = 0;
  for (const method of ['includes', 'indexOf'] as const) {
    const search = String.prototype[method] as (this: string, ...sought: unknown[]) => never;
    vi.spyOn(String.prototype, method).mockImplementation(function (this: string, ...sought: unknown[]) {
      if (this.length > 100_000) searches += 1;
      return search.call(this, ...sought);
    });
  }
  large.bytes(long);
  large.place(long);
  expect(searches).toBeLessThan(10);
});
