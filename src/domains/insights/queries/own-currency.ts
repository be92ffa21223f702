import { NOTHING_TO_DIVIDE_BY, SEVERAL_CURRENCIES } from '../../../answers/fields/field.ts';
import { metric, ratio } from '../../../answers/metric.ts';
import { InputError } from '../../../errors.ts';
import { type Sql, sql } from '../../../sql/sql.ts';
import type { FactQuestion } from './fact.ts';

/** A number of orders of one currency; null of several. */
function ofOneCurrency(value: Sql): Sql {
  return sql`case when min(currency) = max(currency) then ${value} end`;
}

/** What orders came to in the currency that they were paid in, over rows of `orders`. */
export const ownCurrencyMetrics = [
  metric({
    key: 'revenue_in_own_currency',
    type: 'number',
    unit: 'money of the order',
    null: SEVERAL_CURRENCIES,
    definition:
      'revenue as paid, in the currency of the orders; group by currency or filter one. Null where rows hold several, which are not added.',
    value: ofOneCurrency(sql`coalesce(sum(total), 0)`),
  }),
  metric({
    key: 'average_order_value_in_own_currency',
    type: 'number',
    unit: 'money of the order',
    null: `${NOTHING_TO_DIVIDE_BY}, or ${SEVERAL_CURRENCIES}`,
    definition: 'revenue_in_own_currency / orders_count.',
    value: ofOneCurrency(ratio(sql`sum(total)`, sql`count(*)`)),
  }),
];

const NAMES: readonly string[] = ownCurrencyMetrics.map(({ key }) => key);

/** The metrics among these that are in the currency of the orders. */
export function inOwnCurrency(metrics: readonly { readonly name: string }[]): string[] {
  return metrics.map(({ name }) => name).filter((name) => NAMES.includes(name));
}

/** @throws InputError where rows would hold orders of any currency */
export function checkOneCurrency(
  metrics: readonly { readonly name: string }[],
  { dimensions, conditions }: Pick<FactQuestion, 'dimensions' | 'conditions'>,
): void {
  const [name] = inOwnCurrency(metrics);
  const isOne = conditions.some(
    ({ dimension, kind, values }) => dimension === 'currency' && kind === 'in' && values.length === 1,
  );
  if (name === undefined || isOne || dimensions.includes('currency')) return;
  throw new InputError(
    `${name} never adds two currencies: it needs group_by currency, or a filter on one`,
    'Give group_by ["currency"], or filters [{"dimension": "currency", "in": ["EUR"]}]. revenue is all of it in the currency of the store.',
  );
}
