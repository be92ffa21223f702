import { z } from 'zod';
import { readAskedQuery } from '../../model/segment-query/asked-query.ts';
import { type Audience, estimate } from '../../model/segment-query/estimate.ts';
import { knownDataNotes } from '../../model/segment-query/known-data.ts';
import { type EvaluatedAt, endOfData } from '../../model/segment-query/periods.ts';
import { readableQuery } from '../../model/segment-query/readable.ts';
import { referenceNames, unknownReferenceNotes } from '../../model/segment-query/reference-names.ts';
import { queryReferences } from '../../model/segment-query/references.ts';
import { addSegments, storedQueries, unknownSegments } from '../../model/segment-query/saved-segments.ts';
import { namesOf } from '../../model/segment-query/shown-query.ts';
import type { Row } from '../../sql/row.ts';
import { businessId } from '../arguments.ts';
import { count, moment } from '../output.ts';
import { readableField } from '../query-fields.ts';
import { defineTool, type Plan, plan } from '../tool.ts';

/** Null where it would be about 1 to 4 profiles. */
const guarded = (definition: string) => count(definition).nullable();

const queryArgument = z.record(z.string(), z.unknown(), 'must be an object with segments');

export const estimateSegmentQuery = defineTool({
  name: 'estimate_segment_query',
  title: 'Estimate segment query',
  group: 'Segments',
  description:
    'How many profiles a segment_query means, how many of them can be reached, and which block leaves out how many: ' +
    'use it to try out conditions. Counts alone, and none of 1 to 4 profiles. Existing queries: get_segment, ' +
    'get_campaign_targeting.',
  permissions: ['LIST_CAMPAIGNS'],
  input: z.strictObject({
    business_id: businessId,
    segment_query: queryArgument.describe(
      '{"segments": [{"targetingBlocks": […]}]}: any segment, in it all blocks. See segmentation://conditions.',
    ),
    exclude_segment_query: queryArgument.nullable().default(null).describe('Whom to leave out.'),
  }),
  output: z.strictObject({
    business_id: z.string(),
    as_of: moment('End of the data, from which days are counted back.'),
    profiles_count: guarded(
      'Matching profiles: customers, and everyone else that any row names. Like all counts null for 1 to 4.',
    ),
    email_reachable_count: guarded('Matching profiles with consent for e-mail.'),
    sms_reachable_count: guarded('Matching profiles with consent for SMS.'),
    customers_count: guarded('Matching profiles with a valid order.'),
    is_suppressed: z.boolean().describe('Some count here is null.'),
    blocks: z
      .array(
        z.strictObject({
          segment_index: z.int().describe('Place of the segment in the query, from 0. [place]'),
          block_index: z.int().describe('Place of the block in the segment, from 0. [place]'),
          alone_count: guarded('Profiles that meet this block.'),
          cumulative_count: guarded('Profiles that meet this block and those before it in its segment.'),
        }),
      )
      .describe('Of segment_query, nobody excluded yet.'),
    readable: readableField,
  }),
  plan({ args, timezone, facts }) {
    const { business_id, segment_query, exclude_segment_query } = args;
    const query = readAskedQuery(segment_query, '');
    const exclusion =
      exclude_segment_query === null ? null : readAskedQuery(exclude_segment_query, 'exclude_segment_query.');
    return planEstimate(business_id, { query, exclusion, saved: new Map() }, endOfData(facts, timezone));
  },
});

/** Saved segments are fetched first, then those that they name, and so on. */
function planEstimate(business_id: string, audience: Audience, at: EvaluatedAt): Plan {
  const { query, exclusion, saved } = audience;
  const asked = exclusion === null ? [query] : [query, exclusion];
  const missing = unknownSegments(asked, saved);
  if (missing.length > 0) {
    return plan({
      queries: { segments: storedQueries(missing) },
      answer: ({ segments }) =>
        planEstimate(business_id, { ...audience, saved: addSegments(saved, missing, segments) }, at),
    });
  }
  const references = queryReferences({ segments: asked.flatMap(({ segments }) => segments) });
  return plan({
    queries: { counts: estimate(audience, at), names: referenceNames(references) },
    answer: ({ counts: [row = {}], names: rows }) => {
      const names = namesOf(rows);
      const savedQueries = [...saved.values()].filter((one) => one !== null);
      return {
        result: {
          business_id,
          as_of: at.moment,
          ...shownCounts(row, query.segments),
          readable: [
            ...readableQuery(query, names, 'Group'),
            ...(exclusion === null ? [] : readableQuery(exclusion, names, 'Excluded group')),
          ],
        },
        notes: [
          ...unknownReferenceNotes(references, names),
          ...knownDataNotes([...asked, ...savedQueries], at),
        ],
      };
    },
  });
}

/** A count of 1 to 4 says too much about those few. Nothing else is null. */
function shownCounts(row: Row, segments: readonly (readonly unknown[])[]): object {
  let is_suppressed = false;
  const shown = (name: string) => {
    const counted = Number(row[name]);
    const isHidden = counted >= 1 && counted <= 4;
    is_suppressed ||= isHidden;
    return isHidden ? null : counted;
  };
  const counts = {
    profiles_count: shown('profiles_count'),
    email_reachable_count: shown('email_reachable_count'),
    sms_reachable_count: shown('sms_reachable_count'),
    customers_count: shown('customers_count'),
    blocks: segments.flatMap((blocks, segment_index) =>
      blocks.map((_, block_index) => ({
        segment_index,
        block_index,
        alone_count: shown(`alone_${segment_index}_${block_index}`),
        cumulative_count: shown(`cumulative_${segment_index}_${block_index}`),
      })),
    ),
  };
  return { ...counts, is_suppressed };
}
