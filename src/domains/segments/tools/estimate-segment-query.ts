import { z } from 'zod';
import { businessId } from '../../../answers/arguments.ts';
import { field, type ObjectOf } from '../../../answers/fields/field.ts';
import { onlyRow } from '../../../answers/fields/query.ts';
import { businessIdField } from '../../../answers/fields/shared-fields.ts';
import { defineTool, type Plan, plan } from '../../../answers/tool.ts';
import type { Noise } from '../../../statistics/noise.ts';
import { queryReferences } from '../definitions/references.ts';
import { readAskedQuery } from '../queries/asked-query.ts';
import { type BlurredCount, blurCounts, blurNotes } from '../queries/blurred-counts.ts';
import { blockColumns, countsOf, formOf, isOfNobody } from '../queries/counts.ts';
import { type Audience, estimate } from '../queries/estimate.ts';
import { knownDataNotes } from '../queries/known-data.ts';
import { knownTraits, unknownTraitNotes } from '../queries/known-traits.ts';
import { type EvaluatedAt, endOfData } from '../queries/periods.ts';
import { readableQuery } from '../queries/readable.ts';
import { referenceNames, unknownReferenceNotes } from '../queries/reference-names.ts';
import { addSegments, storedQueries, unknownSegments } from '../queries/saved-segments.ts';
import { namesOf } from '../queries/shown-query.ts';
import { readableField } from '../query-fields.ts';

/** A count of a group, of which little can be told of one person. */
const blurred = <const Key extends string>(key: Key, definition: string) =>
  field({
    key,
    type: 'integer',
    unit: 'profiles',
    null: 'few, or nearly all of a count that it is part of',
    definition: `${definition} Rounded to tens, with noise.`,
  });

const countFields = [
  blurred('profiles_count', 'Matching profiles: customers, and everyone else that any row names.'),
  blurred(
    'email_reachable_count',
    'Matching profiles with consent for e-mail that are not suppressed (bounced, complained, blocked in either channel).',
  ),
  blurred('sms_reachable_count', 'Matching profiles with consent for SMS that are not suppressed.'),
  blurred('customers_count', 'Matching profiles with a valid order.'),
];

const blockFields = [
  field({
    key: 'segment_index',
    type: 'integer',
    unit: 'place',
    definition: 'Place of the segment in the query, from 0.',
  }),
  field({
    key: 'block_index',
    type: 'integer',
    unit: 'place',
    definition: 'Place of the block in the segment, from 0.',
  }),
  blurred('alone_count', 'Profiles that meet this block.'),
  blurred('cumulative_count', 'Profiles that meet this block and those before it in its segment.'),
];

const estimateFields = [
  businessIdField,
  field({ key: 'as_of', type: 'moment', definition: 'End of the data, from which days are counted back.' }),
  ...countFields,
  field({ key: 'is_hidden', type: 'boolean', definition: 'Some count here is null: notes tell why.' }),
  field({
    key: 'blocks',
    type: 'list',
    definition: 'Of segment_query, nobody excluded yet.',
    fields: blockFields,
  }),
  readableField,
];
type Estimate = ObjectOf<typeof estimateFields>;

/**
 * Listed as text, with which every client can send any condition: those that know only objects whose fields are listed, as OpenAI's strict
 * mode does, could send none as an object.
 */
const queryArgument = z.union(
  [z.string(), z.record(z.string(), z.unknown())],
  'must be an object with segments',
);

export const estimateSegmentQuery = defineTool({
  name: 'estimate_segment_query',
  title: 'Estimate segment query',
  group: 'Segments',
  description:
    'About how many profiles a segment_query means, how many can be reached, and which block leaves out how many. Counts are rounded, with noise, so many a day.',
  permissions: ['LIST_CAMPAIGNS'],
  example: {
    segment_query: {
      segments: [
        {
          targetingBlocks: [
            { type: 'interest_list', operator: 'is_subscribed', value: ['novinky'] },
            { type: 'order_count', operator: 'gte', value: 2, period: { last_days: 365 } },
          ],
        },
      ],
    },
  },
  input: z.strictObject({
    business_id: businessId,
    segment_query: queryArgument.describe(
      'JSON: {"segments": [{"targetingBlocks": […]}]}. See segmentation://conditions.',
    ),
    exclude_segment_query: queryArgument.nullable().default(null).describe('To leave out.'),
  }),
  fields: estimateFields,
  plan({ args, timezone, facts, noise }) {
    const { business_id, segment_query, exclude_segment_query } = args;
    const query = readAskedQuery(segment_query, '');
    const exclusion =
      exclude_segment_query === null ? null : readAskedQuery(exclude_segment_query, 'exclude_segment_query.');
    const audience = { query, exclusion, saved: new Map() };
    return planEstimate(business_id, audience, endOfData(facts, timezone), noise);
  },
});

/** Saved segments are fetched first, then those that they name, and so on. */
function planEstimate(
  business_id: string,
  audience: Audience,
  at: EvaluatedAt,
  noise: Noise,
): Plan<Estimate> {
  const { query, exclusion, saved } = audience;
  const asked = exclusion === null ? [query] : [query, exclusion];
  const missing = unknownSegments(asked, saved);
  if (missing.length > 0) {
    return plan({
      queries: { segments: storedQueries(missing) },
      answer: ({ segments }) => {
        const known = addSegments(saved, missing, segments);
        return planEstimate(business_id, { ...audience, saved: known }, at, noise);
      },
    });
  }
  const references = queryReferences({ segments: asked.flatMap(({ segments }) => segments) });
  const savedQueries = [...saved.values()].filter((one) => one !== null);
  const all = [...asked, ...savedQueries];
  const counts = countsOf(query, exclusion);
  return plan({
    queries: {
      counts: estimate(audience, counts, at),
      names: referenceNames(references),
      traits: knownTraits(all),
    },
    measures: counts.filter((one) => !isOfNobody(one)).map(formOf),
    answer: ({ counts: measured, names: rows, traits }) => {
      const names = namesOf(rows);
      const shown = blurCounts(counts, onlyRow(measured), noise);
      return {
        result: {
          business_id,
          as_of: at.moment,
          ...shownCounts(shown, query.segments),
          readable: [
            ...readableQuery(query, names, 'Group'),
            ...(exclusion === null ? [] : readableQuery(exclusion, names, 'Excluded group')),
          ],
        },
        notes: [
          ...blurNotes(shown.values()),
          ...unknownReferenceNotes(references, names),
          ...unknownTraitNotes(all, traits),
          ...knownDataNotes(all, at),
        ],
      };
    },
  });
}

function shownCounts(counts: ReadonlyMap<string, BlurredCount>, segments: readonly (readonly unknown[])[]) {
  let is_hidden = false;
  const shown = (column: string) => {
    const value = counts.get(column)?.shown ?? null;
    is_hidden ||= value === null;
    return value;
  };
  const ofQuery = {
    profiles_count: shown('profiles_count'),
    email_reachable_count: shown('email_reachable_count'),
    sms_reachable_count: shown('sms_reachable_count'),
    customers_count: shown('customers_count'),
    blocks: segments.flatMap((blocks, segment_index) =>
      blocks.map((_, block_index) => {
        const [alone, cumulative] = blockColumns(segment_index, block_index);
        return {
          ...{ segment_index, block_index },
          alone_count: shown(alone),
          cumulative_count: shown(cumulative),
        };
      }),
    ),
  };
  return { ...ofQuery, is_hidden };
}
