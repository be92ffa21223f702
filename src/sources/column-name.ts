import { withoutEnd } from '../text/without-end.ts';

/** Names are compared without regard to case, and to what a spreadsheet left at the end of the line. */
export function columnName(cell: string): string {
  return withoutEnd(cell, /[;\s]/).trim().toLowerCase();
}

/** What stands for any text in a title, in lower case. */
export const ANY_TEXT = /<[a-z _]+>/g;
