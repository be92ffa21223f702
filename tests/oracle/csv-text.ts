// RFC 4180 text, written apart from the product's own reader, so that one error cannot hide in both.

/** Quotes a cell when it holds a comma, a quote, a line break or a blank at its edge. */
function csvCell(value: string): string {
  return /[",\r\n]|^\s|\s$/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}

/** Rows of cells as RFC 4180 text with CRLF line ends. */
export function csvText(rows: string[][]): string {
  return rows.map((row) => `${row.map(csvCell).join(',')}\r\n`).join('');
}

/** RFC 4180 text as rows of cells; also accepts a bare LF as line end and a byte order mark. */
export function csvRows(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let quoted = false;
  let i = text.startsWith('\uFEFF') ? 1 : 0;
  const endRow = () => {
    row.push(cell);
    cell = '';
    if (row.length > 1 || row[0] !== '') rows.push(row); // an empty line is no row
    row = [];
  };
  while (i < text.length) {
    const c = text.charAt(i);
    if (quoted && c === '"' && text.charAt(i + 1) === '"') {
      cell += '"';
      i += 1;
    } else if (c === '"') quoted = !quoted;
    else if (quoted) cell += c;
    else if (c === ',') {
      row.push(cell);
      cell = '';
    } else if (c === '\n') endRow();
    else if (c === '\r' && text.charAt(i + 1) === '\n') {
      // The line ends at the LF that follows.
    } else cell += c;
    i += 1;
  }
  if (quoted) throw new Error('CSV ends inside a quoted cell');
  if (cell !== '' || row.length > 0) endRow();
  return rows;
}
