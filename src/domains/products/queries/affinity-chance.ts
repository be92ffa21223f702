import { shownNames } from '../../../answers/existing-names.ts';
import { column } from '../../../answers/fields/field.ts';
import { chanceOfBoth } from '../../../sql/hypergeometric.ts';
import { parameter, type Sql, sql } from '../../../sql/sql.ts';
import { plural } from '../../../text/plural.ts';

/** How many of those that are called more than chance may be chance. */
const FALSE_SHARE = 0.05;

/**
 * What `judged` adds to each pair: whether it is more than chance would bring, and among how many pairs it
 * was looked for.
 */
export const chanceColumns = [
  column('is_beyond_chance', 'boolean'),
  column('possible_pairs_count', 'integer'),
];

/**
 * The pairs of `scored` with `chanceColumns`, by the method of Y. Benjamini and Y. Hochberg (1995) over all
 * pairs that the items asked for can make. Those in fewer than `min_orders` baskets were looked at, too: they
 * count as found by chance. A basket with one product, which is in both categories, holds no pair of two.
 *
 * @param possible a select of their number, `possible_pairs_count`
 */
export function judged(possible: Sql): Sql {
  const chance = chanceOfBoth({
    all: sql`baskets_count`,
    first: sql`antecedent_orders_count`,
    second: sql`consequent_orders_count`,
    both: sql`(pair_orders_count - of_one_product_count)`,
  });
  return sql`
    select *, cast(coalesce(chance <= max(chance_of_finding) over (), false) as boolean) as is_beyond_chance
    from (
      select *,
        case when chance * possible_pairs_count <= ${parameter.number(FALSE_SHARE)} * row_number() over (order by chance)
          then chance end as chance_of_finding
      from (select *, ${chance} as chance from scored cross join (${possible}) as possible) as likely
    ) as ordered`;
}

interface JudgedPair {
  readonly antecedent: string;
  readonly antecedent_name: string | null;
  readonly consequent: string;
  readonly consequent_name: string | null;
  readonly pair_orders_count: number;
  readonly of_one_product_count: number;
  readonly is_beyond_chance: boolean;
  readonly possible_pairs_count: number;
}

/**
 * Names the shown pairs that are no more than chance would bring, or the only ones that are more: the shorter
 * list.
 */
export function chanceNotes(pairs: readonly JudgedPair[]): string[] {
  const [first] = pairs;
  const byChance = pairs.filter(({ is_beyond_chance }) => !is_beyond_chance);
  const beyond = pairs.filter(({ is_beyond_chance }) => is_beyond_chance);
  if (first === undefined || byChance.length === 0) return [];
  const how = `(judged among ${plural(first.possible_pairs_count, 'pair', 'pairs')} that these items can make; 5 % of findings may be wrong)`;
  if (beyond.length === 0)
    return [
      pairs.length === 1
        ? `The one pair shown is no more than chance would bring ${how}: do not act on it.`
        : `None of the ${pairs.length} pairs shown is more than chance would bring ${how}: do not act on them.`,
    ];
  const of = `Of the ${pairs.length} pairs shown`;
  return [
    beyond.length < byChance.length
      ? `${of}, only ${plural(beyond.length, 'is', 'are')} more than chance would bring ${how}: ${named(beyond)}.`
      : `${of}, ${plural(byChance.length, 'is', 'are')} no more than chance would bring ${how}: ${named(byChance)}.`,
  ];
}

/** Names the shown pairs of categories that one product makes by being in both, with the baskets of two. */
export function ownPairNotes(pairs: readonly JudgedPair[]): string[] {
  const own = pairs
    .filter(({ of_one_product_count }) => of_one_product_count > 0)
    .sort((one, other) => other.of_one_product_count - one.of_one_product_count);
  if (own.length === 0) return [];
  const told = own.map(
    ({ pair_orders_count, of_one_product_count, ...pair }) =>
      `${nameOf(pair)} (${of_one_product_count} of ${pair_orders_count})`,
  );
  return [
    `${plural(own.length, 'pair', 'pairs')} of those shown ${own.length === 1 ? 'is' : 'are'} partly of a product that is in both categories, ` +
      `bought without another of them: ${shownNames(told)}. That is nothing bought together, and lift and confidence count it.`,
  ];
}

function named(pairs: readonly JudgedPair[]): string {
  return shownNames(pairs.map(nameOf));
}

type Named = Pick<JudgedPair, 'antecedent' | 'antecedent_name' | 'consequent' | 'consequent_name'>;

function nameOf({ antecedent, antecedent_name, consequent, consequent_name }: Named): string {
  return `${antecedent_name ?? antecedent} + ${consequent_name ?? consequent}`;
}
