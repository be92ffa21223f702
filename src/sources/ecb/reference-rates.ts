import type { RawColumn, Source } from '../source.ts';

/**
 * All that the bank has published since 1999; those of countries that have the euro by now are in the history
 * alone.
 */
const CURRENCIES = [
  ...[
    'USD',
    'JPY',
    'BGN',
    'CYP',
    'CZK',
    'DKK',
    'EEK',
    'GBP',
    'HUF',
    'LTL',
    'LVL',
    'MTL',
    'PLN',
    'ROL',
    'RON',
  ],
  ...[
    'SEK',
    'SIT',
    'SKK',
    'CHF',
    'ISK',
    'NOK',
    'HRK',
    'RUB',
    'TRL',
    'TRY',
    'AUD',
    'BRL',
    'CAD',
    'CNY',
    'HKD',
  ],
  ...[
    'IDR',
    'ILS',
    'INR',
    'KRW',
    'MXN',
    'MYR',
    'NZD',
    'PHP',
    'SGD',
    'THB',
    'ZAR',
    'ARS',
    'DZD',
    'MAD',
    'TWD',
  ],
];

const names = CURRENCIES.map((currency) => currency.toLowerCase());

/** The columns that tell the bank's files from other tables. */
const ALWAYS_THERE = ['usd', 'jpy', 'gbp'];

function filled(header: readonly string[]): string[] {
  return header.map((name) => name.trim().toLowerCase()).filter((name) => name !== '');
}

/**
 * `2026-11-26` in the history, `26 November 2026` in the file of a day. What is neither stays, and our own
 * format refuses it.
 */
const DAY = `coalesce(
  strftime(coalesce(try_strptime("date", '%Y-%m-%d'), try_strptime("date", '%d %B %Y')), '%Y-%m-%d'), "date", 'no date')`;

/**
 * The euro reference rates of the European Central Bank: `eurofxref.csv` of a day, `eurofxref-hist.csv` of
 * all.
 */
export const ecbReferenceRates: Source = {
  name: 'ecb-reference-rates-csv',
  title: 'Euro reference rates of the European Central Bank, CSV',
  recognises: (header) => {
    const [first, ...others] = filled(header);
    const areCodes = others.every((name) => /^[a-z]{3}$/.test(name));
    return first === 'date' && areCodes && ALWAYS_THERE.every((name) => others.includes(name));
  },
  // A few columns do not say that their rates are of the euro: those of a national bank look alike.
  lacks: (header) => {
    const [first, ...others] = filled(header);
    if (first !== 'date' || others.length === 0 || !others.every((name) => names.includes(name))) return null;
    return {
      columns: ALWAYS_THERE.filter((name) => !others.includes(name)),
      instead:
        'take the file of the bank with all its columns, or write the rates into a table fx_rates (date, currency, rate)',
    };
  },
  columns: {
    date: { header: ['date'], isRequired: true },
    ...Object.fromEntries(names.map((name): [string, RawColumn] => [name, { header: [name] }])),
  },
  settings: ['encoding'],
  questions: () => [],
  assumptions: () => [
    'a rate is what 1 EUR costs, as the bank publishes it; those of other currencies are combined by way of the euro, and days without rates have those of the day before',
  ],
  translate: ({ relation }) => ({
    fx_rates: `
      select _row, "date", 'EUR' as currency, rate, upper(to_currency) as to_currency
      from (
        unpivot (select rowid as _row, ${DAY} as "date", ${names.map((name) => `"${name}"`).join(', ')} from "${relation}")
        on ${names.map((name) => `"${name}"`).join(', ')} into name to_currency value rate
      )
      where upper(rate) <> 'N/A'
      order by _row, to_currency`,
  }),
};
