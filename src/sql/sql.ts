/**
 * SQL as values. A text is written with the `sql` tag; a slot takes another `Sql`, a typed parameter or a
 * table, and nothing else: input can become a parameter, of which a dialect makes SQL text where it has
 * digits alone.
 */

/** The types a parameter can have on the wire; each engine's dialect knows its own name for them. */
export type ParameterType = 'text' | 'texts' | 'integer' | 'number' | 'boolean' | 'date' | 'timestamp';

export type ParameterValue = string | number | boolean | readonly string[];

export class Parameter {
  readonly type: ParameterType;
  readonly value: ParameterValue;

  constructor(type: ParameterType, value: ParameterValue) {
    this.type = type;
    this.value = value;
  }
}

/** A table of the snapshot; only the warehouse knows where it really is. */
export class Table {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

export class Sql {
  readonly texts: readonly string[];
  readonly slots: readonly Slot[];

  constructor(texts: readonly string[], slots: readonly Slot[]) {
    this.texts = texts;
    this.slots = slots;
  }
}

export type Slot = Sql | Parameter | Table;

export function sql(texts: TemplateStringsArray, ...slots: Slot[]): Sql {
  for (const slot of slots) {
    if (!(slot instanceof Sql || slot instanceof Parameter || slot instanceof Table)) {
      throw new TypeError(`a slot of an SQL text takes Sql, a parameter or a table, not ${typeof slot}`);
    }
  }
  return new Sql([...texts], slots);
}

/** Adds the tables that an SQL text reads. */
export function addTables({ slots }: Sql, tables: Set<Table>): void {
  for (const slot of slots) {
    if (slot instanceof Table) tables.add(slot);
    if (slot instanceof Sql) addTables(slot, tables);
  }
}

/** Fragments one after another. `join([])` is the empty text. */
export function join(fragments: readonly Slot[], separator: Sql = sql`, `): Sql {
  const slots = fragments.flatMap((fragment, index) => (index === 0 ? [fragment] : [separator, fragment]));
  return new Sql(new Array<string>(slots.length + 1).fill(''), slots);
}

/** All of the conditions; true when there are none. */
export function all(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? sql`true` : join(conditions, sql` and `);
}

/** A column or CTE name out of the program's own declarations. Never pass input. */
export function identifier(name: string): Sql {
  if (!/^[a-z][a-z0-9_]*$/.test(name)) throw new TypeError(`not a plain SQL name: ${JSON.stringify(name)}`);
  return new Sql([name], []);
}

export const parameter = {
  text: (value: string) => new Parameter('text', value),
  integer: (value: number) => new Parameter('integer', value),
  number: (value: number) => new Parameter('number', value),
  boolean: (value: boolean) => new Parameter('boolean', value),
  /** A local calendar date, `YYYY-MM-DD`. */
  date: (value: string) => new Parameter('date', value),
  /**
   * A moment in UTC, `YYYY-MM-DDTHH:MM:SS[.ffffff]`. A `Z` behind it is taken off, since ClickHouse does not
   * read it.
   */
  timestamp: (value: string) => new Parameter('timestamp', value.replace(/Z$/, '')),
  /** The elements of an `in (…)` list: one parameter, however many they are. */
  texts: (values: readonly string[]) => new Parameter('texts', values),
};
