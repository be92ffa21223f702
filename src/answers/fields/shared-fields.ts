import { column, field } from './field.ts';
import { choice, count, date, text } from './kinds-of-fields.ts';

/** Fields that the answers of many tools share, and columns that many queries do. */

export const businessIdField = text('business_id', 'The store asked about.');

const dataUntil = field({
  key: 'data_until',
  type: 'moment',
  null: 'nothing loaded',
  definition: 'Data are loaded up to here; judge no period after it.',
});

/** The first fields in every answer of an analytics tool beyond the contract's. */
export const coverage = [businessIdField, dataUntil];

const period = text('period', '2026-10-05, 2026-W41 or 2026-10.');
const periodStart = date('period_start', 'First local day of the period.');

export const periodFields = [period, periodStart];

/** The fields of a row that may be one of a weekday, of an hour, or of both. */
export const timeOfDay = [
  count('weekday', 'weekday', '1: Monday, 7: Sunday.', 'other rows'),
  count('hour', 'hour', '0-23, business time.', 'other rows'),
];

/** The column that stands beside the metrics of a query by period. */
export const periodStartColumn = column('period_start', 'date');

/** The number that stands beside the list of every listing tool beyond those of the contract. */
export const totalCount = count('rows', 'total_count', 'Rows that match, before limit and offset.');

/** The echo of an argument. */
export const groupByField = <const Groupings extends readonly string[]>(values: Groupings) =>
  choice('group_by', values, 'What a row is, as asked.');
