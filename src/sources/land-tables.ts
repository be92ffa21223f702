import type { Origin } from '../ingest/find-files.ts';
import { ImportError } from '../snapshot/import-errors.ts';
import type { Session } from '../store/duckdb-session.ts';
import { type LandedRows, landRows } from './raw-rows.ts';
import type { SourceInput } from './recognise.ts';
import { relationOf } from './relations.ts';
import type { Settings, SourceOfTables } from './source.ts';
import type { UnreadFiles } from './unread-files.ts';

/**
 * Reads the files of each table of a source.
 *
 * @throws ImportError when a table is missing without which the rows of another mean nothing
 */
export async function landTables(
  session: Session,
  source: SourceOfTables,
  inputs: readonly SourceInput[],
  settings: Settings,
  makesOrders: boolean,
  unread: UnreadFiles,
): Promise<LandedRows> {
  refuseMissingTables(source, inputs);
  const parts: LandedRows[] = [];
  const present = new Set<string>();
  const presentIn: ReadonlySet<string>[] = [];
  let [filesBefore, rowsBefore] = [0, 0];
  for (const [table, { columns }] of Object.entries(source.tables)) {
    const files = inputs.filter((input) => input.table === table);
    const cells = { name: `${relationOf(source, table)}_cells`, title: source.title, columns };
    const rows = await landRows(session, cells, files, settings, makesOrders, unread);
    const names = Object.keys(columns).map((column) => `"${column}"`);
    await session.run(
      `create temp view "${relationOf(source, table)}" as
        select _file + ${filesBefore} as _file, rowid + ${rowsBefore} as rowid, ${names.join(', ')} from "${rows.relation}"`,
    );
    if (files.length > 0) present.add(table);
    for (const column of rows.present) present.add(`${table}.${column}`);
    for (const columns of rows.presentIn)
      presentIn.push(new Set([table, ...[...columns].map((column) => `${table}.${column}`)]));
    parts.push({ ...rows, origins: rows.origins.map((origin) => behind(origin, rowsBefore)) });
    filesBefore += files.length;
    rowsBefore += rows.origins.at(-1)?.endRow ?? 0;
  }
  const [first = ''] = Object.keys(source.tables);
  return {
    relation: relationOf(source, first),
    present,
    settings,
    makesOrders,
    written: parts.flatMap(({ written }) => written),
    origins: parts.flatMap(({ origins }) => origins),
    presentIn,
    read: parts.reduce((sum, { read }) => sum + read, 0),
    notes: parts.flatMap(({ notes }) => notes),
    malformed: parts.reduce((sum, { malformed }) => sum + malformed, 0),
    columnsIgnored: Math.max(...parts.map(({ columnsIgnored }) => columnsIgnored)),
  };
}

function behind({ file, firstRow, endRow }: Origin, rows: number): Origin {
  return { file, firstRow: firstRow + rows, endRow: endRow + rows };
}

function refuseMissingTables(source: SourceOfTables, inputs: readonly SourceInput[]): void {
  for (const { file, table = '' } of inputs) {
    const needed = source.tables[table]?.needs;
    if (needed === undefined || inputs.some((other) => other.table === needed)) continue;
    throw new ImportError(
      `${file.name} (${source.title}, table ${table}) means nothing without the table ${needed}: export that too`,
    );
  }
}

/** What the files lack, for the report: tables, and columns of those that are there. */
export function absencesOf({ tables }: SourceOfTables, present: ReadonlySet<string>): string[] {
  return Object.entries(tables).flatMap(([name, table]) => {
    if (!present.has(name)) return table.absent === undefined ? [] : [`no table "${name}": ${table.absent}`];
    return Object.entries(table.columns).flatMap(([column, { header, absent }]) =>
      absent === undefined || present.has(`${name}.${column}`)
        ? []
        : [`no column "${header[0]}" in the table "${name}": ${absent}`],
    );
  });
}
