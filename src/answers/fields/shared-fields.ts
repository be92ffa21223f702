import { column, field } from './field.ts';

/** Fields that the answers of many tools share, and columns that many queries do. */

export const businessIdField = field({
  key: 'business_id',
  type: 'text',
  definition: 'The store asked about.',
});

const dataUntil = field({
  key: 'data_until',
  type: 'moment',
  null: 'nothing loaded',
  definition: 'Data are loaded up to here; judge no period after it.',
});

/** What every answer of an analytics tool beyond the contract's begins with. */
export const coverage = [businessIdField, dataUntil];

const period = field({ key: 'period', type: 'text', definition: '2026-10-05, 2026-W41 or 2026-10.' });
const periodStart = field({
  key: 'period_start',
  type: 'date',
  definition: 'First local day of the period.',
});

export const periodFields = [period, periodStart];

/** Of a row that may be one of a weekday, an hour or both. */
export const timeOfDay = [
  field({
    key: 'weekday',
    type: 'integer',
    unit: 'weekday',
    null: 'other rows',
    definition: '1: Monday, 7: Sunday.',
  }),
  field({
    key: 'hour',
    type: 'integer',
    unit: 'hour',
    null: 'other rows',
    definition: '0-23, business time.',
  }),
];

/** Beside the metrics of a query by period. */
export const periodStartColumn = column('period_start', 'date');

/** Beside the list of every listing tool beyond the contract's. */
export const totalCount = field({
  key: 'total_count',
  type: 'integer',
  unit: 'rows',
  definition: 'Rows that match, before limit and offset.',
});

/** The echo of an argument. */
export const groupByField = <const Groupings extends readonly string[]>(values: Groupings) =>
  field({ key: 'group_by', type: 'choice', values, definition: 'What a row is, as asked.' });
