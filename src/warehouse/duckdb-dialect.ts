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
 * The one place where a table that a tool names becomes one of a business: of the schema that is one snapshot's file, which has the
 * rows of one business alone.
 *
 * @param schema the attached snapshot
 */
export function duckDbDialect(schema: string): Dialect {
  return {
    table: (table) => `${schema}.${table.name}`,
    placeholder: (name: string, { type }: Parameter) => {
      const value = `cast($${name} as ${TYPE[type]})`;
      return type === 'texts' ? `select unnest(${value})` : value;
    },
  };
}
