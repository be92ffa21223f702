/** A table; every row has a cell for each column. */
export function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(columns), line(columns.map(() => '---')), ...rows.map(line)].join('\n');
}

/** One line for each. */
export function list(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join('\n');
}

/** Sections of a document, each with its heading. */
export function sections(parts: Readonly<Record<string, string>>): string {
  return Object.entries(parts)
    .map(([heading, text]) => `## ${heading}\n${text}`)
    .join('\n\n');
}
