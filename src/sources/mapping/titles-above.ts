import { headerCells } from '../../ingest/header.ts';
import { belowFirstLine, MOST_TITLES } from '../files/below-titles.ts';
import { findHeader } from '../files/inspect-text.ts';
import { meaningsOf } from './title-meanings.ts';

/**
 * The number of lines above the header of an unknown table, such as the name of a report. The header is the
 * line with most known titles; if no title is known, the first line with as many cells as the rows below.
 */
export function titlesAbove(text: string): number {
  const lines: { readonly known: number; readonly filled: number }[] = [];
  for (let rest = text; lines.length <= MOST_TITLES && rest !== ''; rest = belowFirstLine(rest)) {
    const { line, delimiter } = findHeader(rest);
    const cells = headerCells({ name: 'a table', delimiter }, line.slice(0, LONGEST_LINE));
    lines.push({
      known: cells.filter((cell) => meaningsOf(cell).length > 0).length,
      filled: cells.filter((cell) => cell !== '').length,
    });
  }
  const most = Math.max(0, ...lines.map(({ known }) => known));
  const widest = Math.max(0, ...lines.map(({ filled }) => filled));
  const found =
    most > 1
      ? lines.findIndex(({ known }) => known === most)
      : lines.findIndex(({ filled }) => 2 * filled > widest);
  // A file of one column all the way down has its header first.
  return widest < 2 ? 0 : Math.max(0, found);
}

const LONGEST_LINE = 2 ** 16;
