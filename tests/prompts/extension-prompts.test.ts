import { describe, expect, it } from 'vitest';
import { CATALOGUE, EXTENSION_TOOLS } from '../../src/catalogue.ts';
import { EXPLAINED_NAMES } from '../../src/domains/insights/queries/explained/explained-metrics.ts';
import { readQuestion } from '../../src/domains/insights/queries/question.ts';
import { EXTENSION_PROMPTS, PROMPTS } from '../../src/prompts/all-prompts.ts';
import { readPromptArguments } from '../../src/prompts/prompt.ts';
import { namedCalls, namedResources } from './named-calls.ts';

/** What the prompts of extensions tell to call: tools that there are, with arguments that these take. */
const BUSINESS = '0a11e7a1-0000-4000-8000-000000000001';

function textOf(name: string, given: Readonly<Record<string, string>>): string {
  const prompt = EXTENSION_PROMPTS.find((candidate) => candidate.name === name);
  if (prompt === undefined) throw new Error(`no prompt ${name}`);
  return prompt.message(readPromptArguments(prompt, given), { today: '2026-11-21', facts: null });
}

const CALLS = {
  why: ['explain_change', 'query_metrics', 'explain_change'],
  board_report: [...new Array<string>(3).fill('query_metrics'), 'explain_change', 'explain_change'],
  month_in_profit: [
    ...new Array<string>(3).fill('profit_statement'),
    ...['explain_change', 'profit_statement'],
  ],
  weekly_watch: ['watch', 'explain_change', 'explain_change'],
};

describe.each(Object.entries(CALLS))('%s', (name, expected) => {
  it('tells three to six calls that are taken', () => {
    const calls = namedCalls(textOf(name, { business_id: BUSINESS }));
    expect(calls.map(({ tool }) => tool)).toEqual(expected);
    expect(calls.length).toBeGreaterThanOrEqual(3);
    expect(calls.length).toBeLessThanOrEqual(6);
    for (const { tool: called, args } of calls) {
      const tool = [...CATALOGUE, ...EXTENSION_TOOLS].find((one) => one.name === called);
      const read = tool?.input.safeParse(args);
      expect(read?.error, JSON.stringify(args)).toBeUndefined();
      if (called === 'query_metrics') expect(() => readQuestion(read?.data as never, 'UTC')).not.toThrow();
    }
  });

  it('says which form the answer has, and reads no resource first', () => {
    const text = textOf(name, {});
    expect(text).toContain('<business_id>');
    expect(text).toMatch(/^\d\. Report:$/m);
    expect(namedResources(text)).toEqual([]);
  });
});

it('why asks for the metric that is named', () => {
  expect(textOf('why', { metric: 'sessions_count' })).toContain('"metric":"sessions_count"');
  const metrics = EXTENSION_PROMPTS.find(({ name }) => name === 'why')?.arguments.metric?.suggestions;
  expect(metrics).toEqual(EXPLAINED_NAMES);
  expect(() => textOf('why', { metric: 'luck' })).toThrow('metric must be one of revenue, net_revenue');
});

it('weekly_watch judges the last whole week, and compares it with the one before', () => {
  const text = textOf('weekly_watch', { business_id: BUSINESS });
  expect(text).toContain('"since":"2026-11-09","as_of":"2026-11-16"');
  expect(text).toMatch(/B = .*"from_date":"2026-11-02[^}]*"to_date":"2026-11-08/);
  expect(text).toContain('A is the last whole week');
  const given = textOf('weekly_watch', { from_date: '2026-11-10', to_date: '2026-11-12' });
  expect(given).toContain('"since":"2026-11-10","as_of":"2026-11-13"');
});

it('they are no prompts of the contract', () => {
  expect(EXTENSION_PROMPTS.map(({ name }) => name)).toEqual(Object.keys(CALLS));
  for (const { name, extension } of PROMPTS) {
    expect(Object.keys(CALLS)).not.toContain(name);
    expect(extension).toBeUndefined();
  }
  for (const { extension } of EXTENSION_PROMPTS) expect(extension).toBe('insights');
});
