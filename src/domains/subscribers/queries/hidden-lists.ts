import type { ObjectOf } from '../../../answers/fields/field.ts';
import { hideWithPartner, isSmall, withoutSmall } from '../../../answers/small-groups.ts';
import type { listMetrics, listResultColumns } from './interest-lists.ts';

type ListRow = ObjectOf<typeof listResultColumns>;
type Numbers = ObjectOf<typeof listMetrics>;
type Shown = { readonly [Key in keyof Numbers]: Numbers[Key] | null };

/** The four that stand in one equation: who was there and who came is who went and who is there. */
const FLOW = [
  'subscribed_at_start_count',
  'subscribed_count',
  'unsubscribed_count',
  'subscribed_at_end_count',
] as const;

/** Parts of the members at the end. */
const OF_MEMBERS = ['consented_count', 'reachable_count', 'suppressed_count', 'customers_count'] as const;

interface Part {
  /** How many they are: each may have joined or left several times. */
  readonly people_count: number;
}

interface Source extends Part {
  readonly subscribed_count: number;
}

interface Reason extends Part {
  readonly unsubscribed_count: number;
}

interface ShownList<OneSource, OneReason> {
  readonly numbers: Shown;
  readonly sources: readonly OneSource[];
  readonly reasons: readonly OneReason[];
  readonly is_hidden: boolean;
}

/** A list without its small groups, and whether it had any. */
export function withoutSmallGroups<OneSource extends Source, OneReason extends Reason>(
  { churned_count: churned, ...row }: Omit<ListRow, 'code' | 'name'>,
  sources: readonly OneSource[],
  reasons: readonly OneReason[],
): ShownList<OneSource, OneReason> {
  if (isSmall(row.subscribed_at_start_count + row.subscribed_count)) {
    return { numbers: allHidden(row), sources: [], reasons: [], is_hidden: true };
  }
  const hidden = new Set<keyof Numbers>(hideWithPartner(row, FLOW));
  const isOneHidden = (one: keyof Numbers, other: keyof Numbers) => hidden.has(one) !== hidden.has(other);
  if (
    isOneHidden('subscribed_count', 'unsubscribed_count') ||
    isOneHidden('subscribed_at_start_count', 'subscribed_at_end_count')
  ) {
    hidden.add('net_growth');
  }
  const { subscribed_at_start_count: start, unsubscribed_count: left, subscribed_at_end_count: end } = row;
  // The churn rate tells apart who was there and who came, among those who went and those who stayed.
  const cameAndWent = left - churned;
  const apart = [churned, start - churned, cameAndWent, row.subscribed_count - cameAndWent];
  if (hidden.has('subscribed_at_start_count') || hidden.has('unsubscribed_count') || apart.some(isSmall)) {
    hidden.add('churn_rate');
  }
  for (const key of OF_MEMBERS) if ([row[key], end - row[key]].some(isSmall)) hidden.add(key);
  // Who consented and is suppressed: consented less reachable. With it all three parts of the members are
  // known.
  const both = row.consented_count - row.reachable_count;
  const parts = [both, row.suppressed_count - both, end - row.consented_count - row.suppressed_count + both];
  if (parts.some(isSmall)) hidden.add('reachable_count');
  const shownSources = hidden.has('subscribed_count')
    ? []
    : withoutSmall(ofEnough(sources), row.subscribed_count, ({ subscribed_count }) => subscribed_count);
  const shownReasons = hidden.has('unsubscribed_count')
    ? []
    : withoutSmall(ofEnough(reasons), row.unsubscribed_count, ({ unsubscribed_count }) => unsubscribed_count);
  return {
    numbers: Object.fromEntries(
      Object.entries(row).map(([key, value]) => [key, hidden.has(key as keyof Numbers) ? null : value]),
    ) as Shown,
    sources: shownSources,
    reasons: shownReasons,
    is_hidden:
      hidden.size > 0 || shownSources.length < sources.length || shownReasons.length < reasons.length,
  };
}

function ofEnough<One extends Part>(parts: readonly One[]): readonly One[] {
  return parts.filter(({ people_count }) => !isSmall(people_count));
}

function allHidden(row: Numbers): Shown {
  return Object.fromEntries(Object.keys(row).map((key) => [key, null])) as unknown as Shown;
}
