import type { Store } from '../oracle/store.ts';

type Rows = Partial<Store>;

/**
 * Cells that name a person, a visit or an order. What else stands in a store, as products and sources, its
 * cases have in common.
 */
const OWN_CELLS = new Set([
  ...['order_id', 'refund_id', 'event_id', 'session_id', 'visitor_id', 'profile_id', 'external_customer_id'],
  ...['email', 'reference', 'value'],
]);

/**
 * Cases that a test writes in 2024 and that are imported as one store, since a store costs the same with one
 * order as with many. Each has a year of its own before, with people, visits and orders of its own.
 */
export class SideBySide {
  readonly #rows: Record<string, Record<string, string>[]> = {};
  #last = 2024;

  /** Only while tests are collected: before `rows` is asked for. */
  add(rows: Rows): CaseYear {
    this.#last -= 1;
    const year = new CaseYear(this.#last);
    for (const [table, added] of Object.entries(rows)) {
      if (!Array.isArray(added)) throw new Error(`${table} is not of one case alone`);
      this.#rows[table] = [...(this.#rows[table] ?? []), ...added.map((row) => year.rowOf(row))];
    }
    return year;
  }

  get rows(): Rows {
    return this.#rows as Rows;
  }
}

export class CaseYear {
  readonly #year: number;

  constructor(year: number) {
    this.#year = year;
  }

  rowOf(row: object): Record<string, string> {
    return Object.fromEntries(
      Object.entries(row).map(([column, cell]: [string, string]) => [
        column,
        OWN_CELLS.has(column) && cell !== '' ? `${this.#year}-${cell}` : this.#moved(cell),
      ]),
    );
  }

  /** Arguments whose dates lie in 2024. */
  argumentsOf<A extends object>(args: A): A {
    const moved = Object.entries(args).map(([name, value]) => [
      name,
      typeof value === 'string' ? this.#moved(value) : value,
    ]);
    return Object.fromEntries(moved) as A;
  }

  #moved(text: string): string {
    return text.replace(/^2024(?=-\d\d-\d\d)/, String(this.#year));
  }
}
