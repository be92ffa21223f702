import { type DuckDBType, DuckDBTypeId } from '@duckdb/node-api';
import { literal, type Session } from '../store/duckdb-session.ts';
import type { SourceFile } from './find-files.ts';

/** The values of a list in a row, in exports that have lists; a row with more counts as several rows. */
const VALUES_OF_A_ROW = 25;

/**
 * Tells how many rows a Parquet file has, and how many bytes its cells are, before they are read: a text
 * stands in it once for all rows that have it, so that little holds very much.
 *
 * @param path of the file, as an SQL literal
 * @param columns that are read of it
 * @returns its rows
 * @throws when that is more than an import may have
 */
export async function measureParquet(
  session: Session,
  file: SourceFile,
  path: string,
  columns: ReadonlySet<string>,
): Promise<number> {
  const { rows, values } = await session.row(`
    select
      (select coalesce(sum(rows), 0) from (
        select row_group_id, max(row_group_num_rows) as rows from parquet_metadata(${path}) group by row_group_id)) as rows,
      (select coalesce(max(entries), 0) from (
        select sum(num_values) as entries from parquet_metadata(${path}) group by path_in_schema)) as values`);
  session.meter.rows(file, Math.max(Number(rows), Math.ceil(Number(values) / VALUES_OF_A_ROW)));
  await measureCells(session, file, `read_parquet(${path}, hive_partitioning = false)`, columns);
  return Number(rows);
}

async function measureCells(
  session: Session,
  file: SourceFile,
  relation: string,
  columns: ReadonlySet<string>,
): Promise<void> {
  const types = await session.columnTypes(`from ${relation} limit 0`);
  const texts = [...types].flatMap(([name, type]) => {
    const bytes = columns.has(name) ? bytesOf(quoted(name), type, 0) : null;
    return bytes === null ? [] : [{ name, bytes }];
  });
  if (texts.length === 0) return;
  const asked = texts.flatMap(({ bytes }, index) => [
    `sum(${bytes}) as sum${index}`,
    `max(${bytes}) as most${index}`,
  ]);
  const found = await session.row(`select ${asked.join(', ')} from ${relation}`);
  let all = 0;
  for (const [index, { name }] of texts.entries()) {
    if (Number(found[`most${index}`] ?? 0) > session.meter.cellBytes)
      throw session.meter.cellTooLong(file.name, name);
    all += Number(found[`sum${index}`] ?? 0);
  }
  session.meter.cells(file, all);
}

/** SQL: how many bytes the texts in a value have; null of a type without texts. */
function bytesOf(value: string, type: DuckDBType, depth: number): string | null {
  const element = `e${depth}`;
  const sumOf = (list: string, of: DuckDBType) => {
    const bytes = bytesOf(element, of, depth + 1);
    return bytes && `coalesce(list_sum(list_transform(${list}, lambda ${element}: ${bytes})), 0)`;
  };
  const all = (parts: readonly (string | null)[]) => {
    const known = parts.filter((part) => part !== null);
    return known.length === 0 ? null : `(${known.join(' + ')})`;
  };
  switch (type.typeId) {
    case DuckDBTypeId.VARCHAR:
      return `coalesce(strlen(${value}), 0)`;
    case DuckDBTypeId.BLOB:
      return `coalesce(octet_length(${value}), 0)`;
    case DuckDBTypeId.LIST:
    case DuckDBTypeId.ARRAY:
      return sumOf(value, type.valueType);
    case DuckDBTypeId.MAP:
      return all([sumOf(`map_keys(${value})`, type.keyType), sumOf(`map_values(${value})`, type.valueType)]);
    case DuckDBTypeId.STRUCT:
      return all(
        type.entryNames.map((name, index) => {
          const of = type.entryTypes[index];
          return of === undefined ? null : bytesOf(`struct_extract(${value}, ${literal(name)})`, of, depth);
        }),
      );
    default:
      return null;
  }
}

function quoted(column: string): string {
  return `"${column.replaceAll('"', '""')}"`;
}
