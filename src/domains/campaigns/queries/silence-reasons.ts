import { column, field, nullableColumn, type ObjectOf } from '../../../answers/fields/field.ts';
import { query } from '../../../answers/fields/query.ts';
import { isSmall } from '../../../answers/small-groups.ts';
import { calendarEvents, campaigns, sends } from '../../../model-table/table-names.ts';
import { parameter, sql } from '../../../sql/sql.ts';
import { roundedRatio } from '../../../statistics/rounded.ts';
import { shortText } from '../../../text/business-text.ts';
import { localDate } from '../../../time/moment.ts';
import type { Range } from '../../../time/range.ts';

/** The usual sends of an automation are counted over this many days until its last message. */
const USUAL_DAYS = 28;

export const silenceFields = [
  field({
    key: 'usual_messages_per_week',
    type: 'number',
    unit: 'messages',
    null: 'not silent, or nothing sent',
    definition: `Sent in the ${USUAL_DAYS} days until last_sent_at / ${USUAL_DAYS / 7} weeks.`,
  }),
  field({
    key: 'missed_triggers_count',
    type: 'integer',
    unit: 'profiles',
    null: 'not silent, not told by the data, or 1 to 4',
    definition:
      'How often what triggers it (carts left, orders …, else entries) has happened since, to people with consent.',
  }),
  field({
    key: 'changed_then',
    type: 'text',
    null: 'not silent, or nothing known',
    definition:
      'What changed on the day of last_sent_at or the next: set-up (trigger, template), first message of a template, new sending domain, notes of the merchant. Business data.',
  }),
];

const REASON = [
  column('campaign_id', 'text'),
  column('last_date', 'date'),
  column('usual_messages', 'integer'),
  nullableColumn('updated_at', 'moment'),
  column('is_new_template', 'boolean'),
  nullableColumn('new_domain', 'text'),
  nullableColumn('noted', 'text'),
];
export type SilenceReason = ObjectOf<typeof REASON>;

/** The day on which each automation sent last. Those that never sent have no row. */
export function silenceReasons(ids: readonly string[], { end }: Range) {
  const until = sql`sent_at < ${parameter.timestamp(end)}`;
  const isThen = (day: ReturnType<typeof sql>) => sql`date_diff('day', last_date, ${day}) between 0 and 1`;
  return query(
    REASON,
    sql`
    with asked as (
      select campaign_key, campaign_id, updated_at from ${campaigns} where campaign_id in (${parameter.texts(ids)})
    ),
    own as (
      select campaign_key, sent_date, message_key
      from ${sends} where ${until} and campaign_key in (select campaign_key from asked)
    ),
    lasts as (
      select campaign_key, max(sent_date) as last_date, min(sent_date) as first_date from own group by campaign_key
    ),
    usual as (
      select campaign_key, count(*) as usual_messages
      from own join lasts using (campaign_key)
      where date_diff('day', sent_date, last_date) < ${parameter.integer(USUAL_DAYS)}
      group by campaign_key
    ),
    templates as (
      select campaign_key, max(1) as is_new
      from (
        select campaign_key, message_key, min(sent_date) as begun_date from own group by campaign_key, message_key
      ) as begun
      join lasts using (campaign_key)
      where begun_date = last_date and first_date < last_date
      group by campaign_key
    ),
    domains as (
      select campaign_key, min(domain) as new_domain
      from (
        select sending_domain as domain, min(sent_date) as begun_date
        from ${sends} where ${until} and sending_domain is not null group by sending_domain
      ) as begun
      cross join lasts
      where ${isThen(sql`begun_date`)}
        and begun_date > (select min(sent_date) from ${sends} where sending_domain is not null)
      group by campaign_key
    ),
    notes as (
      select campaign_key, min(name) as noted
      from (select name, first_date as noted_date from ${calendarEvents}) as events cross join lasts
      where ${isThen(sql`noted_date`)}
      group by campaign_key
    )
    select campaign_id, last_date, usual_messages, updated_at, cast(coalesce(is_new, 0) = 1 as boolean) as is_new_template,
      new_domain, noted
    from asked
    join lasts using (campaign_key)
    join usual using (campaign_key)
    left join templates using (campaign_key)
    left join domains using (campaign_key)
    left join notes using (campaign_key)`,
  );
}

const NOT_SILENT = { usual_messages_per_week: null, missed_triggers_count: null, changed_then: null };

/** @param missed how often its trigger has happened since; null if the data do not say */
export function silenceOf(
  isSilent: boolean,
  missed: number | null,
  reason: SilenceReason | undefined,
  timezone: string,
) {
  if (!isSilent) return NOT_SILENT;
  return {
    usual_messages_per_week:
      reason === undefined ? null : roundedRatio(reason.usual_messages * 7, USUAL_DAYS),
    missed_triggers_count: missed === null || isSmall(missed) ? null : missed,
    changed_then: reason === undefined ? null : changesIn(reason, timezone),
  };
}

function changesIn(reason: SilenceReason, timezone: string): string | null {
  const { last_date, updated_at, is_new_template, new_domain, noted } = reason;
  const next = localDate(`${last_date}T12:00:00Z`, 'UTC').add({ days: 1 }).toString();
  const updated = updated_at === null ? null : localDate(updated_at, timezone).toString();
  const changes = [
    ...(updated === last_date || updated === next ? [`set-up changed at ${updated_at}`] : []),
    ...(is_new_template ? ['first message of a template'] : []),
    ...(new_domain === null ? [] : [`new sending domain ${new_domain}`]),
    ...(noted === null ? [] : [`noted: ${shortText(noted, 200)}`]),
  ];
  return changes.length === 0 ? null : changes.join('; ');
}
