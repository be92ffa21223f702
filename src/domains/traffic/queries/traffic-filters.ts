import {
  type ExistingNames,
  isOneOf,
  type KnownName,
  type Names,
  namedButUnknown,
  namesThatExist,
} from '../../../answers/existing-names.ts';
import type { Query } from '../../../answers/fields/query.ts';
import { adCosts, sessions } from '../../../model-table/table-names.ts';
import { all, join, parameter, type Sql, sql } from '../../../sql/sql.ts';
import { CHANNELS } from '../definitions/channels.ts';

/** The arguments that choose sessions; null, an empty list or no such argument filters nothing. */
export type TrafficFilters = Names<keyof typeof existingNames | 'filter_devices'>;

/** The condition that filters make for sessions and for advertising costs. */
export function sourceCondition(filters: TrafficFilters): Sql {
  return all([
    isOneOf(sql`channel`, filters.filter_channels),
    isOneOf(sql`source`, filters.filter_sources),
    isOneOf(sql`medium`, filters.filter_mediums),
    isOneOf(sql`campaign`, filters.filter_campaigns),
  ]);
}

/** The condition over `sessions` that the filters make. */
export function sessionCondition(filters: TrafficFilters): Sql {
  return sql`${sourceCondition(filters)} and ${isOneOf(sql`device`, filters.filter_devices)}`;
}

const existingNames = {
  filter_channels: join(
    CHANNELS.map((channel) => sql`select ${parameter.text(channel)} as name`),
    sql` union all `,
  ),
  filter_sources: sql`select source as name from ${sessions} union all select source as name from ${adCosts}`,
  filter_mediums: sql`select medium as name from ${sessions} union all select medium as name from ${adCosts}`,
  filter_campaigns: sql`select campaign as name from ${sessions} union all select campaign as name from ${adCosts}`,
} satisfies ExistingNames;

/**
 * One query for the given names that exist, for `unknownTrafficNotes`. Null when the filters name nothing.
 */
export function knownTraffic(filters: TrafficFilters): Query<KnownName> | null {
  const known = namesThatExist(existingNames, filters);
  return known === null ? null : { ...known, isAside: true };
}

/** A sentence for each filter that gives names which do not exist, and for channels those that do. */
export function unknownTrafficNotes(filters: TrafficFilters, known: readonly KnownName[]): string[] {
  const notes = namedButUnknown(existingNames, filters, known);
  const areChannelsKnown = filters.filter_channels?.every((name) => CHANNELS.includes(name)) ?? true;
  return areChannelsKnown ? notes : [...notes, `Channels are ${CHANNELS.join(', ')}.`];
}
