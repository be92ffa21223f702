import type { Session, Value } from '../store/duckdb-session.ts';
import type { ColumnKind } from './column-kinds.ts';

/** A table that the SQL of a build may read. Where it stands in a text, its name is written. */
export abstract class BuildTable {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }

  toString(): string {
    return this.name;
  }
}

/** A canonical table: what was imported. */
export class StoredTable extends BuildTable {
  constructor(table: string) {
    super(`store.${table}`);
  }
}

export type Need = BuildTable | readonly BuildTable[];

/** A table that a build makes. */
interface MadeTableDeclaration {
  readonly name: string;
  readonly rows: Relation;
  /**
   * The tables without whose rows this one has none, so that it is not even planned then. Of several
   * together, one of them must have rows. In any case it has none when all that it reads is empty.
   */
  readonly needs?: readonly Need[];
  /** Whether it has rows also when all that it reads is empty, for example a default. */
  readonly hasRowsOfItsOwn?: true;
}

export abstract class MadeTable extends BuildTable {
  readonly rows: Relation;
  readonly needs: readonly Need[];
  readonly hasRowsOfItsOwn: boolean;
  /** DuckDB types by name, in their order. */
  abstract readonly types: Readonly<Record<string, string>>;
  /** Null of a step that is gone when the build ends. */
  abstract readonly scope: Scope | null;

  constructor({ name, rows, needs = [], hasRowsOfItsOwn }: MadeTableDeclaration) {
    super(name);
    this.rows = rows;
    this.needs = needs;
    this.hasRowsOfItsOwn = hasRowsOfItsOwn === true;
  }

  /** What must be there before it can be made. */
  get reads(): readonly BuildTable[] {
    return this.rows.reads;
  }
}

/** A step on the way to model tables, gone when the build ends, unless it is kept for the next one. */
export class WorkTable extends MadeTable {
  readonly types: Readonly<Record<string, string>>;
  readonly scope: Scope | null;

  constructor({ types, keptBy, ...declaration }: WorkTableDeclaration) {
    super(declaration);
    this.types = types;
    this.scope = keptBy === undefined ? null : { person: keptBy };
  }
}

interface WorkTableDeclaration extends MadeTableDeclaration {
  readonly types: Readonly<Record<string, string>>;
  /**
   * The key that says whose its rows are. With one, the table stays in the file for what is made of all
   * persons, where the next import adds to it.
   */
  readonly keptBy?: PersonKey;
}

/** The keys that say whose a row is. */
export type PersonKey = 'customer_key' | 'visitor_key' | 'order_key' | 'send_key';

/**
 * What a row depends on:
 *
 * - `person`: only on canonical rows of one person, on what the few tables without persons say (products,
 *   campaigns, …), and on the values of the business and the store in `business-values.ts`. So the rows of
 *   the persons whom an import touches can be made anew alone.
 * - `whole`: on anything. Such a table is made anew by every import that changes what it reads.
 */
export type Scope = 'whole' | { readonly person: PersonKey };

/**
 * Numbers for what rows name by text. A number that was given stays: what is named for the first time gets
 * the next ones, also where it is older than what was known. So no number tells an order.
 *
 * `rows` are what is named now, each once; it may have more columns than the identity, by which `order`
 * numbers what is new.
 */
export class KeyTable extends MadeTable {
  readonly identity: Readonly<Record<string, string>>;
  readonly key: string;
  readonly order: string;
  readonly scope = null;

  constructor({ identity, key, order, ...declaration }: KeyTableDeclaration) {
    super(declaration);
    this.identity = identity;
    this.key = key;
    this.order = order;
  }

  get types(): Readonly<Record<string, string>> {
    return { ...this.identity, [this.key]: 'integer' };
  }
}

interface KeyTableDeclaration extends MadeTableDeclaration {
  /** DuckDB types by column; these columns are never null. */
  readonly identity: Readonly<Record<string, string>>;
  readonly key: string;
  readonly order: string;
}

/** A table that tools read. DDL, publishing and the description of the model follow from its declaration. */
export class ModelTable extends MadeTable {
  readonly scope: Scope;
  readonly meaning: string;
  readonly columns: Readonly<Record<string, ColumnKind>>;
  readonly order: readonly string[];
  readonly parameters: ModelTableDeclaration['parameters'];

  constructor({ scope, meaning, columns, order, parameters, ...declaration }: ModelTableDeclaration) {
    super(declaration);
    this.scope = scope;
    this.meaning = meaning;
    this.columns = columns;
    this.order = order;
    this.parameters = parameters;
  }

  get types(): Readonly<Record<string, string>> {
    return Object.fromEntries(Object.entries(this.columns).map(([name, { duckdb }]) => [name, duckdb]));
  }
}

interface ModelTableDeclaration extends MadeTableDeclaration {
  readonly scope: Scope;
  /** What a row is, and what its columns mean where their names do not tell; Markdown. */
  readonly meaning: string;
  readonly columns: Readonly<Record<string, ColumnKind>>;
  /** How the rows of a snapshot lie on ClickHouse: most queries read a range of the first column. */
  readonly order: readonly string[];
  /** The parameters that are computed in TypeScript. What they read must be in `rows` too. */
  readonly parameters?: Parameters;
}

/** Asks for the values of the parameters that `rows` names. */
interface Parameters {
  (session: Session): Promise<Readonly<Record<string, string>>>;
  readonly asks: Relation;
  readonly values: ParameterValues;
}

/**
 * The values of parameters from the rows of a relation. The function is one of those that
 * scripts/build-code.ts lists, so that the version of its table knows it.
 */
export type ParameterValues = (rows: readonly Record<string, Value>[]) => Readonly<Record<string, string>>;

export function parametersFrom(asks: Relation, values: ParameterValues): Parameters {
  return Object.assign(async (session: Session) => values(await session.rows(asks.text)), { asks, values });
}

export const workTable = (declaration: WorkTableDeclaration) => new WorkTable(declaration);
export const keyTable = (declaration: KeyTableDeclaration) => new KeyTable(declaration);
export const modelTable = (declaration: ModelTableDeclaration) => new ModelTable(declaration);

/**
 * SQL that makes rows, and the tables that it reads. Nothing of it is input: slots take what the program
 * declares.
 */
export class Relation {
  readonly text: string;
  readonly reads: readonly BuildTable[];

  constructor(text: string, reads: readonly BuildTable[]) {
    this.text = text;
    this.reads = reads;
  }
}

/** Tables that stand in its slots are those that it reads, so that no list of them can be wrong. */
export function relation(
  texts: TemplateStringsArray,
  ...slots: readonly (string | number | BuildTable | Relation)[]
): Relation {
  const reads = slots.flatMap((slot) => {
    if (slot instanceof Relation) return slot.reads;
    return slot instanceof BuildTable ? [slot] : [];
  });
  const text = texts
    .map((part, index) => {
      const slot = slots[index] ?? '';
      return part + (slot instanceof Relation ? slot.text : String(slot));
    })
    .join('');
  return new Relation(text, [...new Set(reads)]);
}

/** All of them, as one relation: `(…) union all (…)` for example. */
export function joined(relations: readonly Relation[], separator: string): Relation {
  return new Relation(relations.map(({ text }) => text).join(separator), [
    ...new Set(relations.flatMap(({ reads }) => reads)),
  ]);
}
