import { Temporal } from 'temporal-polyfill';
import { shownName } from '../../../answers/existing-names.ts';
import { column, nullableColumn, type ObjectOf } from '../../../answers/fields/field.ts';
import { type Query, query } from '../../../answers/fields/query.ts';
import { worded } from '../../../answers/sentences.ts';
import type { AutomationPause, SnapshotFacts } from '../../../business/snapshot-facts.ts';
import { campaigns, sends } from '../../../model-table/table-names.ts';
import { parameter, sql } from '../../../sql/sql.ts';
import { shortText } from '../../../text/business-text.ts';
import { localDate } from '../../../time/moment.ts';
import type { Range } from '../../../time/range.ts';
import { isBeyondHabit, LEAST_SENT, QUIET_DAYS, usualPauses } from '../definitions/usual-pauses.ts';
import { type CampaignFilters, isByCampaign } from './sent-campaigns.ts';

/** The usual pauses are those of this many days until the last message. */
const USUAL_DAYS = 84;
/** Notes beside numbers tell no more of an automation that sent nothing for longer before a short range. */
const LEAST_LOOKED_AT = 28;
const MOST_NAMED = 5;
const MOST_AUTOMATIONS = 1000;
const LONGEST_NAME = 60;

const COLUMNS = [
  column('campaign_id', 'text'),
  column('name', 'text'),
  column('state', 'text'),
  column('first_date', 'date'),
  column('last_date', 'date'),
  column('end_date', 'date'),
  column('messages_count', 'integer'),
  column('sending_days', 'integer'),
  nullableColumn('usual_pause', 'number'),
  column('sends_again', 'boolean'),
];
export type Habit = ObjectOf<typeof COLUMNS>;

/** Nothing was sent before, and no engine has all days of earlier centuries. */
const FIRST_YEAR = 1971;
/** Ten years. */
const MOST_LOOKED_AT = 3650;

/**
 * What automations that had sent nothing for some days at the end of the range usually sent before: no row of
 * a range tells that something is missing.
 *
 * @param channels of their messages
 * @param lookedAt on how many days before the range the last message may be, at least
 * @returns null where nothing is known of messages of the range, and where no automation had paused at its
 *   end
 */
export function quietAutomations(
  range: Pick<Range, 'firstDate' | 'lastDate'>,
  channels: readonly string[],
  filters: CampaignFilters,
  { messages_until, automation_pauses }: SnapshotFacts,
  timezone: string,
  lookedAt: number = LEAST_LOOKED_AT,
): Query<Habit> | null {
  const { firstDate, lastDate } = range;
  const until = messages_until === null ? null : localDate(messages_until, timezone).toString();
  if (until === null || until < firstDate.toString() || lastDate.year < FIRST_YEAR) return null;
  const days = firstDate.until(lastDate, { largestUnit: 'day' }).days + 1;
  const known = Temporal.PlainDate.from(until);
  const end = Temporal.PlainDate.compare(known, lastDate) < 0 ? known : lastDate;
  const wanted = firstDate.subtract({ days: Math.min(MOST_LOOKED_AT, Math.max(days, lookedAt)) });
  const since = wanted.year < FIRST_YEAR ? wanted.with({ year: FIRST_YEAR }) : wanted;
  const quietSince = end.subtract({ days: QUIET_DAYS });
  if (automation_pauses !== undefined && !automation_pauses.some(isPause(since, quietSince, end)))
    return null;
  const afterEnd = end.add({ days: 1 }).toZonedDateTime(timezone).toInstant().toString().replace('Z', '');
  const day = (date: { toString(): string }) => parameter.date(date.toString());
  const sent = sql`
    select campaign_key, sent_date, count(*) as messages
    from ${sends}
    where sent_date between ${day(since.subtract({ days: USUAL_DAYS }))} and ${day(end)}
      and channel in (${parameter.texts(channels)}) and ${isByCampaign(filters)}
    group by campaign_key, sent_date`;
  const quiet = query(
    COLUMNS,
    sql`
    with by_day as (${sent}),
    usual as (
      select campaign_key, sent_date, messages, first_date, last_date,
        row_number() over (partition by campaign_key order by sent_date) as place
      from by_day
      join (
        select campaign_key, min(sent_date) as first_date, max(sent_date) as last_date
        from by_day group by campaign_key
      ) as spans using (campaign_key)
      where last_date between ${day(since)} and ${day(quietSince)}
        and date_diff('day', sent_date, last_date) < ${parameter.integer(USUAL_DAYS)}
    ),
    pauses as (${usualPauses(sql`usual`)})
    select campaign_id, name, state, first_date, last_date, ${day(end)} as end_date, sum(messages) as messages_count,
      count(*) as sending_days, max(usual_pause) as usual_pause,
      cast(max(case when last_sent_at >= ${parameter.timestamp(afterEnd)} then 1 else 0 end) = 1 as boolean) as sends_again
    from usual
    join (select campaign_key, name, state, last_sent_at, campaign_id from ${campaigns} where is_automation) as named using (campaign_key)
    left join pauses using (campaign_key)
    group by campaign_id, name, state, first_date, last_date
    order by sum(messages) desc, campaign_id
    limit ${parameter.integer(MOST_AUTOMATIONS)}`,
  );
  return { ...quiet, isAside: true };
}

/** Whether a pause began in these days, and lasts longer than the range. */
function isPause(since: Temporal.PlainDate, until: Temporal.PlainDate, end: Temporal.PlainDate) {
  return ({ last_day, next_day }: AutomationPause) =>
    last_day >= since.toString() &&
    last_day <= until.toString() &&
    (next_day === null || next_day > end.toString());
}

/** What is not known without `is_silent`. */
const EITHER =
  'Either nobody was to be written to, or they stopped: is_silent of incremental_campaign_statistics tells what is known of that.';

/**
 * @param silent the campaigns of which `is_silent` of the answer is true; null where the answer does not tell
 *   it
 */
export function quietAutomationNotes(
  rows: readonly Habit[],
  silent: readonly string[] | null = null,
): string[] {
  const quiet = rows.filter(
    (row) => hasFallenSilent(row) && (silent === null || silent.includes(row.campaign_id)),
  );
  if (quiet.length === 0) return [];
  const named = quiet.slice(0, MOST_NAMED).map((row) => {
    const perWeek = Math.max(1, Math.round(7 * messagesADay(row)));
    return `${shownName(shortText(row.name, LONGEST_NAME))} (since ${row.last_date}, usually ${perWeek} a week)`;
  });
  const more = quiet.length - named.length;
  const note = `Automations that sent nothing for long until the end of the range: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}. ${silent === null ? EITHER : 'By is_silent they are probably broken.'}`;
  return [
    worded(note, 'note.quiet-automations', {
      automations: {
        each: quiet.slice(0, MOST_NAMED).map((row) => ({
          sentence: {
            key: 'note.quiet-automation',
            values: {
              name: { name: shortText(row.name, LONGEST_NAME) },
              day: { day: row.last_date },
              count: Math.max(1, Math.round(7 * messagesADay(row))),
            },
          },
        })),
        more,
      },
    }),
  ];
}

/** How many it usually sends, by the days until the last message. */
export function messagesADay({ first_date, last_date, messages_count }: Habit): number {
  return messages_count / Math.min(USUAL_DAYS, daysFrom(first_date, last_date) + 1);
}

/** The number of days for which it has sent nothing. */
export function quietDaysOf({ last_date, end_date }: Habit): number {
  return daysFrom(last_date, end_date);
}

/** Says whether it pauses for longer than usual; one that seldom sends anything does not matter. */
export function hasFallenSilent(row: Habit): boolean {
  return row.messages_count >= LEAST_SENT && isBeyondHabit(quietDaysOf(row), row) === true;
}

function daysFrom(first: string, last: string): number {
  return Temporal.PlainDate.from(first).until(last, { largestUnit: 'day' }).days;
}
