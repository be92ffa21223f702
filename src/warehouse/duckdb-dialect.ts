import type { Dialect } from '../sql/render.ts';
import type { Parameter, ParameterType } from '../sql/sql.ts';

const TYPE = {
  text: 'varchar',
  texts: 'varchar[]',
  integer: 'bigint',
  number: 'double',
  boolean: 'boolean',
  date: 'date',
  timestamp: 'timestamp',
} satisfies Record<ParameterType, string>;

/**
 * The one place where a table that a tool names becomes one of a business: of the schema that is one
 * snapshot's file, which has the rows of one business alone.
 *
 * @param schema the attached snapshot
 */
export function duckDbDialect(schema: string): Dialect {
  return {
    table: (table) => `${schema}.${table.name}`,
    value: (parameter: Parameter, bind) => {
      const value = `cast(${literalOf(parameter) ?? `$${bind()}`} as ${TYPE[parameter.type]})`;
      return parameter.type === 'texts' ? `select unnest(${value})` : value;
    },
  };
}

const DATE = /^\d{4}-\d\d-\d\d$/;
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?$/;

/**
 * What has digits alone is written into the text, and no text of anybody is: DuckDB plans a statement without
 * the values of its parameters, and once more with them where one has another type than it is bound with, as
 * dates have.
 *
 * @returns null of all that is bound
 */
function literalOf({ type, value }: Parameter): string | null {
  if (type === 'integer' && Number.isSafeInteger(value)) return String(value);
  if (type === 'boolean' && typeof value === 'boolean') return String(value);
  const form = { date: DATE, timestamp: MOMENT }[String(type)];
  return typeof value === 'string' && form?.test(value) ? `'${value}'` : null;
}
