import { column, type ObjectOf } from '../../../answers/fields/field.ts';
import { text } from '../../../answers/fields/kinds-of-fields.ts';
import { query } from '../../../answers/fields/query.ts';
import { campaigns, queryReferences as table } from '../../../model-table/table-names.ts';
import { parameter, type Sql, sql } from '../../../sql/sql.ts';
import { shortTextOrNull } from '../../../text/business-text.ts';
import { withoutPersonalValues } from '../../../text/personal-values.ts';
import { fieldsOf, readStoredJson } from '../../../text/stored-json.ts';
import { parseSegmentQuery } from '../definitions/parse.ts';
import { type ReferenceType, referenceKey } from '../definitions/references.ts';
import { type ReferenceNames, readableQuery } from './readable-query.ts';

/** Something that a query names. */
export const referenceFields = [
  text('type', 'interest_list, segment, rfm_profile, product, category, brand or campaign.'),
  text('id', 'As the query has it.'),
  text('name', 'As it is called now.', 'no longer exists, so the condition is broken'),
];
type NamedThing = ObjectOf<typeof referenceFields>;

/** What the queries of a campaign or a saved segment name, in order. */
export function referencesOf(owner: 'campaign' | 'segment', ownerId: string) {
  return query(
    referenceFields,
    sql`
    select type, id, name from ${table}
    where owner = ${parameter.text(owner)} and owner_id = ${parameter.text(ownerId)}
    order by is_exclusion, place`,
  );
}

/** What campaigns that are not deleted name: rows of (id, used_in_campaigns_count). */
export function campaignUses(type: 'interest_list' | 'segment'): Sql {
  return sql`
    select id, count(distinct owner_id) as used_in_campaigns_count
    from ${table}
    where owner = 'campaign' and type = ${parameter.text(type)}
      and owner_id in (select campaign_id from ${campaigns} where state <> 'deleted')
    group by id`;
}

/** A campaign that names a segment. */
export const namingFields = [
  text('campaign_id', 'As other tools take it.'),
  text('name', 'Business data.'),
  text('state', 'State of the campaign now.'),
];

const NAMING = [
  ...namingFields,
  column('is_in_targeting', 'boolean'),
  column('is_in_exclusion', 'boolean'),
] as const;
export type NamingCampaign = ObjectOf<typeof NAMING>;

/**
 * The newest campaigns that name a saved segment, each with whether it does so in its `segment_query`, in its
 * `exclude_segment_query`, or in both.
 */
export function campaignsNaming(segmentId: string, most: number) {
  return query(
    NAMING,
    sql`
    select campaign_id, name, state, cast(targets = 1 as boolean) as is_in_targeting,
      cast(excludes = 1 as boolean) as is_in_exclusion
    from ${campaigns}
    join (
      select owner_id, max(case when is_exclusion then 0 else 1 end) as targets,
        max(case when is_exclusion then 1 else 0 end) as excludes
      from ${table}
      where owner = 'campaign' and type = 'segment' and id = ${parameter.text(segmentId)}
      group by owner_id
    ) as naming on naming.owner_id = campaign_id
    where state <> 'deleted'
    order by created_at desc, campaign_id
    limit ${parameter.integer(most)}`,
  );
}

/** A stored query as it is shown; null if there is no query, or it cannot be shown. */
export function shownQuery(stored: unknown): Readonly<Record<string, unknown>> | null {
  const read = readStoredJson(stored);
  const isObject = typeof read === 'object' && read !== null && !Array.isArray(read);
  return isObject ? fieldsOf(withoutPersonalValues(read)) : null;
}

/** One line for each block. A stored query that cannot be shown cannot be evaluated either. */
export function readStoredQuery(
  stored: unknown,
  references: readonly NamedThing[],
  whom: 'Group' | 'Excluded group',
): string[] {
  if (stored === null) return [];
  const shown = shownQuery(stored);
  if (shown === null) return [`${whom}: not evaluable: no query, or more than can be read`];
  return readableQuery(parseSegmentQuery(shown), namesOf(references), whom);
}

/** @param references rows of (type, id, name) */
export function namesOf(references: readonly NamedThing[]): ReferenceNames {
  return new Map(
    references.map(({ type, id, name }) => [referenceKey({ type: type as ReferenceType, id }), name]),
  );
}

/** The references as they are shown, each once: a master product is a product. */
export function shownReferences(references: readonly NamedThing[]): NamedThing[] {
  const shown = references.map(({ type, id, name }) => ({
    type: type === 'master_product' ? 'product' : type,
    id,
    name: shortTextOrNull(name, 300),
  }));
  return [...new Map(shown.map((reference) => [`${reference.type} ${reference.id}`, reference])).values()];
}
