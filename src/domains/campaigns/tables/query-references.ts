import { flag, integer, key, name, text } from '../../../model-table/column-kinds.ts';
import { modelTable, parametersFrom, relation } from '../../../model-table/model-table.ts';
import { productCategories, products } from '../../products/tables/products.ts';
import { rfmProfiles } from '../../rfm/tables/rfm.ts';
import { listsTargetedIn, referencesIn } from '../../segments/tables/named-in-queries.ts';
import { segments } from '../../segments/tables/segments.ts';
import { interestLists } from '../../subscribers/tables/interest-lists.ts';
import { campaigns } from './campaigns.ts';

const targetings = relation`
select 'campaign' as owner, campaign_id as owner_id, false as is_exclusion, segment_query as query
from ${campaigns} where segment_query is not null`;

const everyQuery = relation`${targetings}
union all
select 'campaign', campaign_id, true, exclude_segment_query
from ${campaigns} where exclude_segment_query is not null
union all
select 'segment', segment_id, false, segment_query from ${segments}`;

/** A master product has the name of the product with its id, else of its first variant. */
export const queryReferences = modelTable({
  name: 'query_references',
  scope: 'whole',
  meaning: `What the targeting of campaigns and the saved segments name by its id, once for each query, in the order in which it is
named (\`place\`). \`name\` is null when there is no such thing.`,
  columns: {
    owner: name,
    owner_id: text,
    is_exclusion: flag,
    place: integer,
    type: name,
    id: text,
    name: text,
  },
  order: [],
  needs: [[campaigns, segments]],
  parameters: parametersFrom(everyQuery, referencesIn),
  rows: relation`
with named as (
  select unnest(from_json($references, '[{"owner": "VARCHAR", "owner_id": "VARCHAR", "is_exclusion": "BOOLEAN",
    "place": "INTEGER", "type": "VARCHAR", "id": "VARCHAR"}]'), recursive := true)
),
things as (
  select 'interest_list' as type, code as id, name from ${interestLists}
  union all select 'segment', segment_id, name from ${segments}
  union all select 'rfm_profile', rfm_profile_id, name from ${rfmProfiles}
  union all select 'campaign', campaign_id, name from ${campaigns}
  union all select distinct 'brand', brand, brand from ${products}
  union all select distinct 'category', category, category from ${productCategories}
  union all select 'product', external_product_id, name from ${products}
  union all
  select 'master_product', master_product_id,
    first(name order by external_product_id <> master_product_id, external_product_id)
  from ${products} where master_product_id in (select id from named where type = 'master_product')
  group by master_product_id
)
select owner, owner_id, is_exclusion, place, type, id, things.name
from named left join things using (type, id)
order by owner, owner_id, is_exclusion, place`,
});

export const interestListCampaigns = modelTable({
  name: 'interest_list_campaigns',
  scope: 'whole',
  meaning: 'Which campaigns write to the members of which list.',
  columns: { list_key: key, campaign_key: key },
  order: ['list_key'],
  needs: [interestLists, campaigns],
  parameters: parametersFrom(targetings, listsTargetedIn),
  rows: relation`
select list_key, campaign_key
from (select unnest(from_json($targets, '[{"campaign_id": "VARCHAR", "code": "VARCHAR"}]'), recursive := true))
join ${interestLists} using (code)
join ${campaigns} using (campaign_id)
order by list_key, campaign_key`,
});
