import {
  type BuildTable,
  KeyTable,
  type MadeTable,
  ModelTable,
  type Need,
  WorkTable,
} from '../../model-table/model-table.ts';
import type { Session } from '../../store/session.ts';
import { createKeys, type KeyParts } from './keys.ts';

export type IsEmpty = (table: Pick<BuildTable, 'name'>) => boolean;

/**
 * Makes tables in the main database of the session.
 *
 * @param order each after those that it reads
 * @param filled the names of tables that are there already and have rows
 * @param needed steps that stay until the session ends
 * @param keys where the numbers are that were given before, and where new ones are written
 * @returns whether a table has no rows
 */
export async function makeTables(
  session: Session,
  order: readonly MadeTable[],
  filled: readonly string[],
  needed: ReadonlySet<BuildTable>,
  keys: KeyParts,
  onTable: (name: string, doneShare: number) => void,
): Promise<IsEmpty> {
  const readNoMore = stepsReadNoMore(order, needed);
  const withRows = new Set(filled);
  const isEmpty: IsEmpty = ({ name }) => !withRows.has(name);
  for (const [index, table] of order.entries()) {
    onTable(table.name, index / order.length);
    if (await make(session, table, keys, isEmpty)) withRows.add(table.name);
    for (const { name } of readNoMore.get(table) ?? []) session.runLater(`drop table ${name}`);
  }
  return isEmpty;
}

/** @returns whether it has rows */
async function make(session: Session, table: MadeTable, keys: KeyParts, isEmpty: IsEmpty): Promise<boolean> {
  const isPlanned = !hasNoRows(table, isEmpty);
  if (table instanceof KeyTable) {
    if ((isPlanned || keys.forgets) && (await createKeys(session, table, keys))) return true;
  } else if (isPlanned) {
    return (await createWithRows(session, table)) > 0;
  }
  session.runLater(createEmpty(table));
  return false;
}

/** The steps that are read no more once a table is made. */
function stepsReadNoMore(order: readonly MadeTable[], needed: ReadonlySet<BuildTable>) {
  return new Map(
    order.map((table, index) => {
      const later = new Set([...order.slice(index + 1).flatMap(({ reads }) => reads), ...needed]);
      const isOver = (read: BuildTable) =>
        read instanceof WorkTable && read.scope === null && !later.has(read);
      return [table, table.reads.filter(isOver)];
    }),
  );
}

/** Then it is not even planned: most stores use a part of what there is, and planning is most of a small import. */
function hasNoRows(table: MadeTable, isEmpty: IsEmpty): boolean {
  const isMissing = (need: Need) => [need].flat().every(isEmpty);
  return table.needs.some(isMissing) || (!table.hasRowsOfItsOwn && table.reads.every(isEmpty));
}

function createEmpty(table: MadeTable): string {
  const columns = Object.entries(table.types).map(([name, type]) => `"${name}" ${type}`);
  return `create ${kindOf(table)} ${table.name} (${columns.join(', ')})`;
}

/** @returns how many rows it has */
async function createWithRows(session: Session, table: MadeTable): Promise<number> {
  const parameters = table instanceof ModelTable ? await table.parameters?.(session) : undefined;
  const created = await session.row(
    `create ${kindOf(table)} ${table.name} as ${table.rows.text}`,
    parameters,
  );
  return Number(created.Count);
}

function kindOf({ scope }: MadeTable): string {
  return scope === null ? 'temp table' : 'table';
}
