import { VendorError } from '../vendor.ts';

/**
 * This many pages in a row may bring nothing. It is more than any list has whose last while is read again.
 */
const MOST_IDLE = 200;

/** The most pages of a list that is read as a whole, such as the lines of one order. */
const MOST_WITHIN = 2000;

/**
 * Ends a list that has always another page and brings nothing with it. What it brought is kept, and so is its
 * place: where the vendor means it so, the next run goes on from there.
 *
 * @returns to be told how many rows each page brought. @throws VendorError
 */
export function idlePages(list: string): (rows: number) => void {
  let idle = 0;
  return (rows) => {
    idle = rows === 0 ? idle + 1 : 0;
    if (idle >= MOST_IDLE) throw endless(list, `${idle} pages in a row brought nothing`);
  };
}

/** Ends a list that is read as a whole, to be told of each page. @throws VendorError */
export function pagesWithin(list: string): () => void {
  let pages = 0;
  return () => {
    pages += 1;
    if (pages >= MOST_WITHIN) throw endless(list, `it has ${pages} pages already`);
  };
}

/**
 * Ends a list by the numbers of pages where two in a row are the same, as of a shop that passes over the
 * number. @throws VendorError
 */
export function otherPages(list: string): (ids: readonly number[]) => void {
  let before = '';
  return (ids) => {
    const page = ids.join();
    if (page !== '' && page === before) throw endless(list, 'two pages in a row are the same');
    before = page;
  };
}

function endless(list: string, why: string): VendorError {
  return new VendorError(
    'bad_answer',
    `${list} has no end: ${why}, and there is always another one. What was read is kept, and the next run goes on`,
  );
}
