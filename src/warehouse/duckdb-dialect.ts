import type { Dialect } from '../sql/render.ts';
import type { Parameter, ParameterType } from '../sql/sql.ts';

const TYPE = {
  text: 'varchar',
  integer: 'bigint',
  number: 'double',
  boolean: 'boolean',
  date: 'date',
  timestamp: 'timestamp',
} satisfies Record<ParameterType, string>;

/** @param schema the attached snapshot */
export function duckDbDialect(schema: string): Dialect {
  return {
    table: (table) => `${schema}.${table.name}`,
    placeholder: (name: string, parameter: Parameter) => `cast($${name} as ${TYPE[parameter.type]})`,
  };
}
