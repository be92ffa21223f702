import { CALENDAR_KINDS } from '../../business/calendar-kinds.ts';
import type { CanonicalTable } from '../canonical-table.ts';
import * as column from '../column-kinds.ts';

export const calendarEvents: CanonicalTable = {
  name: 'calendar_events',
  meaning: 'What you know of a day or some days. Without `last_date` it is one day.',
  key: ['first_date', 'name'],
  columns: {
    first_date: column.date({ required: true }),
    last_date: column.date(),
    name: column.name({ required: true }),
    kind: column.oneOf(CALENDAR_KINDS, { fallback: 'other' }),
  },
  rules: [
    {
      column: 'last_date',
      condition: 'last_date is null or last_date >= first_date',
      expected: 'must not be before first_date',
    },
  ],
};
