import { column, type ObjectOf } from '../../../../answers/fields/field.ts';
import { query } from '../../../../answers/fields/query.ts';
import { adCosts, sends } from '../../../../model-table/table-names.ts';
import { parameter, type Sql, sql } from '../../../../sql/sql.ts';
import { tenThousandths } from '../../../../sql/ten-thousandths.ts';
import type { Range } from '../../../../time/range.ts';
import { emailChannel, smsChannel } from '../../../messages/queries/message-channels.ts';
import { sentIn } from '../../../messages/queries/sent-campaigns.ts';
import { type DimensionName, periodCuts } from '../dimensions.ts';
import { asText } from '../fact.ts';
import { type InForce, placeInForce } from './in-force.ts';

/**
 * The dimension by which costs of advertising, e-mails and SMS can be split: a period, or the channel that
 * they are for. Null when they cannot be split.
 */
type SpentCut = DimensionName | null;

function keyBy(cut: SpentCut, date: Sql, channel: Sql): Sql {
  if (cut === null) return sql`${parameter.text('')}`;
  if (cut === 'channel') return asText(channel);
  const cuts = periodCuts(date);
  if (!(cut in cuts)) throw new Error(`no costs by ${cut}`);
  return asText(cuts[cut as keyof typeof cuts].value);
}

const AD_COSTS = [
  column('row_key', 'text'),
  column('cost', 'integer'),
  column('costs_count', 'integer'),
  column('priced_count', 'integer'),
];

/** What advertising cost on the days that the range touches, as `ad_cost` of session_statistics. */
export function adCostParts({ firstDate, lastDate }: Range, cut: SpentCut) {
  return query(
    AD_COSTS,
    sql`
    select row_key, cast(coalesce(sum(spent), 0) as bigint) as cost, count(*) as costs_count, count(spent) as priced_count
    from (
      select ${keyBy(cut, sql`spent_date`, sql`channel`)} as row_key, ${tenThousandths(sql`cost`)} as spent
      from ${adCosts}
      where spent_date between ${parameter.date(firstDate.toString())} and ${parameter.date(lastDate.toString())}
    ) as spending
    group by row_key`,
  );
}
export type AdCostRow = ObjectOf<typeof AD_COSTS>;

const EMAILS = [
  column('row_key', 'text'),
  column('rate_place', 'integer'),
  column('emails_count', 'integer'),
];
export type EmailRow = ObjectOf<typeof EMAILS>;

/** E-mails sent in the range, by the rate of a thousand that held then. */
export function emailParts(range: Range, cut: SpentCut, rates: readonly InForce[]) {
  return query(
    EMAILS,
    sql`
    select row_key, rate_place, count(*) as emails_count
    from (
      select ${keyBy(cut, sql`sent_date`, sql`${parameter.text(emailChannel.lastClickChannel)}`)} as row_key,
        ${placeInForce(rates, sql`sent_date`)} as rate_place
      from ${sends} where ${sentIn(emailChannel, range)}
    ) as sent
    group by row_key, rate_place`,
  );
}

const SMS = [
  column('row_key', 'text'),
  column('sms_count', 'integer'),
  column('priced_count', 'integer'),
  column('cost', 'integer'),
];
export type SmsRow = ObjectOf<typeof SMS>;

/** What SMS of the range cost, as `cost` of sms_channel_statistics. */
export function smsParts(range: Range, cut: SpentCut) {
  return query(
    SMS,
    sql`
    select row_key, count(*) as sms_count, count(spent) as priced_count, cast(coalesce(sum(spent), 0) as bigint) as cost
    from (
      select ${keyBy(cut, sql`sent_date`, sql`${parameter.text(smsChannel.lastClickChannel)}`)} as row_key, ${tenThousandths(sql`cost`)} as spent
      from ${sends} where ${sentIn(smsChannel, range)}
    ) as sent
    group by row_key`,
  );
}

const LOADED = [
  column('emails_count', 'integer'),
  column('priced_sms_count', 'integer'),
  column('sms_count', 'integer'),
  column('first_cost_date', 'text'),
  column('last_cost_date', 'text'),
];
export type LoadedRow = ObjectOf<typeof LOADED>;

/** What is loaded of messages and advertising costs at all: where nothing is, nobody knows what they cost. */
export function loadedCosts() {
  // ClickHouse has a first date of no dates.
  const dateText = (value: Sql) => sql`case when count(*) > 0 then cast(${value} as varchar) else '' end`;
  return {
    ...query(
      LOADED,
      sql`
      select emails_count, priced_sms_count, sms_count, first_cost_date, last_cost_date
      from (
        select count(*) filter (where channel = 'email') as emails_count, count(*) filter (where channel = 'sms') as sms_count,
          count(cost) filter (where channel = 'sms') as priced_sms_count
        from ${sends}
      ) as messages
      cross join (
        select ${dateText(sql`min(spent_date)`)} as first_cost_date, ${dateText(sql`max(spent_date)`)} as last_cost_date
        from ${adCosts}
      ) as costs`,
    ),
    isAside: true,
  };
}
