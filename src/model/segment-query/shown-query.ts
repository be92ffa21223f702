import type { Row } from '../../sql/row.ts';
import { parameter, type Sql, sql } from '../../sql/sql.ts';
import { shortTextOrNull } from '../business-text.ts';
import { withoutPersonalValues } from '../marketing/personal-values.ts';
import { fieldsOf, readStoredJson } from '../stored-json.ts';
import { campaigns, queryReferences as table } from '../tables.ts';
import { parseSegmentQuery } from './parse.ts';
import { type ReferenceNames, readableQuery } from './readable.ts';
import { type ReferenceType, referenceKey } from './references.ts';

/** What the queries of a campaign or a saved segment name, in order. */
export function referencesOf(owner: 'campaign' | 'segment', ownerId: string): Sql {
  return sql`
    select type, id, name from ${table}
    where owner = ${parameter.text(owner)} and owner_id = ${parameter.text(ownerId)}
    order by is_exclusion, place`;
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

/** Those of them that name one saved segment, newest first. */
export function campaignsNaming(segmentId: string): Sql {
  return sql`
    select campaign_id, name, state from ${campaigns}
    where state <> 'deleted' and campaign_id in (
      select owner_id from ${table}
      where owner = 'campaign' and type = 'segment' and id = ${parameter.text(segmentId)})
    order by created_at desc, campaign_id`;
}

/** A stored query as it is shown; null where there is none, or none that can be shown. */
export function shownQuery(stored: unknown): object | null {
  const query = readStoredJson(stored);
  const isObject = typeof query === 'object' && query !== null && !Array.isArray(query);
  return isObject ? fieldsOf(withoutPersonalValues(query)) : null;
}

/** One line for each block. A stored query that cannot be shown cannot be evaluated either. */
export function readStoredQuery(
  stored: unknown,
  references: readonly Row[],
  whom: 'Group' | 'Excluded group',
): string[] {
  if (stored === null) return [];
  const query = shownQuery(stored);
  if (query === null) return [`${whom}: not evaluable: no query, or more than can be read`];
  return readableQuery(parseSegmentQuery(query), namesOf(references), whom);
}

/** @param references rows of (type, id, name) */
export function namesOf(references: readonly Row[]): ReferenceNames {
  return new Map(
    references.map(({ type, id, name }) => [
      referenceKey({ type: type as ReferenceType, id: String(id) }),
      name as string | null,
    ]),
  );
}

/** As they are shown, each once: a master product is a product. */
export function shownReferences(references: readonly Row[]): object[] {
  const shown = references.map(({ type, id, name }) => ({
    type: type === 'master_product' ? 'product' : String(type),
    id: String(id),
    name: shortTextOrNull(name, 300),
  }));
  return [...new Map(shown.map((reference) => [`${reference.type} ${reference.id}`, reference])).values()];
}
