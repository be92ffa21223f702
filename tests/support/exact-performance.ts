import { z } from 'zod';
import { madeInPieces } from '../../src/answers/answer-in-pieces.ts';
import type { BusinessTool, Plan } from '../../src/answers/tool.ts';
import { segmentPerformance } from '../../src/domains/insights/tools/segment-performance.ts';
import { atOnce } from '../../src/main-thread/turns.ts';
import type { Row } from '../../src/sql/row.ts';

/**
 * `segment_performance` with the true numbers beside its answer, under `exact`: those before the noise, by
 * part and metric.
 */
export const exactPerformance: BusinessTool<typeof segmentPerformance.input> = {
  ...segmentPerformance,
  name: 'exact_performance',
  output: z.looseObject({}),
  plan: (context) => exactly(segmentPerformance.plan(context)),
};

function exactly({ queries, answer: made }: Plan): Plan {
  return {
    queries,
    answer: (rows) => {
      const answer = atOnce(madeInPieces(made(rows)));
      if ('queries' in answer) return exactly(answer);
      const [row = {}]: readonly Row[] = rows.parts ?? [];
      // Money is in ten-thousandths.
      const exact = Object.fromEntries(
        Object.entries(row).map(([name, value]) => [
          name,
          /revenue$/.test(name) ? Number(value) / 10_000 : value,
        ]),
      );
      return { ...answer, result: { ...answer.result, exact } };
    },
  };
}
