import type { Confidence } from './title-meanings.ts';

/** What the cells of some rows tell of a column, whatever its title says. */
export interface Evidence {
  readonly table: string;
  readonly column: string;
  /** The place of the column in the file, from 0. */
  readonly place: number;
  readonly confidence: Confidence;
  readonly why: string;
  /** Another column whose title would say the same, and which the cells say is something else. */
  readonly not?: number;
}

/** Rows that are looked at together. Each set of columns is tried on all of them. */
export const ROWS_TOGETHER = 1000;
/** Columns of numbers that are multiplied and added with each other. */
const MOST_NUMBERS = 14;
const FEWEST_ROWS = 3;
const CENT = 0.011;

/** What the cells of a column look like. */
interface Looks {
  readonly looks: string;
}

interface Cells {
  readonly place: number;
  readonly looks: Looks;
  /** The text of each row. It is empty where there is none. */
  readonly texts: readonly string[];
}

interface Numbers extends Cells {
  readonly values: readonly number[];
}

/**
 * What cells tell that no title does: codes of currencies and countries, e-mail addresses, dates, ids that
 * repeat with one date, and amounts that add up. Where two columns may be the same thing it tells nothing,
 * since a wrong column is worse than a question.
 *
 * @param rows the first of the file, cell by cell
 */
export function evidenceOf(columns: readonly Looks[], rows: readonly (readonly string[])[]): Evidence[] {
  if (rows.length < FEWEST_ROWS) return [];
  const cells = columns.map((looks, place) => ({ place, looks, texts: rows.map((row) => row[place] ?? '') }));
  const dates = cells.filter(({ looks }) => looks.looks === 'date');
  const found: Evidence[] = [
    ...onlyOne(
      cells.filter(({ looks }) => looks.looks === 'e-mail'),
      ['orders', 'profiles'],
      'email',
      'e-mail addresses stand in it alone',
    ),
    ...onlyOne(
      cells.filter(isOf(CURRENCIES)),
      ['orders'],
      'currency',
      'codes of currencies stand in it alone',
    ),
    ...onlyOne(
      cells.filter(isOf(countries())),
      ['orders', 'profiles'],
      'country',
      'countries stand in it alone',
    ),
    ...onlyOne(dates, ['orders'], 'ordered_at', 'dates stand in it alone'),
  ];
  const repeated = repeatedIds(cells, dates);
  const [order] = repeated;
  if (order !== undefined && repeated.length === 1) {
    const why = 'it repeats, with the same date each time';
    for (const table of ['orders', 'order_items'])
      found.push({ table, column: 'order_id', place: order.place, confidence: 'medium', why });
    found.push(...sumsOf(cells, order));
  } else if (repeated.length === 0) {
    const unique = cells.filter(isId).filter(({ texts }) => new Set(texts).size === texts.length);
    const why = 'no two rows have the same in it';
    found.push(
      ...onlyOne(unique, ['orders'], 'order_id', why).map((each) => ({
        ...each,
        confidence: 'low' as const,
      })),
    );
  }
  return found;
}

function onlyOne(
  candidates: readonly Cells[],
  tables: readonly string[],
  column: string,
  why: string,
): Evidence[] {
  const [one, ...others] = candidates;
  if (one === undefined || others.length > 0) return [];
  return tables.map((table) => ({ table, column, place: one.place, confidence: 'medium', why }));
}

const CURRENCIES = new Set(Intl.supportedValuesOf('currency'));
const LANGUAGES = ['en', 'cs', 'de', 'fr', 'es', 'it', 'pl', 'nl', 'pt', 'ru'];
let names: ReadonlySet<string> | null = null;

/** Codes of two letters, and names in the languages of our dictionary. */
function countries(): ReadonlySet<string> {
  if (names !== null) return names;
  const all = new Set<string>();
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  for (const code of letters.flatMap((one) => letters.map((other) => one + other)))
    for (const language of LANGUAGES) {
      const name = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' }).of(code);
      if (name === undefined) continue;
      all.add(code);
      all.add(name.toUpperCase());
    }
  names = all;
  return all;
}

function isOf(known: ReadonlySet<string>) {
  return ({ looks, texts }: Cells) =>
    looks.looks === 'text' &&
    texts.some((text) => text !== '') &&
    texts.every((text) => text === '' || known.has(text.toUpperCase()));
}

/** Whether a column can be an id. Then it is filled in all rows, and holds no date, address or amount. */
function isId({ looks, texts }: Cells): boolean {
  return (
    (looks.looks === 'number' || looks.looks === 'text') &&
    texts.every(
      (text) =>
        text !== '' &&
        text.length <= 64 &&
        /\d/.test(text) &&
        !/^-?\d+[.,]\d{1,4}$/.test(text) &&
        !/\s\S*\s/.test(text),
    )
  );
}

/**
 * Columns that stand in rows below each other, each time with the same dates, and with others in other rows.
 * Of those the finest.
 */
function repeatedIds(cells: readonly Cells[], dates: readonly Cells[]): readonly Cells[] {
  if (dates.length === 0) return [];
  const ids = cells
    .filter(isId)
    .map((each) => ({ ...each, different: new Set(each.texts).size }))
    .filter(({ texts, different }) => different > 1 && different < texts.length)
    .filter((id) => runsOf(id.texts) === id.different && dates.every((date) => tells(id.texts, date.texts)));
  const finest = Math.max(0, ...ids.map(({ different }) => different));
  return ids.filter(({ different }) => different === finest);
}

function runsOf(texts: readonly string[]): number {
  return texts.filter((text, row) => row === 0 || text !== texts[row - 1]).length;
}

/** Whether equal texts of one column always stand beside equal ones of another. */
export function tells(texts: readonly string[], others: readonly string[]): boolean {
  const beside = new Map<string, string>();
  return texts.every((text, row) => {
    const other = others[row] ?? '';
    const before = beside.get(text) ?? other;
    beside.set(text, before);
    return before === other;
  });
}

/** Pieces, prices, totals and shipping that add up in all orders, where only one set of columns does. */
function sumsOf(cells: readonly Cells[], order: Cells): Evidence[] {
  const numbers = cells
    .filter(
      ({ looks, place }) =>
        place !== order.place && ['number', 'decimal comma', 'decimal point'].includes(looks.looks),
    )
    .map((each) => ({ ...each, values: each.texts.map((text) => numberOf(text, each.looks.looks)) }))
    .filter(({ values }) => values.every(Number.isFinite))
    .slice(0, MOST_NUMBERS);
  const ofOrder = numbers.filter(
    ({ texts, values }) => tells(order.texts, texts) && values.some((value) => value !== 0),
  );
  const ofLine = numbers.filter((each) => !ofOrder.includes(each));
  const lines = pricesOf(ofLine);
  const found: Evidence[] = [];
  const [line] = lines;
  if (line === undefined || lines.length > 1) return [];
  const say = (column: string, { place }: Cells, why: string, not?: Cells) =>
    found.push({
      table: ['total', 'shipping'].includes(column) ? 'orders' : 'order_items',
      column,
      place,
      confidence: 'medium',
      why,
      ...(not === undefined ? {} : { not: not.place }),
    });
  const product = 'pieces times price are the total of the line in all rows';
  if (line.total !== null) {
    say('quantity', line.pieces, product);
    say('unit_price', line.price, product, line.total);
  }
  const sums = sumsByOrder(order.texts, line.pieces.values, line.price.values);
  const totals = ofOrder.flatMap((total) =>
    [null, ...ofOrder.filter((other) => other !== total)]
      .filter((shipping) =>
        total.values.every((value, row) => isSame(value, (sums[row] ?? 0) + (shipping?.values[row] ?? 0))),
      )
      .map((shipping) => ({ total, shipping })),
  );
  const withShipping = totals.filter(({ shipping }) => shipping !== null);
  const [best, ...others] = withShipping.length > 0 ? withShipping : totals;
  if (best === undefined || others.length > 0) return found;
  // A sum of lines below a larger amount of the order is a part of it.
  const isPart = ofOrder.some(({ values }) =>
    values.some((value, row) => value > (best.total.values[row] ?? 0) + CENT),
  );
  if (isPart) return found;
  const why =
    best.shipping === null
      ? 'the lines of each order add up to it'
      : 'the lines of each order and one more column add up to it';
  if (line.total === null) {
    say('quantity', line.pieces, 'pieces times price add up to a total of each order');
    say('unit_price', line.price, 'pieces times price add up to a total of each order');
  }
  say('total', best.total, why);
  if (best.shipping !== null)
    say('shipping', best.shipping, 'with the lines of each order it adds up to a total');
  return found;
}

interface Line {
  readonly pieces: Numbers;
  readonly price: Numbers;
  readonly total: Numbers | null;
}

/**
 * Finds the columns of lines that multiply to another one; where none do, the only two that can be pieces and
 * a price.
 */
function pricesOf(numbers: readonly Numbers[]): readonly Line[] {
  const pairs = numbers.flatMap((pieces) =>
    numbers
      .filter((price) => price !== pieces && arePieces(pieces, price))
      .map((price) => ({ pieces, price })),
  );
  const whole = pairs.flatMap(({ pieces, price }) =>
    numbers
      .filter((total) => total !== pieces && total !== price && isProduct(pieces, price, total))
      .map((total) => ({ pieces, price, total })),
  );
  return whole.length > 0 ? whole : pairs.map((pair) => ({ ...pair, total: null }));
}

/**
 * Pieces are whole numbers, more than one somewhere, and smaller than prices; a price has a fraction, or is
 * never that small.
 */
function arePieces({ values }: Numbers, price: Numbers): boolean {
  const most = Math.max(...values);
  return (
    values.every((value) => Number.isInteger(value) && value > 0) &&
    most > 1 &&
    most <= 1000 &&
    price.values.some((value) => value !== 0) &&
    (price.values.some((value) => !Number.isInteger(value)) || Math.min(...price.values) > most)
  );
}

function isProduct(pieces: Numbers, price: Numbers, total: Numbers): boolean {
  return total.values.every((value, row) =>
    isSame(value, (pieces.values[row] ?? 0) * (price.values[row] ?? 0)),
  );
}

function isSame(one: number, other: number): boolean {
  return Math.abs(one - other) < CENT;
}

/** The sum of an order, in each of its rows. */
function sumsByOrder(
  orders: readonly string[],
  pieces: readonly number[],
  prices: readonly number[],
): number[] {
  const sums = new Map<string, number>();
  for (const [row, order] of orders.entries())
    sums.set(order, (sums.get(order) ?? 0) + (pieces[row] ?? 0) * (prices[row] ?? 0));
  return orders.map((order) => sums.get(order) ?? 0);
}

export function numberOf(text: string, looks: string): number {
  const digits = text.replace(/[^\d.,]/g, '');
  if (digits === '') return 0;
  const size =
    looks === 'decimal comma' ? digits.replaceAll('.', '').replace(',', '.') : digits.replaceAll(',', '');
  return /[-−(]/.test(text) ? -Number(size) : Number(size);
}
