import { render } from '../../src/sql/render.ts';
import type { Row } from '../../src/sql/row.ts';
import type { Sql } from '../../src/sql/sql.ts';
import { duckDbDialect } from '../../src/warehouse/duckdb-dialect.ts';
import type { Warehouse } from '../../src/warehouse/warehouse.ts';

/**
 * The kinds of answers that an instance has seen. Of a kind are answers to the same SQL text that all have rows, or none, and
 * no value at all in the same columns. Engines differ by what they make of a text, and of nothing: of an empty sum, a
 * division by zero, a join without a partner. Which numbers it is about matters less.
 */
export class KindsOfAnswers {
  readonly #seen = new Set<string>();

  /** Queries of this one are noted. */
  watching(warehouse: Warehouse): { readonly warehouse: Warehouse; hasNew(): boolean } {
    let hasNew = false;
    return {
      warehouse: {
        query: async (snapshot, queries, ...rest) => {
          const results = await warehouse.query(snapshot, queries, ...rest);
          for (const [index, query] of queries.entries()) {
            const kind = kindOf(query, results[index] ?? []);
            hasNew ||= !this.#seen.has(kind);
            this.#seen.add(kind);
          }
          return results;
        },
        close: () => warehouse.close(),
      },
      hasNew: () => hasNew,
    };
  }
}

function kindOf(query: Sql, rows: readonly Row[]): string {
  const columns = Object.keys(rows[0] ?? {});
  const without = columns.filter((name) => rows.every((row) => row[name] === null));
  return JSON.stringify([render(query, duckDbDialect('model')).text, columns, without]);
}
