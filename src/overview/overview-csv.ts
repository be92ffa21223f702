import type { Overview } from './overview.ts';

/**
 * The page's numbers for a spreadsheet: `part,name,number,value,before`, with days in ISO 8601, points as
 * decimals, and nothing where nothing is known. A name that a spreadsheet would take for a formula has an
 * apostrophe before it.
 */
export function overviewCsv({ asked, days, before, cards, lists }: Overview): string {
  const rows = [
    ['part', 'name', 'number', 'value', 'value before'],
    ['days', '', 'from', days.from_date, before?.from_date ?? ''],
    ['days', '', 'to', days.to_date, before?.to_date ?? ''],
    ...asked.filters.map(({ dimension, value }) => ['only', '', dimension, value, '']),
    ...cards.map(({ name, unit, value, before, isUnfiltered }) => [
      'store',
      '',
      isUnfiltered ? `${name} (not known of a part of the store)` : named(name, unit),
      cell(value),
      cell(before),
    ]),
    ...lists.flatMap(({ title, columns, rows }) =>
      rows.flatMap(({ label, values, before }) =>
        columns.map(({ name, unit }, index) => [
          title,
          label,
          named(name, unit),
          cell(values[index] ?? null),
          index === 0 ? cell(before) : '',
        ]),
      ),
    ),
  ];
  return rows.map((row) => `${row.map(quoted).join(',')}\r\n`).join('');
}

function named(name: string, unit: string | undefined): string {
  return unit === 'percent' ? `${name} (percent)` : name;
}

function cell(value: number | null): string {
  return value === null ? '' : String(value);
}

/** Quotes a cell as RFC 4180 does. */
function quoted(text: string): string {
  const isNumber = /^-?\d/.test(text) && !Number.isNaN(Number(text));
  const safe = !isNumber && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
