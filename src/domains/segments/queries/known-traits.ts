import { column, type ObjectOf } from '../../../answers/fields/field.ts';
import { query } from '../../../answers/fields/query.ts';
import { LEAST_SHARING } from '../../../answers/shared-values.ts';
import {
  acquiredDetails,
  campaigns,
  profileAttributes,
  profileTags,
} from '../../../model-table/table-names.ts';
import { join, parameter, type Sql, sql } from '../../../sql/sql.ts';
import { CAMPAIGN_TYPES } from '../../../store/campaign-kinds.ts';
import { SUBSCRIPTION_SOURCES } from '../../../store/subscription-sources.ts';
import { quoted } from '../../../text/business-text.ts';
import { conditionsOf, type SegmentQuery } from '../definitions/parse.ts';

/**
 * What conditions compare profiles with, and no table of names has: it exists where enough profiles have it.
 */
interface Trait {
  readonly type: 'attribute' | 'value' | 'tag' | 'source' | 'campaign_type';
  /** A value has here the name of its attribute. */
  readonly of: string;
  readonly id: string;
}

const keyOf = ({ type, of, id }: Trait) => JSON.stringify([type, of, id]);

/** Each attribute, value, tag, source and type of campaign that the queries name, once. */
function traitsOf(queries: readonly SegmentQuery[]): Trait[] {
  const traits = queries.flatMap(conditionsOf).flatMap(({ condition }): Trait[] => {
    switch (condition.type) {
      case 'attribute': {
        const { name, value } = condition.block.value;
        const isCompared = condition.block.operator === 'eq' || condition.block.operator === 'in';
        const values = isCompared ? [value].flat().map(String) : [];
        return [
          { type: 'attribute', of: '', id: name },
          ...values.map((id) => ({ type: 'value', of: name, id }) as const),
        ];
      }
      case 'tag':
        return [{ type: 'tag', of: '', id: condition.block.value.name }];
      case 'source':
        return condition.block.value.map((id) => ({ type: 'source', of: '', id }));
      case 'campaign':
        return (condition.block.campaign_type ?? []).map((id) => ({ type: 'campaign_type', of: '', id }));
      default:
        return [];
    }
  });
  return [...new Map(traits.map((trait) => [keyOf(trait), trait])).values()];
}

const TRAIT = [column('type', 'text'), column('of_name', 'text'), column('id', 'text')];

const LEAST = parameter.integer(LEAST_SHARING);

/** One query for the traits that exist, for `unknownTraitNotes`. Null when there is nothing to ask. */
export function knownTraits(queries: readonly SegmentQuery[]) {
  const byType = Map.groupBy(traitsOf(queries), ({ type }) => type);
  const idsOf = (type: Trait['type']) => parameter.texts((byType.get(type) ?? []).map(({ id }) => id));
  const selects: Readonly<Partial<Record<Trait['type'], () => Sql>>> = {
    attribute: () => sql`
      select 'attribute' as type, '' as of_name, name as id from ${profileAttributes}
      where name in (${idsOf('attribute')}) group by name having count(distinct customer_key) >= ${LEAST}`,
    value: () => sql`
      select distinct 'value' as type, name as of_name, value as id from ${profileAttributes}
      where value in (${idsOf('value')})`,
    tag: () => sql`
      select distinct 'tag' as type, '' as of_name, tag as id from ${profileTags} where tag in (${idsOf('tag')})`,
    source: () => sql`
      select distinct 'source' as type, '' as of_name, detail as id from ${acquiredDetails} where detail in (${idsOf('source')})
      union distinct
      select 'source', '', campaign_id from ${campaigns} where channel = 'popup' and campaign_id in (${idsOf('source')})
      union distinct
      select 'source', '', name from ${campaigns} where channel = 'popup' and name in (${idsOf('source')})`,
  };
  const asked = [...byType.keys()].flatMap((type) => selects[type]?.() ?? []);
  if (asked.length === 0) return null;
  const rows = asked.map((select) => sql`select type, of_name, id from (${select}) as existing`);
  return query(TRAIT, join(rows, sql` union all `));
}

const CONSTANT: Readonly<Partial<Record<Trait['type'], readonly string[]>>> = {
  source: [...SUBSCRIPTION_SOURCES, 'unknown'],
  campaign_type: CAMPAIGN_TYPES,
};

const MOST_NAMED = 20;

/** A sentence about what the queries compare profiles with and none has, or too few. */
export function unknownTraitNotes(
  queries: readonly SegmentQuery[],
  known: readonly ObjectOf<typeof TRAIT>[],
): string[] {
  const existing = new Set(known.map(({ type, of_name, id }) => JSON.stringify([type, of_name, id])));
  const isKnown = (trait: Trait) =>
    existing.has(keyOf(trait)) || (CONSTANT[trait.type]?.includes(trait.id.toLowerCase()) ?? false);
  const traits = traitsOf(queries);
  const unknownNames = new Set(
    traits.filter((trait) => trait.type === 'attribute' && !isKnown(trait)).map(({ id }) => id),
  );
  // If an attribute does not exist, its values do not either: that is said once.
  const unknown = traits.filter((trait) => !isKnown(trait) && !unknownNames.has(trait.of));
  if (unknown.length === 0) return [];
  const shown = unknown.slice(0, MOST_NAMED).map(nameOf);
  const more = unknown.length > MOST_NAMED ? ` and ${unknown.length - MOST_NAMED} more` : '';
  return [
    `Unknown, or of fewer than ${LEAST_SHARING} profiles, so nobody has them: ${shown.join(', ')}${more}. ` +
      'segmentation://conditions lists those that exist.',
  ];
}

function nameOf({ type, of, id }: Trait): string {
  return type === 'value'
    ? `attribute ${quoted(of)} = ${quoted(id)}`
    : `${type.replace('_', ' ')} ${quoted(id)}`;
}
