/**
 * The kinds of columns that model tables have, on both engines.
 *
 * ClickHouse: only what is never empty is not nullable. Rows of one snapshot of one business lie together,
 * then in the order of their table, which for most is by time: moments and keys grow slowly along it, so that
 * their differences compress well.
 */
export interface ColumnKind {
  readonly duckdb: string;
  readonly clickhouse: string;
  /** Whether it is a number. Its sum says whether it arrived whole. */
  readonly isNumber: boolean;
}

const number = (duckdb: string, clickhouse: string): ColumnKind => ({ duckdb, clickhouse, isNumber: true });
const other = (duckdb: string, clickhouse: string): ColumnKind => ({ duckdb, clickhouse, isNumber: false });

export const key = number('integer', 'Int32 codec(Delta, ZSTD)');
export const integer = number('integer', 'Nullable(Int32) codec(ZSTD)');
/** A whole number that may be beyond two thousand millions. */
export const largeInteger = number('bigint', 'Nullable(Int64) codec(ZSTD)');
export const seconds = other('bigint', 'Nullable(Int64) codec(ZSTD)');
export const money = number('decimal(18,4)', 'Nullable(Decimal(18, 4)) codec(ZSTD)');
export const quantity = number('decimal(14,4)', 'Nullable(Decimal(14, 4)) codec(ZSTD)');
export const percent = number('decimal(7,4)', 'Nullable(Decimal(7, 4)) codec(ZSTD)');
export const moment = other('timestamp', "DateTime64(6, 'UTC') codec(Delta, ZSTD)");
export const optionalMoment = other('timestamp', "Nullable(DateTime64(6, 'UTC')) codec(ZSTD)");
export const date = other('date', 'Date32 codec(Delta, ZSTD)');
export const optionalDate = other('date', 'Nullable(Date32) codec(ZSTD)');
export const flag = other('boolean', 'Nullable(Bool)');
export const text = other('varchar', 'Nullable(String) codec(ZSTD)');
/** A text of which there are few. */
export const name = other('varchar', 'LowCardinality(Nullable(String)) codec(ZSTD)');
interface Choice extends ColumnKind {
  readonly texts: readonly string[];
}
/**
 * One of the texts: where there are many rows, DuckDB sorts and writes their numbers four times faster. It
 * orders them as texts.
 */
export function choice(...values: readonly string[]): Choice {
  const texts = values.toSorted();
  return { ...name, duckdb: `enum('${texts.join("', '")}')`, texts };
}
/** SQL: the text at a place, the first at 1. That is three times as quick as a cast of the text. */
export const chosen = ({ texts, duckdb }: Choice, place: string) =>
  `cast(['${texts.join("', '")}'] as ${duckdb}[])[${place}]`;
/** A weekday, counted from Monday. */
export const weekday = choice('1', '2', '3', '4', '5', '6', '7');
export const hour = choice(...Array.from({ length: 24 }, (_, hour) => `${hour}`.padStart(2, '0')));
export const texts = other('varchar[]', 'Array(String) codec(ZSTD)');
export const optionalTexts = other('varchar[]', 'Array(Nullable(String)) codec(ZSTD)');
export const integers = other('integer[]', 'Array(Int32) codec(ZSTD)');
export const amounts = other('decimal(18,4)[]', 'Array(Decimal(18, 4)) codec(ZSTD)');
