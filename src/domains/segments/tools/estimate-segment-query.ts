import { z } from 'zod';
import { businessId, oneOf } from '../../../answers/arguments.ts';
import { field, type ObjectOf } from '../../../answers/fields/field.ts';
import { choice, count, flag, list, measure, moment, text } from '../../../answers/fields/kinds-of-fields.ts';
import { onlyRow } from '../../../answers/fields/query.ts';
import { businessIdField } from '../../../answers/fields/shared-fields.ts';
import { defineTool, type Plan, plan } from '../../../answers/tool.ts';
import type { Noise } from '../../../statistics/noise.ts';
import { defined, roundedPercent } from '../../../statistics/rounded.ts';
import { queryReferences } from '../definitions/references.ts';
import { readAskedQuery } from '../queries/asked-query.ts';
import type { Audience } from '../queries/audience-members.ts';
import {
  type BlurredCount,
  blurCounts,
  blurNotes,
  rangeOf,
  TYPICAL_ERROR,
} from '../queries/blurred-counts.ts';
import { type EvaluatedAt, endOfData } from '../queries/condition-periods.ts';
import { blurSum, cutNotes, measuresOfSums } from '../queries/consent-groups.ts';
import { CONSENT_GROUPS, type ConsentChannel, consentColumns } from '../queries/consent-names.ts';
import { estimate } from '../queries/estimate.ts';
import { knownDataNotes } from '../queries/known-data.ts';
import { knownTraits, unknownTraitNotes } from '../queries/known-traits.ts';
import { messageEffectNotes } from '../queries/message-effect.ts';
import { blockColumns, countsOf, formOf, isOfNobody, type ProfileCount } from '../queries/profile-counts.ts';
import { readableQuery } from '../queries/readable-query.ts';
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
    definition: `${definition} Rounded to tens, with noise: see intervals.`,
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
  count('place', 'segment_index', 'Place of the segment in the query, from 0.'),
  count('place', 'block_index', 'Place of the block in the segment, from 0.'),
  blurred('alone_count', 'Profiles that meet this block.'),
  blurred('cumulative_count', 'Profiles that meet this block and those before it in its segment.'),
];

const consentFields = [
  choice(
    'consent',
    CONSENT_GROUPS,
    'State now. unsubscribed: any end of a consent; never: pending or none known.',
  ),
  blurred('profiles_count', 'Matching profiles in this state.'),
  blurred('customers_count', 'Matching profiles in this state with a valid order ever.'),
  measure('percent', 'customers_share', 'customers_count / profiles_count, at most 100.', 'a count is null'),
  field({
    key: 'orders_count',
    type: 'integer',
    unit: 'orders',
    null: 'customers_count is null',
    definition: 'All valid orders of these customers, at most 20 of each. With noise: see intervals.',
  }),
  field({
    key: 'revenue',
    type: 'number',
    unit: 'money',
    null: 'customers_count is null',
    definition:
      'Revenue of all their valid orders, of each customer at most that of 20 usual orders; before refunds, with VAT. With noise: see intervals.',
  }),
];

const intervalFields = [
  text('estimate', 'Which number: profiles_count, blocks[0].alone_count …'),
  measure('as metric', 'from_value', 'Low end of the 95 % interval, by the noise added.'),
  measure('as metric', 'to_value', 'High end of the 95 % interval, by the noise added.'),
];

const estimateFields = [
  businessIdField,
  moment('as_of', 'End of the data, from which days are counted back.'),
  ...countFields,
  flag('is_hidden', 'Some count here is null: notes tell why.'),
  list('blocks', 'Of segment_query, nobody excluded yet.', blockFields),
  field({
    key: 'by_consent',
    type: 'list',
    null: 'not asked for',
    definition: 'Matching profiles by consent to the channel.',
    fields: consentFields,
  }),
  list(
    'intervals',
    'Of every estimate that is not null. Where two overlap, say neither is more.',
    intervalFields,
  ),
  readableField,
];
type Estimate = ObjectOf<typeof estimateFields>;

/**
 * Listed as text, with which every client can send any condition: those that know only objects whose fields
 * are listed, as OpenAI's strict mode does, could send none as an object.
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
    'About how many profiles a segment_query means, reaches, and which block leaves out how many. Rounded, with noise, so many a day.',
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
    by_consent: oneOf('by_consent', ['email', 'sms'])
      .nullable()
      .default(null)
      .describe('Buyers, orders, revenue by consent.'),
  }),
  fields: estimateFields,
  plan({ args, timezone, currency, facts, noise }) {
    const { business_id, segment_query, exclude_segment_query, by_consent } = args;
    const query = readAskedQuery(segment_query, '');
    const exclusion =
      exclude_segment_query === null ? null : readAskedQuery(exclude_segment_query, 'exclude_segment_query.');
    const audience = { query, exclusion, saved: new Map() };
    return planEstimate({ business_id, by_consent, currency }, audience, endOfData(facts, timezone), noise);
  },
});

/** Saved segments are fetched first, then those that they name, and so on. */
function planEstimate(
  asker: {
    readonly business_id: string;
    readonly by_consent: ConsentChannel | null;
    readonly currency: string | null;
  },
  audience: Audience,
  at: EvaluatedAt,
  noise: Noise,
): Plan<Estimate> {
  const { business_id, by_consent, currency } = asker;
  const { query, exclusion, saved } = audience;
  const asked = exclusion === null ? [query] : [query, exclusion];
  const missing = unknownSegments(asked, saved);
  if (missing.length > 0) {
    return plan({
      queries: { segments: storedQueries(missing) },
      answer: ({ segments }) => {
        const known = addSegments(saved, missing, segments);
        return planEstimate(asker, { ...audience, saved: known }, at, noise);
      },
    });
  }
  const references = queryReferences({ segments: asked.flatMap(({ segments }) => segments) });
  const savedQueries = [...saved.values()].filter((one) => one !== null);
  const all = [...asked, ...savedQueries];
  const counts = countsOf(query, exclusion, by_consent);
  return plan({
    queries: {
      counts: estimate(audience, counts, at, by_consent),
      names: referenceNames(references),
      traits: knownTraits(all),
    },
    measures: [
      ...counts.filter((one) => !isOfNobody(one)).map(formOf),
      ...buyersIn(counts).flatMap(({ count }) => measuresOfSums(count)),
    ],
    answer: ({ counts: measured, names: rows, traits }) => {
      const names = namesOf(rows);
      const row = onlyRow(measured);
      const shown = blurCounts(counts, row, noise);
      const byConsent = consentAnswer(by_consent, counts, shown, row, noise);
      return {
        result: {
          business_id,
          as_of: at.moment,
          ...shownCounts(shown, query.segments),
          ...byConsent,
          readable: [
            ...readableQuery(query, names, 'Group'),
            ...(exclusion === null ? [] : readableQuery(exclusion, names, 'Excluded group')),
          ],
        },
        notes: [
          ...(by_consent === null ? [] : cutNotes(row.usual_value ?? 0, currency)),
          ...blurNotes(shown.values()),
          ...unknownReferenceNotes(references, names),
          ...unknownTraitNotes(all, traits),
          ...knownDataNotes(all, at),
          ...messageEffectNotes(all, by_consent !== null),
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
          segment_index,
          block_index,
          alone_count: shown(alone),
          cumulative_count: shown(cumulative),
        };
      }),
    ),
  };
  return { ...ofQuery, is_hidden };
}

/** The counts of buyers by consent, where they are asked for. */
function buyersIn(counts: readonly ProfileCount[]) {
  return CONSENT_GROUPS.flatMap((group) => {
    const count = counts.find(({ column }) => column === consentColumns(group).buyers);
    return count === undefined ? [] : [{ group, count }];
  });
}

/** The rows by consent, and the intervals of all that is shown. */
function consentAnswer(
  by: ConsentChannel | null,
  counts: readonly ProfileCount[],
  shown: ReadonlyMap<string, BlurredCount>,
  row: Readonly<Record<string, number>>,
  noise: Noise,
) {
  const rows = buyersIn(counts).map(({ group, count }, place) => {
    const columns = consentColumns(group);
    const buyers = { count, blurred: shown.get(columns.buyers) };
    const people = { profiles: shown.get(columns.profiles), buyers: buyers.blurred };
    const orders = blurSum(buyers, 'orders', { exact: row[columns.orders] ?? 0, unit: 1 }, noise);
    const usual = row.usual_value ?? 0;
    const revenue = blurSum(buyers, 'revenue', { exact: row[columns.revenue] ?? 0, unit: usual }, noise);
    const share = shareOf(people.buyers?.shown ?? null, people.profiles?.shown ?? null);
    const named = { customers_share: share, orders_count: orders, revenue };
    return {
      row: {
        consent: group,
        profiles_count: people.profiles?.shown ?? null,
        customers_count: people.buyers?.shown ?? null,
        customers_share: share?.shown ?? null,
        orders_count: orders?.shown ?? null,
        revenue: revenue?.shown ?? null,
      },
      intervals: Object.entries(named).flatMap(([key, value]) =>
        value === null ? [] : [{ estimate: `by_consent[${place}].${key}`, ...boundsOf(value) }],
      ),
    };
  });
  const ofCounts = [...shown.values()].flatMap(({ label, shown: value }) => {
    if (value === null || !isShown(label)) return [];
    const range = value === 0 ? { from_value: 0, to_value: 0 } : rangeOf(value, TYPICAL_ERROR);
    return [{ estimate: label, ...range }];
  });
  return {
    by_consent: by === null ? null : rows.map((one) => one.row),
    intervals: [...ofCounts, ...rows.flatMap((one) => one.intervals)],
  };
}

const boundsOf = ({ from_value, to_value }: { readonly from_value: number; readonly to_value: number }) => ({
  from_value,
  to_value,
});

/** Counts that only decide about hiding are called by words. */
function isShown(label: string): boolean {
  return !label.includes(' ');
}

/**
 * The share of two counts that each have noise: between the least and the most that their intervals allow.
 */
function shareOf(part: number | null, whole: number | null) {
  if (part === null || whole === null || whole === 0) return null;
  const [few, many] = [rangeOf(part, TYPICAL_ERROR), rangeOf(whole, TYPICAL_ERROR)];
  const percent = (one: number, of: number) => Math.min(100, defined(roundedPercent(one, of)));
  return {
    shown: percent(part, whole),
    from_value: percent(few.from_value, many.to_value),
    to_value: many.from_value === 0 ? 100 : percent(few.to_value, many.from_value),
  };
}
