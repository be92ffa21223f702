import type { ImportReport } from './import-report.ts';

/** How many rows came, where all of them were in the store as they are and none went; else null. */
export function rowsAllThere({
  tables,
  changes = {},
}: Pick<ImportReport, 'tables'> & Partial<Pick<ImportReport, 'changes'>>): number | null {
  const names = Object.keys(tables);
  const isUnchanged = names.every((name) => {
    const told = changes[name];
    return told !== undefined && told.added + told.changed + told.removed === 0;
  });
  const rows = names.reduce((sum, name) => sum + (changes[name]?.unchanged ?? 0), 0);
  return isUnchanged && rows > 0 ? rows : null;
}

export function nothingIsNew(rows: string): string {
  return `Nothing is new: all ${rows} of the rows were there already, unchanged`;
}
