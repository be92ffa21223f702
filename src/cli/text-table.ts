import { visible } from '../text/visible.ts';

/** Rows as aligned columns under their names. */
export function table(rows: readonly object[], whenEmpty: string): string {
  const [first] = rows;
  if (first === undefined) return whenEmpty;
  const names = Object.keys(first);
  const cells = [
    names,
    ...rows.map((row) => Object.values(row).map((value) => (value === null ? '-' : String(value)))),
  ].map((row) => row.map(visible));
  const widths = names.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  return cells
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
