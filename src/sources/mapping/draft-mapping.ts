import { openCsvCells } from '../../ingest/file-relation.ts';
import type { CanonicalTable } from '../../store/canonical-table.ts';
import { literal, type Session } from '../../store/duckdb-session.ts';
import { CANONICAL_TABLES } from '../../store/tables/all-tables.ts';
import { orders } from '../../store/tables/orders.ts';
import { filled } from '../../store/white-space.ts';
import type { SourceInput } from '../recognise.ts';
import { isAmbiguous } from '../source-cells.ts';
import { datesLike, monthFirst, patternOf } from './date-looks.ts';
import { type LookedAtDiscounts, lookAtDiscounts } from './discount-columns.ts';
import { priceLess } from './discounts.ts';
import { type Evidence, evidenceOf, ROWS_TOGETHER } from './evidence.ts';
import { COMMON, shownCell } from './first-cells.ts';
import { NUMBER_PATTERNS, SIGNED_PATTERN } from './number-looks.ts';
import { statusOf } from './status-words.ts';
import { type Confidence, meaningsOf } from './title-meanings.ts';

/** What a column of a file looks like. */
export interface ColumnLooks {
  readonly title: string;
  readonly filled: number;
  readonly looks: 'empty' | 'number' | 'decimal comma' | 'decimal point' | 'date' | 'e-mail' | 'text';
  /** The pattern of dates, where all of them fit one and no other. */
  readonly pattern: string | null;
  /** Whether the cells tell no order of day and month: `03/04/2026`, and never a number above 12. */
  readonly isEitherOrder: boolean;
  /** Whether all cells that are filled say 0, such as those of a discount that nobody got. */
  readonly isZero: boolean;
  /** Whether all cells that are filled have a digit, as amounts and dates do. */
  readonly hasDigits: boolean;
  /** The texts of a column that has few different ones, for a map. */
  readonly values: readonly string[];
  /**
   * The cells in the first rows, with an empty text where there is none. For what may be about a person, only
   * the form is given.
   */
  readonly first: readonly string[];
}

const FIRST_ROWS = 3;

/** A draft lists a column's values if there are at most `values`, each of at most `letters` characters. */
const FEW = { values: 20, letters: 40 } as const;

const ISO = '[0-9]{4}-[0-9]{2}-[0-9]{2}([T ][0-9:.]+ ?(Z|[+-][0-9:]+)?)?';
export interface LookedAt {
  readonly columns: readonly ColumnLooks[];
  /** Columns behind those. */
  readonly more: number;
  /** What the cells tell of columns, whatever their titles say. */
  readonly evidence: readonly Evidence[];
  readonly discounts: LookedAtDiscounts;
}

/**
 * Looks at the columns of a CSV file.
 *
 * @param most how many of them are looked at
 * @param shown the gate for personal data
 */
export async function lookAtColumns(
  session: Session,
  { file }: Pick<SourceInput, 'file'>,
  { most = Infinity, shown = (text: string) => text } = {},
): Promise<LookedAt> {
  const opened = await openCsvCells(session, file);
  const { relation } = opened;
  const header = opened.header.slice(0, most);
  const name = 'looked_at';
  await session.run(
    `create or replace temp table ${name} as select ${header.map((_, place) => `${filled(`c${place}`)} as c${place}`).join(', ')} from ${relation}`,
  );
  const rows = await session.rows(`select * from ${name} limit ${ROWS_TOGETHER}`);
  const first = rows.slice(0, FIRST_ROWS);
  const columns: ColumnLooks[] = [];
  for (const [place, title] of header.entries()) {
    const cell = `c${place}`;
    const { common, ...looks } = await lookAt(session, name, cell, title);
    const cells = first.map((row) => String(row[cell] ?? ''));
    columns.push({ ...looks, first: cells.map((text) => shownCell(text, common.has(text), shown)) });
  }
  await session.run(`drop table ${name}`);
  const cells = rows.map((row) => header.map((_, place) => String(row[`c${place}`] ?? '')));
  const evidence = evidenceOf(columns, cells);
  const proposals = proposalsWithoutDiscounts({ columns, evidence });
  const discounts = lookAtDiscounts(columns, cells, proposals);
  return { columns, more: opened.header.length - header.length, evidence, discounts };
}

type Look = Omit<ColumnLooks, 'first'> & {
  /** The texts that stand there often, where there are few different ones. */
  readonly common: ReadonlySet<string>;
};

async function lookAt(session: Session, relation: string, cell: string, title: string): Promise<Look> {
  const all = (pattern: string) => allFit(cell, pattern);
  const meanings = meaningsOf(title);
  const sample = await session.row(`select any_value(${cell}) as cell from ${relation}`);
  const dates = datesLike(
    String(sample.cell ?? ''),
    meanings.some(({ column }) => DATES.includes(column)),
  );
  const row = await session.row(`
    select count(${cell}) as filled, count(distinct ${cell}) as different, max(length(${cell})) as longest,
      ${all('-?[0-9]+([.][0-9]+)?')} and not bool_or(${isAmbiguous(cell)}) as is_number,
      ${all(ISO)} as is_iso, bool_and(${cell} like '%_@_%._%') as is_email, ${all('.*[0-9].*')} as has_digits, ${all('[^0-9]*0+([.,]0+)?[^0-9]*')} as is_zero,
      max(try_cast(regexp_extract(${cell}, '^([0-9]+)[^0-9]', 1) as integer)) as first,
      min(try_cast(regexp_extract(${cell}, '^([0-9]+)[^0-9]', 1) as integer)) as least_first,
      max(try_cast(regexp_extract(${cell}, '^[0-9]+[^0-9]([0-9]+)', 1) as integer)) as second
      ${dates.map(({ cells }, index) => `, ${all(cells)} as is_${index}`).join('')}
    from ${relation}`);
  const filled = Number(row.filled);
  const date = dates.find((_, index) => row[`is_${index}`] === true);
  const numbers = {
    first: Number(row.first),
    second: Number(row.second),
    leastFirst: Number(row.least_first),
  };
  const found = date === undefined ? null : patternOf(date, numbers);
  const isDate = row.is_iso === true || date !== undefined;
  const plain = filled === 0 ? 'empty' : isDate ? 'date' : row.is_number === true ? 'number' : null;
  const looks =
    plain ?? (await decimalLooks(session, relation, cell)) ?? (row.is_email === true ? 'e-mail' : 'text');
  const isFew = Number(row.different) <= FEW.values && Number(row.longest) <= FEW.letters;
  const values =
    looks === 'text' && isFew && meanings.some(({ column }) => MAPPED.has(column))
      ? await session.rows(
          `select distinct ${cell} as value from ${relation} where ${cell} is not null order by 1`,
        )
      : [];
  const common =
    looks === 'text' && isFew
      ? await session.rows(
          `select ${cell} as value from ${relation} where ${cell} is not null group by 1 having count(*) >= ${COMMON}`,
        )
      : [];
  return {
    title,
    filled,
    looks,
    pattern: found?.pattern ?? null,
    isZero: row.is_zero === true,
    hasDigits: row.has_digits === true,
    isEitherOrder: found?.isEitherOrder === true,
    values: values.map(({ value }) => String(value)),
    common: new Set(common.map(({ value }) => String(value))),
  };
}

function allFit(cell: string, pattern: string): string {
  return `bool_and(regexp_full_match(${cell}, ${literal(pattern)}))`;
}

/**
 * The sign before the decimals of a column; null if it has none. Asked last: these Unicode patterns are slow.
 */
async function decimalLooks(session: Session, relation: string, cell: string) {
  const isWritten = ({ is, tells }: { readonly is: string; readonly tells: string }) =>
    `${allFit(cell, is)} and bool_or(regexp_matches(${cell}, ${literal(tells)}))`;
  const { is_comma, is_point } = await session.row(`
    select ${isWritten(NUMBER_PATTERNS.comma)} as is_comma,
      (${isWritten(NUMBER_PATTERNS.point)} or ${isWritten(SIGNED_PATTERN)}) as is_point
    from ${relation}`);
  if (is_comma === true) return 'decimal comma';
  return is_point === true ? 'decimal point' : null;
}

/** Columns of ours that have a few values, by what these are. */
const MAPPED = new Map([
  ['status', 'pending, paid, fulfilled, cancelled or returned'],
  ['kind', 'product, shipping, payment, discount or gift'],
]);

/** A column of a file that is proposed for one of ours. */
export interface Proposal {
  readonly table: string;
  readonly column: string;
  readonly from: ColumnLooks;
  readonly confidence: Confidence;
  readonly why: string;
}

const MONEY = [
  'total',
  'subtotal',
  'payment_fee',
  'shipping_cost',
  'payment_cost',
  'unit_cost',
  'original_price',
  'shipping',
  'tax',
  'discount',
  'line_discount',
  'piece_discount',
  'percent_discount',
  'line_total',
  'unit_price',
  'price',
  'purchase_price',
  'amount',
  'cost',
];
const COUNTS = ['quantity', 'stock_quantity', 'clicks', 'impressions'];
const DATES = ['ordered_at', 'refunded_at', 'cancelled_at', 'created_at', 'updated_at', 'day'];

/** Whether a column of ours is a number. */
export function isNumber(column: string): boolean {
  return MONEY.includes(column) || COUNTS.includes(column);
}

/** Whether the cells of a column can be what its title says. */
function isLike(column: string, { looks, hasDigits }: ColumnLooks): boolean {
  if (looks === 'empty') return false;
  if (DATES.includes(column)) return looks === 'date' || (looks === 'text' && hasDigits);
  if (isNumber(column))
    return ['number', 'decimal comma', 'decimal point'].includes(looks) || (looks === 'text' && hasDigits);
  if (column === 'email') return looks === 'e-mail' || looks === 'text';
  if (column === 'status' || column === 'currency') return looks === 'text' || looks === 'number';
  return looks !== 'date';
}

/**
 * Proposes which columns of a file are which of ours, by their titles and by what their cells look like: at
 * most one for each of ours, in the tables for which the file has what they need.
 */
export function proposeColumns(
  looked: Pick<LookedAt, 'columns' | 'evidence' | 'discounts'>,
): readonly Proposal[] {
  const all = withRefundsOfOrders(allProposals(looked));
  const meant = CANONICAL_TABLES.filter((table) => isMeant(table, all)).map(({ name }) => name);
  // Lines of orders have the names and prices of products as well, and are no catalogue.
  const isOfOrders = meant.includes('orders') || meant.includes('order_items');
  return all.filter(
    ({ table }) =>
      meant.includes(table) && !(isOfOrders && ['products', 'ad_costs', 'profiles'].includes(table)),
  );
}

/**
 * What a table of orders says was paid back of each: a refund with the number of its order, on the day of
 * that where no other day is there.
 */
function withRefundsOfOrders(all: readonly Proposal[]): readonly Proposal[] {
  const of = (table: string, column: string) =>
    all.find((each) => each.table === table && each.column === column);
  const amount = of('refunds', 'amount');
  if (amount === undefined || of('refunds', 'refund_id') !== undefined || !isMeant(orders, all)) return all;
  const made = [
    ['refund_id', of('orders', 'order_id')],
    ['refunded_at', of('orders', 'ordered_at')],
  ] as const;
  const why = 'what stands for the order, which has no refund of its own number or day';
  return [
    ...all,
    ...made.flatMap(([column, from]) =>
      from === undefined || of('refunds', column) !== undefined
        ? []
        : [{ ...from, table: 'refunds', column, confidence: 'low' as const, why }],
    ),
  ];
}

/** The same in all of our tables, whether or not the file has what they need. */
export function allProposals({
  discounts: { evidence, ofLines, isPriceOfLine },
  ...looked
}: Pick<LookedAt, 'columns' | 'evidence' | 'discounts'>): readonly Proposal[] {
  const { columns } = looked;
  const isOfLines = ({ from, table, column }: Proposal) =>
    table === 'orders' && MONEY.includes(column) && ofLines.includes(columns.indexOf(from));
  const found = pricesOfLines(proposalsWithoutDiscounts(looked), isPriceOfLine);
  const others = found.flatMap((each) => (isOfLines(each) ? totalOfLine(each, found) : [each]));
  const wrong = found.find((each) => isOfLines(each) && each.column === 'discount');
  const from = columns[evidence?.place ?? -1] ?? wrong?.from;
  const kind = evidence === null ? 'line' : evidence.kind;
  if (from === undefined || kind === null) return others;
  const [table, column] = kind === 'order' ? ['orders', 'discount'] : ['order_items', `${kind}_discount`];
  const proposal: Proposal =
    evidence === null
      ? { table, column, from, confidence: 'low', why: 'its title, and it differs within an order' }
      : { table, column, from, confidence: 'high', why: evidence.why };
  const rest = others.filter((each) => each.from !== from && !/(^|_)discount$/.test(each.column));
  return [...rest, proposal];
}

/** A total that differs within an order is a line's total, unless another column is. */
function totalOfLine(proposal: Proposal, all: readonly Proposal[]): readonly Proposal[] {
  const has = all.some(({ table, column }) => table === 'order_items' && column === 'line_total');
  if (proposal.column !== 'total' || has) return [];
  const why = `${proposal.why}, and it differs within an order`;
  return [{ ...proposal, table: 'order_items', column: 'line_total', confidence: 'low', why }];
}

/** A price that is of all pieces of a line, as sums tell, or as Amazon means by "item-price". */
function pricesOfLines(all: readonly Proposal[], isPriceOfLine: boolean): readonly Proposal[] {
  const isOfAmazon = all.some(({ from }) => /^amazon[ -]order[ -]id$/i.test(from.title));
  const why = isPriceOfLine
    ? 'lines add up to the total of each order, without their pieces'
    : 'its title, by which Amazon means all pieces of a line';
  return all.map((each) => {
    const isOfLine = isPriceOfLine || (isOfAmazon && /^item[ -]price$/i.test(each.from.title));
    return each.column === 'unit_price' && isOfLine ? { ...each, column: 'line_total', why } : each;
  });
}

function proposalsWithoutDiscounts({
  columns,
  evidence,
}: Pick<LookedAt, 'columns' | 'evidence'>): readonly Proposal[] {
  const best = new Map<string, Proposal & { readonly rank: number }>();
  for (const from of columns)
    for (const { table, column, confidence, rank } of meaningsOf(from.title)) {
      const key = `${table}.${column}`;
      if (!isLike(column, from) || rank >= (best.get(key)?.rank ?? Infinity)) continue;
      const isCertain = confidence === 'high' && from.looks !== 'text';
      const byCells = [...DATES, ...MONEY, ...COUNTS, 'email'].includes(column);
      best.set(key, {
        table,
        column,
        from,
        rank,
        confidence: byCells && !isCertain && confidence === 'high' ? 'medium' : confidence,
        why: `${confidence === 'high' ? 'its title' : confidence === 'medium' ? 'the end of its title' : 'its short title'}${byCells ? `, and its cells look like ${from.looks}` : ''}`,
      });
    }
  return withEvidence(columns, [...best.values()], evidence);
}

const SURER: Readonly<Record<Confidence, Confidence>> = { low: 'medium', medium: 'high', high: 'high' };

/**
 * Proposals by titles, with what the cells say: more sure where both agree, a guess where they do not, and
 * what no title tells.
 */
function withEvidence(
  columns: readonly ColumnLooks[],
  byTitle: readonly Proposal[],
  evidence: readonly Evidence[],
): readonly Proposal[] {
  const proposals = new Map(byTitle.map((each) => [`${each.table}.${each.column}`, each]));
  for (const { table, column, place, confidence, why, not } of evidence) {
    const from = columns[place];
    const key = `${table}.${column}`;
    const before = proposals.get(key);
    if (from === undefined) continue;
    const isTaken = byTitle.some(
      (each) =>
        each.from === from && each.table === table && each.column !== column && each.confidence !== 'low',
    );
    const isWrong = before !== undefined && not !== undefined && before.from === columns[not];
    if (before?.from === from)
      proposals.set(key, {
        ...before,
        confidence: SURER[before.confidence],
        why: `${before.why}, and ${why}`,
      });
    else if (isWrong || (!isTaken && (before === undefined || before.confidence === 'low')))
      proposals.set(key, { table, column, from, confidence, why });
    else if (before !== undefined)
      proposals.set(key, {
        ...before,
        confidence: 'low',
        why: `${before.why}, but of another column: ${why}`,
      });
  }
  return [...proposals.values()];
}

/**
 * What a person is told of a proposal: which of our tables the file seems to hold, and what each of them
 * requires that was not found.
 */
export function describeProposals(proposals: readonly Proposal[]): readonly string[] {
  const tables = CANONICAL_TABLES.filter(({ name }) => proposals.some(({ table }) => table === name));
  if (tables.length === 0)
    return [
      'Its titles do not tell which of our tables it holds. If they stand in a later row, delete the rows above them and try again.',
    ];
  return tables.map(({ name, columns }) => {
    const missing = Object.entries(columns)
      .filter(([, { required }]) => required)
      .map(([column]) => column)
      .filter((column) => !proposals.some((each) => each.table === name && each.column === column));
    return `It seems to hold ${name}${missing.length === 0 ? '' : `, but no column was found for ${missing.join(', ')}, which ${missing.length === 1 ? 'is' : 'are'} required`}.`;
  });
}

/**
 * Whether all that a table requires is there, or all but one, and it is told by more than a short title such
 * as `ID`.
 */
export function isMeant(table: CanonicalTable, proposals: readonly Proposal[]): boolean {
  const required = Object.entries(table.columns).filter(([, { required }]) => required);
  const found = proposals.filter(
    (each) => each.table === table.name && required.some(([name]) => name === each.column),
  );
  const clear = found.filter(({ confidence }) => confidence !== 'low');
  if (table.name === 'order_items' && !clear.some(({ column }) => column === 'order_id'))
    return found.length === required.length && isMeant(orders, proposals);
  return clear.length > 1 && (found.length === required.length || clear.length >= required.length - 1);
}

/**
 * A commented mapping to be completed by a person: what the titles of columns tell is filled in, the rest is
 * left open.
 */
export function draftMapping(
  name: string,
  file: string,
  columns: readonly ColumnLooks[],
  proposals: readonly Proposal[],
  discounts: LookedAtDiscounts,
): string {
  const tables = CANONICAL_TABLES.filter(({ name }) => proposals.some(({ table }) => table === name));
  return [
    '# Which columns of the file become which of ours. Complete what is marked with TODO, then:',
    `#   storesight import BUSINESS ${JSON.stringify(file)} --mapping mapping.yaml --dry-run`,
    '# Expressions, instead of the title of a column:',
    '#   {text: Column}                                          as it stands there',
    '#   {number: Column, decimal: comma}                        1.234,50 or 1 234,50; point: 1,234.50',
    '#   {date: Column, pattern: DD.MM.YYYY HH:mm, zone: Europe/Prague}',
    '#   {constant: EUR}',
    '#   {map: Column, values: {Theirs: ours}, otherwise: ours}  otherwise may be left out: other texts are refused',
    '#   {split: Column, by: ","}                                a list',
    '#   {first: [Column, {constant: 0}]}                        the first that is not empty',
    '#   {sum: [Net, Tax]}, {difference: [Gross, Discount]}, {quotient: [Line total, Quantity]}, {absolute: Refund}, {percent_off: [Price, Percent]}',
    '# docs/sources/mapping.md has all of them. Our columns: docs/import-format.md.',
    `name: ${name}`,
    `title: ${JSON.stringify(`Rows of ${file}`)}`,
    '# A file is recognised by these columns, whatever its name.',
    `recognise: [${columns
      .filter(({ title }) => title !== '')
      .slice(0, 8)
      .map(({ title }) => JSON.stringify(title))
      .join(', ')}]`,
    '# fill_down: [Order number]    # where cells of an order stand in its first row alone',
    'tables:',
    ...(tables.length === 0 ? ['  # TODO: one of our tables, for example', '  # orders:'] : []),
    ...tables.flatMap((table) => draftTable(table, proposals, columns, discounts)),
    '# Columns of the file:',
    ...columns.map(({ title, looks, filled }) => `#   ${JSON.stringify(title)}: ${looks}, ${filled} filled`),
    '',
  ].join('\n');
}

function draftTable(
  table: CanonicalTable,
  proposals: readonly Proposal[],
  columns: readonly ColumnLooks[],
  discounts: LookedAtDiscounts,
): string[] {
  const lines = Object.entries(table.columns).flatMap(([name, { required }]) => {
    const price = name === 'unit_price' ? draftPrice(proposals, columns, discounts) : null;
    if (price !== null) return price;
    const found = proposals.find((each) => each.table === table.name && each.column === name);
    if (found === undefined) return required ? [`    ${name}: TODO    # required`] : [];
    const { title } = found.from;
    // A title that two columns have names neither of them.
    const places = columns.flatMap((each, place) => (each.title === title ? [place + 1] : []));
    if (places.length > 1)
      return [
        `    ${name}: TODO    # columns ${places.join(' and ')} are all called ${JSON.stringify(title)}: write the number of the right one`,
      ];
    const guess = found.confidence === 'low' ? `    # a guess by ${found.why}: see whether it is right` : '';
    const expression = draftExpression(name, found.from);
    const isRefund = table.name === 'refunds' && name === 'amount';
    return [`    ${name}: ${isRefund ? `{absolute: ${expression}}` : expression}${guess}`];
  });
  return [`  ${table.name}:`, ...lines];
}

/** The price of a piece, where it is made of several columns; null where it is a column as it stands. */
function draftPrice(
  proposals: readonly Proposal[],
  columns: readonly ColumnLooks[],
  { evidence }: LookedAtDiscounts,
): string[] | null {
  const of = (column: string) =>
    proposals.find((each) => each.table === 'order_items' && each.column === column)?.from;
  const [price, total, pieces] = [of('unit_price'), of('line_total'), of('quantity')];
  const discount =
    columns[evidence?.place ?? -1] ?? proposals.find(({ column }) => /(^|_)discount$/.test(column))?.from;
  const isReduced = discount !== undefined && !discount.isZero && evidence?.prices !== 'after';
  const from = price ?? total;
  if (from === undefined || pieces === undefined || (!isReduced && price !== undefined)) return null;
  const named = [from, pieces, ...(isReduced ? [discount] : [])];
  const twice = named.find(({ title }) => columns.filter((each) => each.title === title).length > 1);
  if (twice !== undefined)
    return [
      `    unit_price: TODO    # several columns are called ${JSON.stringify(twice.title)}: write the number of the right one`,
    ];
  const [column, quantity, off] = named.map((each) => draftExpression('unit_price', each));
  const unit = price === undefined ? `{quotient: [${column}, ${quantity}]}` : `${column}`;
  if (!isReduced) return [`    unit_price: ${unit}`];
  const less = (kind: 'line' | 'piece' | 'percent') => priceLess(`${unit}`, `${quantity}`, kind, `${off}`);
  if (evidence?.kind === 'order')
    return [`    unit_price: ${unit}`, `    shares_discount: true    # ${evidence.why}`];
  if (evidence !== null && evidence.kind !== null)
    return [`    unit_price: ${less(evidence.kind)}    # ${evidence.why}`];
  return [
    `    unit_price: TODO    # the sums of the orders do not tell what the discounts are of. Write one of these:`,
    `    #   ${unit}    where the price is what was paid, after the discount`,
    `    #   ${less('line')}    where the discount is of all pieces of the line`,
    `    #   ${less('piece')}    where it is of one piece`,
    `    #   ${less('percent')}    where it is in percent`,
    `    #   ${unit}, and below it shares_discount: true, where it is of the whole order`,
  ];
}

function draftExpression(
  name: string,
  { title, looks, pattern, isEitherOrder, values }: ColumnLooks,
): string {
  const column = JSON.stringify(title);
  if (looks === 'decimal comma') return `{number: ${column}, decimal: comma}`;
  if (looks === 'decimal point') return `{number: ${column}, decimal: point}`;
  if (isEitherOrder)
    return `{date: ${column}, pattern: TODO}    # "${pattern}" where the day comes first, "${pattern === null ? '' : monthFirst(pattern)}" where the month does: the dates do not tell`;
  if (looks === 'date' && pattern !== null)
    return `{date: ${column}, pattern: "${pattern}"}    # zone: Europe/Prague, else --timezone`;
  const ours = MAPPED.get(name);
  if (ours !== undefined && values.length > 0)
    return `{map: ${column}, values: {${values.map((value) => `${JSON.stringify(value)}: ${(name === 'status' ? statusOf(value) : null) ?? 'TODO'}`).join(', ')}}}    # ${ours}`;
  return column;
}
