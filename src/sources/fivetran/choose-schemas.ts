import { columnName } from '../column-name.ts';
import type { SourceOfTables } from '../source.ts';
import { namesOfTables, refuseHistory, tableCalled } from './table-names.ts';

/** A table of a warehouse, and the names of its columns. */
export interface WarehouseTable {
  readonly schema: string;
  readonly name: string;
  readonly columns: readonly string[];
}

/** A table that a source reads. */
export interface FoundTable extends WarehouseTable {
  readonly source: SourceOfTables;
  /** The table as the source calls it. */
  readonly table: string;
}

/** Says whether a name may be that of a table that a source reads. */
export function mayBeRead(name: string, sources: readonly SourceOfTables[]): boolean {
  return sources.some((source) => namesOfTables(source).includes(name.toLowerCase()));
}

/**
 * The tables of a warehouse that sources read, by their whole names, which are Fivetran's own, and by their
 * columns. They are in the order of the sources.
 */
export function tablesOfFivetran(
  tables: readonly WarehouseTable[],
  sources: readonly SourceOfTables[],
): FoundTable[] {
  const found = tables.flatMap((table) => {
    const read = tableCalled(table.name.toLowerCase(), table.columns.map(columnName), sources);
    return read === null ? [] : [{ ...table, ...read }];
  });
  return found.toSorted((one, other) => sources.indexOf(one.source) - sources.indexOf(other.source));
}

/** A system that several schemas have tables of, and nobody said which are meant. */
export interface UndecidedSchema {
  readonly source: SourceOfTables;
  readonly schemas: readonly string[];
}

/**
 * The tables of the schemas that are meant: of a system with one schema that one, of one with several those
 * that were said.
 *
 * @param saidOf what was said for a source: names of schemas, parted by commas. Other systems' schemas may
 *   stand there, too; where it names none that the warehouse has, it was said of another warehouse
 * @throws ImportError when a table's rows are those of every change
 */
export function chooseSchemas(
  found: readonly FoundTable[],
  saidOf: (source: SourceOfTables) => string | undefined,
): { readonly chosen: readonly FoundTable[]; readonly undecided: readonly UndecidedSchema[] } {
  const chosen: FoundTable[] = [];
  const undecided: UndecidedSchema[] = [];
  const all = new Set(found.map(({ schema }) => schema.toLowerCase()));
  for (const [source, tables] of Map.groupBy(found, (table) => table.source)) {
    const schemas = [...new Set(tables.map(({ schema }) => schema))];
    const said = saidOf(source)
      ?.split(',')
      .map((name) => name.trim().toLowerCase());
    const isForeign = said !== undefined && !said.some((name) => all.has(name));
    const meant = schemas.filter(
      (schema) => schemas.length === 1 || said?.includes(schema.toLowerCase()) === true,
    );
    if (isForeign || meant.length === 0) undecided.push({ source, schemas });
    else chosen.push(...tables.filter(({ schema }) => meant.includes(schema)));
  }
  for (const { schema, name, columns } of chosen)
    refuseHistory(`${schema}.${name}`, name.toLowerCase(), columns.map(columnName));
  return { chosen, undecided };
}

/** The columns of a table whose cells are read, or by which it is told which table it is, in lower case. */
export function columnsRead({ source, table }: Pick<FoundTable, 'source' | 'table'>): ReadonlySet<string> {
  const { columns = {}, signature = [] } = source.tables[table] ?? {};
  return new Set([...Object.values(columns).flatMap(({ header }) => header), ...signature.flat()]);
}
