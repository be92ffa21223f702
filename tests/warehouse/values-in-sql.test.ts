import fc from 'fast-check';
import { expect, it } from 'vitest';
import { render } from '../../src/sql/render.ts';
import { Parameter, parameter, type Slot, sql } from '../../src/sql/sql.ts';
import { duckDbDialect } from '../../src/warehouse/duckdb-dialect.ts';

/** DuckDB's SQL of one value. */
const written = (value: Slot) => render(sql`${value}`, duckDbDialect('main'));

it.each([
  [parameter.integer(-7), 'cast(-7 as bigint)'],
  [parameter.boolean(true), 'cast(true as boolean)'],
  [parameter.date('2024-02-29'), "cast('2024-02-29' as date)"],
  [parameter.timestamp('2024-02-29T23:59:59.5Z'), "cast('2024-02-29T23:59:59.5' as timestamp)"],
])('writes a value of digits as it is: %o', (value, text) => {
  expect(written(value)).toEqual({ text, parameters: {} });
});

it('binds every other value, whatever its type says', () => {
  const types = fc.constantFrom('text', 'texts', 'integer', 'number', 'boolean', 'date', 'timestamp');
  const strange = fc.oneof(
    fc.string(),
    fc.constantFrom("2024-02-29' or true --", '2024-02-29\n', '1', '2024-02-29T00:00:00Z', "'"),
    fc.constantFrom(1e19, 0.5, Number.NaN, Number.POSITIVE_INFINITY),
    fc.array(fc.string()),
  );
  fc.assert(
    fc.property(types, strange, (type, value) => {
      const bound = new Parameter(type, value);
      const { text, parameters } = written(bound);
      expect(text).toMatch(/^(select unnest\()?cast\(\$p1 as [a-z]+(\[\])?\)\)?$/);
      expect(parameters).toEqual({ p1: bound });
    }),
    { seed: 1 },
  );
});
