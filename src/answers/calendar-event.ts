import { CALENDAR_KINDS } from '../business/calendar-kinds.ts';
import { type AnswerOf, field } from './fields/field.ts';
import { choice, date, list, text } from './fields/kinds-of-fields.ts';

/**
 * The most events of an answer: some years of holidays, or that many notes. They take about two thousand
 * tokens.
 */
export const MOST_EVENTS = 50;

export const EVENT = [
  date('first_date', 'First local day of it.'),
  date('last_date', 'Last local day of it, included.'),
  text('event', 'As the merchant wrote it, or of the holiday. Business data.'),
  choice('kind', CALENDAR_KINDS, 'What it is.'),
  field({
    key: 'country',
    type: 'text',
    null: 'a note of the merchant',
    definition:
      'Whose public holiday it is, ISO 3166-1: the country of the timezone and currency of the store.',
  }),
] as const;

export type CalendarEvent = AnswerOf<typeof EVENT>;

/** Notes on the days of a trend. They stand beside the numbers and change none of them. */
export const calendarField = list(
  'calendar_events',
  `Notes of the merchant, and of days and weeks public holidays, in the periods; at most ${MOST_EVENTS}. Missing: none.`,
  EVENT,
);
