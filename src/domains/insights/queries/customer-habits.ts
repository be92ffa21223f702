import { Temporal } from 'temporal-polyfill';
import type { SnapshotFacts } from '../../../business/snapshot-facts.ts';
import { InputError } from '../../../errors.ts';
import { orders } from '../../../model-table/table-names.ts';
import { parameter, type Sql, sql } from '../../../sql/sql.ts';
import { localDate } from '../../../time/moment.ts';
import { orderedIn, type Range } from '../../../time/range.ts';
import type { DimensionName } from './dimensions.ts';
import type { Cut, FactQuestion } from './fact.ts';

/**
 * The dimensions that tell what customers did one time after another. Numbers of few of them are hidden:
 * docs/decisions/0251.
 */
export type HabitName = Extract<DimensionName, 'customer_orders' | 'days_since_last_order'>;

/** All orders of a customer in the range, whatever the filters let pass. */
function ofCustomers({ range, facts }: Pick<FactQuestion, 'range' | 'facts'>): Sql {
  return sql`left join (
  select customer_key, count(*) as customer_orders,
    date_diff('day', max(ordered_date), ${parameter.date(lastDay(range, facts).toString())}) as days_since_last_order
  from ${orders}
  where is_valid and customer_key is not null and ${orderedIn(range)}
  group by customer_key
) as habits using (customer_key)`;
}

/** Nobody knows who ordered after the end of the data. */
function lastDay({ lastDate }: Range, { orders_until, timezone }: SnapshotFacts): Temporal.PlainDate {
  if (orders_until === null || timezone === null) return lastDate;
  const until = localDate(orders_until, timezone);
  return Temporal.PlainDate.compare(until, lastDate) < 0 ? until : lastDate;
}

const NO_CUSTOMER = parameter.text('(no customer)');

export const habitCuts: Readonly<Record<HabitName, Cut>> = {
  customer_orders: {
    value: sql`case when customer_orders >= 10 then '10+' when customer_orders >= 6 then '6-9'
      else coalesce(cast(customer_orders as varchar), ${NO_CUSTOMER}) end`,
    joinsOf: (question) => [ofCustomers(question)],
  },
  days_since_last_order: {
    value: sql`case when days_since_last_order is null then ${NO_CUSTOMER} when days_since_last_order < 30 then '0-29'
      when days_since_last_order < 60 then '30-59' when days_since_last_order < 90 then '60-89'
      when days_since_last_order < 180 then '90-179' when days_since_last_order < 365 then '180-364' else '365+' end`,
    joinsOf: (question) => [ofCustomers(question)],
  },
};

export function isHabit(name: DimensionName): name is HabitName {
  return name in habitCuts;
}

type Asked = Pick<FactQuestion, 'dimensions' | 'conditions'>;

/** The dimensions of a question that follow customers. */
export function habitsOf({ dimensions, conditions }: Asked): readonly HabitName[] {
  return [...new Set([...dimensions, ...conditions.map(({ dimension }) => dimension)])].filter(isHabit);
}

/**
 * Customers are in one row each, so that it is known what hidden rows have together.
 *
 * @param moments as they were given
 * @throws InputError beside dimensions of which a customer may have several values, and for a part of a day
 */
export function checkHabits(asked: Asked, moments: readonly (string | null)[]): void {
  const [habit] = habitsOf(asked);
  if (habit === undefined) return;
  const other = asked.dimensions.find((one) => !isHabit(one));
  if (other !== undefined)
    throw new InputError(
      `${habit} follows customers, so group_by cannot have ${other} beside it`,
      `Filter by ${other}, or ask for one value after the other.`,
    );
  const part = moments.find((moment) => moment !== null && !/^\d{4}-\d\d-\d\d$/.test(moment));
  if (part !== undefined)
    throw new InputError(
      `${habit} follows customers, whose days are whole; ${String(part).slice(0, 40)} has a time`,
      'Give days, as 2026-10-31.',
    );
}
