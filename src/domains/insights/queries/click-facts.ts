import { HIDDEN } from '../../../answers/fields/field.ts';
import { knownSum, metric, selectMetrics } from '../../../answers/metric.ts';
import { unlessFew } from '../../../answers/small-groups.ts';
import { InputError } from '../../../errors.ts';
import { messageEvents, orders, sends } from '../../../model-table/table-names.ts';
import { parameter, sql } from '../../../sql/sql.ts';
import { emailChannel, smsChannel } from '../../messages/queries/message-channels.ts';
import { sentIn } from '../../messages/queries/sent-campaigns.ts';
import { emailsFact } from './email-facts.ts';
import { type Fact, readOf } from './fact.ts';

const PEOPLE = sql`count(distinct customer_key)`;

/** This count hides rows of few people, and stands in no answer. */
const people = metric({
  key: 'people_who_ordered',
  type: 'integer',
  unit: 'customers',
  definition: 'Who clicked and ordered.',
  value: PEOPLE,
});

/**
 * Orders that came within a window after their customer had clicked in a message: each once in a row,
 * whatever else led to it.
 */
function clickedFact(channel: typeof emailChannel | typeof smsChannel): Fact {
  const { name } = channel;
  const noun = name === 'sms' ? 'SMS' : 'e-mails';
  const count = metric({
    key: `orders_after_${name}_click_count`,
    type: 'integer',
    unit: 'orders',
    null: HIDDEN,
    definition: `Valid orders within click_window_days of a click of their customer in the ${noun}, by persons and on content; not credited, so also in other rows.`,
    value: unlessFew(PEOPLE, sql`count(*)`),
  });
  const revenue = metric({
    key: `revenue_after_${name}_click`,
    type: 'number',
    unit: 'money',
    null: HIDDEN,
    definition: `Revenue of orders_after_${name}_click_count.`,
    value: unlessFew(PEOPLE, knownSum(sql`revenue`)),
  });
  return {
    name: `${name}_clicks`,
    definition: `Orders after clicks in ${noun}, by when these were sent; needs click_window_days.`,
    cuts: emailsFact.cuts,
    metrics: { [count.key]: count, [revenue.key]: revenue },
    people,
    overlaps: true,
    adds: [],
    rows(question) {
      const { key, condition, joins } = readOf(this, question);
      const { range, clickWindowDays } = question;
      if (clickWindowDays == null) throw new Error('a question about clicks has no window');
      return sql`
        select row_key, ${selectMetrics(question.metrics)}
        from (
          select distinct row_key, order_key, customer_key, revenue
          from (
            select row_key, customer_key, happened_at
            from ${messageEvents} join (
              select send_key, customer_key, ${key} as row_key
              from ${sends} ${joins}
              where ${sentIn(channel, range)} and ${condition}
            ) as sent using (send_key)
            where kind = 'click' and is_content and not is_machine
          ) as clicks
          join (
            select order_key, customer_key, ordered_at, revenue from ${orders} where is_valid and customer_key is not null
          ) as placed using (customer_key)
          where ordered_at >= happened_at
            and date_diff('second', happened_at, ordered_at) <= ${parameter.integer(clickWindowDays * 86_400)}
        ) as followed
        group by row_key`;
    },
  };
}

export const CLICK_FACTS: readonly Fact[] = [clickedFact(emailChannel), clickedFact(smsChannel)];

/** @throws InputError for a window without its metrics, these without a window, and a part of a day */
export function checkClickWindow(
  facts: readonly Fact[],
  days: number | null,
  moments: readonly (string | null)[],
): void {
  const asked = facts.find((fact) => CLICK_FACTS.includes(fact));
  const names = CLICK_FACTS.flatMap(({ metrics }) => Object.keys(metrics));
  if (asked === undefined) {
    if (days === null) return;
    throw new InputError(`click_window_days goes with ${names.join(', ')}`);
  }
  const [metric = ''] = Object.keys(asked.metrics);
  if (days === null)
    throw new InputError(
      `${metric} needs click_window_days: within how many days after a click`,
      'attributed metrics have the windows of the store.',
    );
  if (moments.some((moment) => moment !== null && !/^\d{4}-\d\d-\d\d$/.test(moment)))
    throw new InputError(`${metric} follows people, whose days are whole`, 'Give days, as 2026-10-31.');
}
