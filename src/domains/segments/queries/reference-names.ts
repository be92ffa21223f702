import { query } from '../../../answers/fields/query.ts';
import {
  campaigns,
  interestLists,
  productCategories,
  products,
  rfmProfiles,
  segments,
} from '../../../model-table/table-names.ts';
import { join, parameter, type Sql, sql } from '../../../sql/sql.ts';
import { quoted } from '../../../text/business-text.ts';
import { type Reference, type ReferenceType, referenceKey } from '../definitions/references.ts';
import type { ReferenceNames } from './readable-query.ts';
import { referenceFields } from './shown-query.ts';

/**
 * All that there is, as rows of (id, name), by what queries call it. What is sold and has no name is called
 * by its id.
 */
const THINGS: Readonly<Record<ReferenceType, Sql>> = {
  interest_list: sql`select code as id, name from ${interestLists}`,
  segment: sql`select segment_id as id, name from ${segments}`,
  rfm_profile: sql`select rfm_profile_id as id, name from ${rfmProfiles}`,
  campaign: sql`select campaign_id as id, name from ${campaigns}`,
  brand: sql`select brand as id, brand as name from ${products}`,
  category: sql`select category as id, category as name from ${productCategories}`,
  product: sql`select external_product_id as id, coalesce(name, external_product_id) as name from ${products}`,
  master_product: sql`select master_product_id as id, coalesce(master_name, master_product_id) as name from ${products}`,
};

/** One query for the names of things, for `namesOf`. Null when there is nothing to ask. */
export function referenceNames(references: readonly Reference[]) {
  const byType = [...Map.groupBy(references, ({ type }) => type)];
  if (byType.length === 0) return null;
  return query(
    referenceFields,
    join(
      byType.map(
        ([type, named]) => sql`
        select distinct ${parameter.text(type)} as type, id, name from (${THINGS[type]}) as things
        where id in (${parameter.texts(named.map(({ id }) => id))})`,
      ),
      sql` union all `,
    ),
  );
}

const MOST_NAMED = 20;

/** A sentence about what a query names and does not exist. */
export function unknownReferenceNotes(references: readonly Reference[], names: ReferenceNames): string[] {
  const unknown = references.filter((reference) => !names.has(referenceKey(reference)));
  if (unknown.length === 0) return [];
  const shown = unknown.slice(0, MOST_NAMED).map(({ type, id }) => `${type} ${quoted(id)}`);
  const more = unknown.length > MOST_NAMED ? ` and ${unknown.length - MOST_NAMED} more` : '';
  return [`Unknown, so nobody has to do with them: ${shown.join(', ')}${more}.`];
}
