import { type BuildTable, MadeTable } from '../../model-table/model-table.ts';

/**
 * The tables and all that they are made of: each after those that it reads, and those without which it has no
 * rows.
 */
export function buildOrder(tables: readonly MadeTable[]): readonly MadeTable[] {
  const ordered = new Set<MadeTable>();
  const visit = (table: BuildTable) => {
    if (!(table instanceof MadeTable) || ordered.has(table)) return;
    for (const before of [...table.reads, ...table.needs.flat()]) visit(before);
    ordered.add(table);
  };
  for (const table of tables) visit(table);
  return [...ordered];
}
