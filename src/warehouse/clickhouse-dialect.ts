import type { Dialect } from '../sql/render.ts';
import type { Parameter, ParameterType } from '../sql/sql.ts';

const TYPE = {
  text: 'String',
  texts: 'Array(String)',
  integer: 'Int64',
  number: 'Float64',
  boolean: 'Bool',
  date: 'Date32',
  timestamp: "DateTime64(6, 'UTC')",
} satisfies Record<ParameterType, string>;

/**
 * The one place where `business_id` and `snapshot_id` come into a query: every table that a tool names is
 * what one business has in one snapshot.
 *
 * @param database of the tables
 */
export function clickHouseDialect(database: string): Dialect {
  return {
    table: (table) =>
      `(select * from ${database}.${table.name} where business_id = {business_id: UUID} and snapshot_id = {snapshot_id: String})`,
    value: ({ type }: Parameter, bind) => {
      const value = `{${bind()}: ${TYPE[type]}}`;
      return type === 'texts' ? `select arrayJoin(${value})` : value;
    },
  };
}

/** The settings with which ClickHouse understands the SQL that DuckDB does, and answers JSON with numbers. */
export const SHARED_SQL_SETTINGS = {
  cast_keep_nullable: 1,
  join_use_nulls: 1,
  joined_subquery_requires_alias: 0,
  prefer_column_name_to_alias: 1,
  output_format_json_quote_64bit_integers: 0,
} as const;
