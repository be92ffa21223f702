import { expect, it } from 'vitest';
import { METRICS } from '../../src/domains/insights/queries/metric-layer.ts';
import { listMetrics } from '../../src/domains/insights/tools/list-metrics.ts';
import type { Pieces } from '../../src/main-thread/pieces.ts';
import { answerResult } from '../../src/mcp/answer-result.ts';

/** A metric that the text of the list does not have would be taken for one that does not exist. */
async function inTurn<Result>(work: Pieces<Result>): Promise<Result> {
  let step = work.next();
  while (step.done !== true) step = work.next();
  return step.value;
}

it('the text of list_metrics has every metric, and nothing of it is cut', async () => {
  const answer = listMetrics.answer({ args: { search: null }, businesses: [] });
  const { content } = await answerResult(listMetrics, {}, answer, { inTurn, sendWritten: undefined });
  const [{ text }] = content as unknown as [{ text: string }];
  const { facts, ...others } = JSON.parse(text) as { facts: { metrics: string }[] };
  expect(facts.flatMap(({ metrics }) => metrics.split(', '))).toEqual(METRICS.map(({ name }) => name));
  expect(others).toEqual({ metrics: [], dimensions: [] });
});
