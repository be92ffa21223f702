import { date, name, text } from '../../../model-table/column-kinds.ts';
import { modelTable, relation } from '../../../model-table/model-table.ts';
import { stored } from '../../../model-table/stored-tables.ts';

export const calendarEvents = modelTable({
  name: 'calendar_events',
  scope: 'whole',
  meaning: `What the merchant noted of local days, both included; without \`last_date\` of one day. Public holidays are not here: they are computed when an answer is about their days.`,
  columns: { first_date: date, last_date: date, name: text, kind: name },
  order: ['first_date'],
  rows: relation`
select first_date, coalesce(last_date, first_date) as last_date, name, kind
from ${stored.calendarEvents}
order by first_date, name`,
});
