import type { Session } from '../../ingest/session.ts';
import { parseSegmentQuery } from '../../model/segment-query/parse.ts';
import { queryReferences, targetedLists } from '../../model/segment-query/references.ts';
import { readStoredJson } from '../../model/stored-json.ts';

/**
 * `query_references`: what the targeting of campaigns and the saved segments name by its id, once for each query, in
 * the order in which it is named (`place`). `name` is null when there is no such thing.
 *
 * `interest_list_campaigns`: which campaigns write to the members of which list.
 *
 * Only here queries are read outside of SQL, so that there is one reading of them.
 */
export async function buildQueryReferences(session: Session): Promise<void> {
  const queries = await session.rows(`
    select 'campaign' as owner, campaign_id as owner_id, false as is_exclusion, segment_query as query
    from campaigns where segment_query is not null
    union all
    select 'campaign', campaign_id, true, exclude_segment_query
    from campaigns where exclude_segment_query is not null
    union all
    select 'segment', segment_id, false, segment_query from segments`);
  const parsed = queries.map(({ query, ...owner }) => ({
    owner,
    query: parseSegmentQuery(readStoredJson(query)),
  }));
  const references = parsed.flatMap(({ owner, query }) =>
    queryReferences(query).map((reference, place) => ({ ...owner, place, ...reference })),
  );
  await session.run(QUERY_REFERENCES, { references: JSON.stringify(references) });
  const targets = parsed
    .filter(({ owner }) => owner.owner === 'campaign' && !owner.is_exclusion)
    .flatMap(({ owner, query }) =>
      targetedLists(query).map((code) => ({ campaign_id: owner.owner_id, code })),
    );
  await session.run(INTEREST_LIST_CAMPAIGNS, { targets: JSON.stringify(targets) });
}

const INTEREST_LIST_CAMPAIGNS = `
create table interest_list_campaigns as
select list_key, campaign_key
from (select unnest(from_json($targets, '[{"campaign_id": "VARCHAR", "code": "VARCHAR"}]'), recursive := true))
join interest_lists using (code)
join campaigns using (campaign_id)
order by list_key, campaign_key;
`;

/** A master product has the name of the product with its id, else of its first variant. */
const QUERY_REFERENCES = `
create table query_references as
with named as (
  select unnest(from_json($references, '[{"owner": "VARCHAR", "owner_id": "VARCHAR", "is_exclusion": "BOOLEAN",
    "place": "INTEGER", "type": "VARCHAR", "id": "VARCHAR"}]'), recursive := true)
),
things as (
  select 'interest_list' as type, code as id, name from interest_lists
  union all select 'segment', segment_id, name from segments
  union all select 'rfm_profile', rfm_profile_id, name from rfm_profiles
  union all select 'campaign', campaign_id, name from campaigns
  union all select distinct 'brand', brand, brand from products
  union all select distinct 'category', category, category from product_categories
  union all select 'product', external_product_id, name from products
  union all
  select 'master_product', master_product_id,
    first(name order by external_product_id <> master_product_id, external_product_id)
  from products where master_product_id in (select id from named where type = 'master_product')
  group by master_product_id
)
select owner, owner_id, is_exclusion, place, type, id, things.name
from named left join things using (type, id)
order by owner, owner_id, is_exclusion, place;
`;
