import type { CanonicalTable } from '../canonical-table.ts';
import * as column from '../column-kinds.ts';

export const fxRates: CanonicalTable = {
  name: 'fx_rates',
  meaning: `What one unit of \`currency\` cost in \`to_currency\` on a day: of EUR in a store of CZK for example 24.354. Where
\`to_currency\` is empty, it is the currency of the business. Money of another currency counts by the rate of its local day, else of the nearest earlier
day; an order that has an \`fx_rate\` of its own counts by that. Rates of one day are also turned around and combined: of EUR in CZK and
of EUR in USD follows that of USD in CZK.`,
  key: ['date', 'currency', 'to_currency'],
  refusesContradictions: 'two rates of one day differ',
  columns: {
    date: column.date({ required: true }),
    currency: column.currency({ required: true }),
    rate: column.dayRate({ required: true }),
    to_currency: column.currency({ fallback: `cast(getvariable('business_currency') as varchar)` }),
  },
  rules: [
    {
      column: 'to_currency',
      condition: 'to_currency is not null',
      expected:
        'is required, since the business has no currency: say it there, or set one with `business update --currency`',
    },
    {
      column: 'rate',
      condition: 'currency is distinct from to_currency or rate = 1',
      expected: 'must be 1 of a currency in itself',
    },
  ],
};
