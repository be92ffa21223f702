import type { SnapshotFacts } from '../../../business/snapshot-facts.ts';
import { localDate } from '../../../time/moment.ts';
import type { ConditionType } from '../definitions/conditions.ts';
import { conditionsOf, type SegmentQuery } from '../definitions/parse.ts';
import type { EvaluatedAt } from './condition-periods.ts';

/** What a condition asks of: any of the tables, and where known, how far they go. */
interface Source {
  readonly tables: readonly string[];
  readonly until?: 'orders_until' | 'sessions_until' | 'messages_until';
}

const consents: Source = { tables: ['consent_events'] };
const orders: Source = { tables: ['orders'], until: 'orders_until' };
const events: Source = { tables: ['product_events'] };
const messages: Source = { tables: ['sends'], until: 'messages_until' };
const profiles: Source = { tables: ['profiles'] };

const SOURCES: Readonly<Record<ConditionType, Source | null>> = {
  interest_list: { tables: ['interest_list_events'] },
  consent: consents,
  suppressed: consents,
  subscribed_at: consents,
  source: consents,
  last_activity: null,
  order_count: orders,
  order_value_total: orders,
  average_order_value: orders,
  first_order_at: orders,
  last_order_at: orders,
  bought: { tables: ['order_items'], until: 'orders_until' },
  viewed: events,
  added_to_cart: events,
  cart_abandoned: { tables: ['product_events', 'sessions'] },
  watched: events,
  rfm_segment: orders,
  rfm_score: orders,
  campaign: messages,
  messages_received: messages,
  session: { tables: ['sessions', 'product_events'], until: 'sessions_until' },
  tag: profiles,
  attribute: profiles,
  birthday: profiles,
  name_day: null,
  coupon_used: orders,
  segment: null,
  random_split: null,
};

/**
 * Sentences about what the counts cannot know: what is not loaded, and what ends long before the moment of
 * the answer.
 */
export function knownDataNotes(
  queries: readonly SegmentQuery[],
  { moment, timezone, facts }: EvaluatedAt,
): string[] {
  const types = [...new Set(queries.flatMap(conditionsOf).map(({ condition }) => condition.type))];
  const today = localDate(moment, timezone).toString();
  const notes = types.flatMap((type) => {
    const source = SOURCES[type];
    if (source === null) return [];
    if (!isLoaded(source, facts))
      return [`${type}: nothing is known, since no ${source.tables.join(' or ')} are loaded.`];
    const until = source.until === undefined ? null : facts[source.until];
    if (until === null || localDate(until, timezone).toString() === today) return [];
    return [`${type}: nothing is known of the time from ${until} to as_of.`];
  });
  return isLoaded(consents, facts)
    ? notes
    : [...notes, 'No consent events are loaded, so nobody is known to be reachable.'];
}

function isLoaded({ tables }: Source, { loaded_tables }: SnapshotFacts): boolean {
  return tables.some((table) => loaded_tables.includes(table));
}
