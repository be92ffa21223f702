import { z } from 'zod';
import { madeInPieces } from '../../src/answers/answer-in-pieces.ts';
import type { BusinessTool, Plan } from '../../src/answers/tool.ts';
import { CONSENT_GROUPS, consentColumns } from '../../src/domains/segments/queries/consent-names.ts';
import { blockColumns } from '../../src/domains/segments/queries/profile-counts.ts';
import { estimateSegmentQuery } from '../../src/domains/segments/tools/estimate-segment-query.ts';
import { atOnce } from '../../src/main-thread/turns.ts';
import type { Row } from '../../src/sql/row.ts';

/**
 * The tool before its counts are blurred: true ones in the same fields, of any size, with the notes about the
 * data. Whom a condition means shows in these; what is left of them in an answer is the matter of
 * blurred-counts.test.ts.
 */
export const exactEstimate: BusinessTool<typeof estimateSegmentQuery.input> = {
  ...estimateSegmentQuery,
  name: 'exact_estimate',
  output: z.looseObject({}),
  plan: (context) => exactly(estimateSegmentQuery.plan(context), context.args.segment_query),
};

function exactly(blurred: Plan, query: unknown): Plan {
  return {
    queries: blurred.queries,
    answer: (rows) => {
      const answer = atOnce(madeInPieces(blurred.answer(rows)));
      if ('queries' in answer) return exactly(answer, query);
      const [row = {}]: readonly Row[] = rows.counts ?? [];
      const notes = answer.notes?.filter((note) => !/^(Counts are of groups|Hidden, since)/.test(note)) ?? [];
      return { result: { ...answer.result, ...exactCounts(row, query), is_hidden: false }, notes };
    },
  };
}

function exactCounts(row: Row, query: unknown): object {
  const { segments } = query as { segments: { targetingBlocks: unknown[] }[] };
  const { profiles_count, email_reachable_count, sms_reachable_count, customers_count } = row;
  const blocks = segments.flatMap(({ targetingBlocks }, segment_index) =>
    targetingBlocks.map((_, block_index) => {
      const [alone, cumulative] = blockColumns(segment_index, block_index);
      return { segment_index, block_index, alone_count: row[alone], cumulative_count: row[cumulative] };
    }),
  );
  const by_consent =
    row.usual_value === undefined
      ? null
      : CONSENT_GROUPS.map((consent) => {
          const { profiles, buyers, orders, revenue } = consentColumns(consent);
          return {
            ...{ consent, profiles_count: row[profiles], customers_count: row[buyers] },
            ...{ orders_count: row[orders], revenue: row[revenue] },
          };
        });
  const counts = { profiles_count, email_reachable_count, sms_reachable_count, customers_count };
  return { ...counts, blocks, by_consent, intervals: [] };
}
