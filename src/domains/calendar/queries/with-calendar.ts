import type { z } from 'zod';
import { withAnswer, withQueries } from '../../../answers/answer-in-pieces.ts';
import type { breakdownArgument, rangeArguments } from '../../../answers/arguments.ts';
import { type CalendarEvent, calendarField, EVENT, MOST_EVENTS } from '../../../answers/calendar-event.ts';
import { fieldsNamed, type ObjectOf } from '../../../answers/fields/field.ts';
import { query } from '../../../answers/fields/query.ts';
import type { Answer, BusinessTool } from '../../../answers/tool.ts';
import { calendarEvents } from '../../../model-table/table-names.ts';
import { parameter, sql } from '../../../sql/sql.ts';
import { homeCountry } from '../../../store/personal-data/store-countries.ts';
import { shortText } from '../../../text/business-text.ts';
import { coverWithPeriods, type Periods } from '../../../time/periods.ts';
import { publicHolidays } from '../../../time/public-holidays.ts';
import { readRange } from '../../../time/range.ts';

/** The longest text of an event: an answer lists many, and few words say what happened. */
const MOST_CHARACTERS = 200;

const NOTED = fieldsNamed(EVENT, ['first_date', 'last_date', 'event', 'kind']);
type Noted = ObjectOf<typeof NOTED>;

/** A tool whose answer has periods of a range. */
export type TrendTool = BusinessTool<z.ZodObject<typeof rangeArguments & typeof breakdownArgument>>;

/** The trend, with what happened in its periods beside its answer. */
export function withCalendar(trend: TrendTool): TrendTool {
  return {
    ...trend,
    fields: [...trend.fields, calendarField],
    plan(context) {
      const asked = trend.plan(context);
      const { timezone, facts, args } = context;
      const days = coverWithPeriods(readRange(args, timezone), args.breakdown);
      const isNoted = facts.loaded_tables.includes('calendar_events');
      const queries = { calendar_events: isNoted ? notedIn(days) : null };
      return withQueries(asked, queries, (made, { calendar_events: noted }) => {
        // Every year's month has the same holidays, which explain nothing of it.
        const country =
          args.breakdown === 'month' ? null : homeCountry(facts.timezone, facts.primary_currency);
        return withAnswer(made, (answer) => withEvents(answer, eventsIn(days, noted, country)));
      });
    },
  };
}

function notedIn({ firstDate, lastDate }: Days) {
  return query(
    NOTED,
    sql`
    select first_date, last_date, name as event, kind
    from ${calendarEvents}
    where first_date <= ${parameter.date(lastDate)} and last_date >= ${parameter.date(firstDate)}
    order by first_date, name
    limit ${parameter.integer(MOST_EVENTS + 1)}`,
  );
}

type Days = Pick<Periods, 'firstDate' | 'lastDate'>;

/**
 * The events in some days. Where there are too many, public holidays are left out: people know them from
 * elsewhere.
 */
function eventsIn({ firstDate, lastDate }: Days, noted: readonly Noted[], country: string | null): Events {
  const room = Math.max(0, MOST_EVENTS - noted.length);
  const holidays = country === null ? [] : publicHolidays(country, firstDate, lastDate, room + 1);
  const events = [
    ...noted
      .slice(0, MOST_EVENTS)
      .map((one) => ({ ...one, event: shortText(one.event, MOST_CHARACTERS), country: null })),
    ...holidays.slice(0, room).map(({ name, ...days }) => ({
      ...days,
      event: name,
      kind: 'holiday' as const,
      country,
    })),
  ];
  return {
    // Sorting keeps the order of what begins on one day.
    events: events.sort((one, other) => compareTexts(one.first_date, other.first_date)),
    isCut: noted.length > MOST_EVENTS || holidays.length > room,
  };
}

interface Events {
  readonly events: readonly CalendarEvent[];
  readonly isCut: boolean;
}

function compareTexts(one: string, other: string): number {
  return Number(one > other) - Number(one < other);
}

function withEvents(answer: Answer, { events, isCut }: Events): Answer {
  if (events.length === 0) return answer;
  return { ...answer, calendar_events: events, notes: [...(answer.notes ?? []), ...(isCut ? [CUT] : [])] };
}

const CUT = `calendar_events are cut to ${MOST_EVENTS}, notes of the merchant first; a shorter range has all of its own.`;
