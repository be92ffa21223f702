import { createHash } from 'node:crypto';
import { InputError } from '../../errors.ts';
import type { CanonicalTable } from '../../store/canonical-table.ts';
import { canonicalTable } from '../../store/tables/all-tables.ts';
import { columnName } from '../column-name.ts';
import { monthFirst } from './date-looks.ts';
import { type DiscountKind, priceLess } from './discounts.ts';
import { type ColumnLooks, isMeant, isNumber, type Proposal } from './draft-mapping.ts';
import { type ColumnName, columnsIn, type Expression, type Mapping } from './mapping.ts';
import { KNOWN_STATUSES } from './status-words.ts';

/** What a person says that a table holds. */
export const KINDS = ['orders', 'order_items', 'products', 'profiles', 'refunds'] as const;
export type Kind = (typeof KINDS)[number];

/** What a discount of a line may be of. They are no columns of ours: the price of a piece is less by them. */
const LINE_DISCOUNTS = ['line_discount', 'piece_discount', 'percent_discount'] as const;

/** Fields that a person may choose for a column, by the kind of the table: `orders.total`. */
export const FIELDS: Readonly<Record<Kind, readonly string[]>> = {
  orders: [
    ...fieldsOf('orders', [
      ...['order_id', 'ordered_at', 'total', 'currency', 'status', 'number', 'email', 'phone'],
      ...['external_customer_id', 'country', 'shipping', 'tax', 'discount', 'coupon_codes', 'payment_fee'],
      ...['payment_method', 'shipping_method', 'cancelled_at', 'utm_source', 'utm_medium', 'utm_campaign'],
    ]),
    ...fieldsOf('order_items', [
      'name',
      'external_product_id',
      'quantity',
      'unit_price',
      'line_total',
      ...LINE_DISCOUNTS,
      'kind',
    ]),
    ...fieldsOf('refunds', ['amount', 'refunded_at']),
  ],
  order_items: fieldsOf('order_items', [
    ...[
      'order_id',
      'name',
      'external_product_id',
      'quantity',
      'unit_price',
      'line_total',
      ...LINE_DISCOUNTS,
      'kind',
    ],
  ]),
  products: fieldsOf('products', [
    ...['external_product_id', 'name', 'price', 'original_price', 'purchase_price', 'sku', 'ean', 'brand'],
    ...['external_master_product_id', 'categories', 'stock_quantity', 'url', 'image_url', 'created_at'],
  ]),
  profiles: fieldsOf('profiles', [
    ...['profile_id', 'email', 'phone', 'country', 'language', 'birthday', 'tags', 'created_at'],
  ]),
  refunds: fieldsOf('refunds', ['refund_id', 'order_id', 'refunded_at', 'amount']),
};

function fieldsOf(table: string, columns: readonly string[]): string[] {
  return columns.map((column) => `${table}.${column}`);
}

/**
 * What one line of an order cost altogether. It is no column of ours: divided by its pieces it is the price
 * of one.
 */
const LINE_TOTAL = 'order_items.line_total';
const STATUSES = `{pending: pending, ${[...KNOWN_STATUSES].map(([word, status]) => `${word}: ${status}`).join(', ')}}`;
const LINE_KINDS =
  '{product: product, line_item: product, shipping: shipping, payment: payment, billing: payment, fee: payment, discount: discount, coupon: discount, discount-coupon: discount, gift: gift}';
const LISTS = ['coupon_codes', 'categories', 'tags'];

/** What a person chose for a table, or what is proposed. */
export interface MappingChoices {
  readonly kind: Kind;
  /** The field of each column; an empty text for one that is not read. */
  readonly fields: readonly string[];
  /** The order of dates such as `3/4/2026`, where the cells do not tell it. */
  readonly dates: 'dmy' | 'mdy' | null;
  /** The decimal sign of numbers with something beside their digits, where the cells do not tell it. */
  readonly decimal: 'comma' | 'point' | null;
  /** Whether cells that stand in the first row of an order alone are those of the rows below. */
  readonly fillsDown: boolean;
  /** Whether prices of lines are before the discounts that stand beside them. */
  readonly prices?: 'before' | 'after' | null;
}

/** A column as it is offered to a person. */
export interface ColumnToMap
  extends Pick<
    ColumnLooks,
    'title' | 'filled' | 'looks' | 'pattern' | 'isEitherOrder' | 'hasDigits' | 'isZero' | 'first'
  > {
  /** Whether its title names it, and no other column. */
  readonly isNamed: boolean;
}

/** Decides which columns a mapping can name by their titles. The others are named by their places. */
export function withNames(
  columns: readonly ColumnLooks[],
  shown: (text: string) => string,
): readonly ColumnToMap[] {
  const names = columns.map(({ title }) => columnName(title));
  return columns.map(({ values: _, ...column }, place) => {
    const { title } = column;
    const isOne = names.filter((name) => name === names[place]).length === 1;
    const isPlain = title.length > 0 && title.length <= 200 && !/\p{Cc}|\p{Cs}|[<>]/u.test(title);
    const isNamed = isOne && isPlain && title.trim() === title && shown(title) === title;
    return { ...column, title: shown(title).slice(0, 200), isNamed };
  });
}

/** The kind that a table seems to be; null where nothing tells it. */
export function kindOf(proposals: readonly Proposal[]): Kind | null {
  return KINDS.find((kind) => proposals.some(({ table }) => table === kind)) ?? null;
}

/** The choices that a person finds made, by what was proposed in all of our tables. */
export function proposedChoices(
  columns: readonly ColumnLooks[],
  all: readonly Proposal[],
  kind: Kind,
): MappingChoices {
  const tables = new Set(FIELDS[kind].map(tableOf));
  const meant = [...tables].filter(
    (table) =>
      table === kind ||
      (kind === 'orders' && table === 'refunds' && all.some((each) => isRefunded(each))) ||
      isMeant(canonicalTable(table), all),
  );
  const order = ['high', 'medium', 'low'];
  const fields = columns.map((column) => {
    const [best] = all
      .filter(({ from, table }) => from === column && meant.includes(table))
      .map((each) => ({ ...each, field: `${each.table}.${each.column}` }))
      .filter(({ field }) => FIELDS[kind].includes(field))
      .sort((one, other) => order.indexOf(one.confidence) - order.indexOf(other.confidence));
    return best?.field ?? '';
  });
  return { kind, fields, dates: null, decimal: null, fillsDown: false };
}

function isRefunded({ table, column }: Proposal): boolean {
  return table === 'refunds' && column === 'amount';
}

/** What else must be said about the columns that were chosen. */
export function openQuestions(
  columns: readonly ColumnToMap[],
  { kind, fields }: Pick<MappingChoices, 'kind' | 'fields'>,
): Readonly<Record<'dates' | 'decimal' | 'fillsDown' | 'prices', boolean>> {
  const chosen = columns.filter((_, place) => (fields[place] ?? '') !== '');
  const rows = Math.max(0, ...columns.map(({ filled }) => filled));
  const id = columns[fields.indexOf(`${kind}.order_id`)];
  return {
    dates: chosen.some(({ isEitherOrder }) => isEitherOrder),
    decimal: columns.some(
      (column, place) => isNumber(columnOf(fields[place] ?? '')) && column.looks === 'text',
    ),
    fillsDown: kind.startsWith('order') && id !== undefined && id.filled < rows,
    prices:
      hasPrice(fields) && columns.some(({ isZero }, place) => isDiscount(fields[place] ?? '') && !isZero),
  };
}

function hasPrice(fields: readonly string[]): boolean {
  return fields.includes('order_items.unit_price') || fields.includes(LINE_TOTAL);
}

function isDiscount(field: string): boolean {
  return field === 'orders.discount' || discountOf(field) !== null;
}

/** What a field of a line's discount is of; null for any other field. */
function discountOf(field: string): DiscountKind | null {
  const found = LINE_DISCOUNTS.find((name) => field === `order_items.${name}`);
  return found === undefined ? null : (found.replace('_discount', '') as DiscountKind);
}

/**
 * The mapping that choices make. Its name is made of the kind and of the titles, so that a table with the
 * same columns has one.
 *
 * @throws InputError in words for a page, when something that is needed is missing
 */
export function mappingOf(
  file: string,
  columns: readonly ColumnToMap[],
  choices: MappingChoices,
): { readonly name: string; readonly text: string } {
  const { kind, fields } = choices;
  const chosen = fields.filter((field) => field !== '');
  const twice = chosen.find((field, index) => chosen.indexOf(field) !== index);
  if (twice !== undefined)
    throw new InputError(`Two columns are chosen for “${fieldLabel(twice)}”. Choose one of them.`);
  const named = columns.filter(({ isNamed }) => isNamed).map(({ title }) => title);
  if (named.length < 2)
    throw new InputError(
      'A table is recognised by the titles of its columns, and fewer than two here have a title of their own. Write titles into the first row and upload it again.',
    );
  const tables = [...new Set([kind, ...chosen.map(tableOf)])];
  const blocks = tables.map((name) => blockOf(canonicalTable(name), columns, choices));
  const open = openQuestions(columns, choices);
  if (open.dates && choices.dates === null)
    throw new InputError('Say whether the day or the month comes first in the dates.');
  if (open.decimal && choices.decimal === null)
    throw new InputError('Say whether a comma or a point parts the decimals.');
  if (open.prices && (choices.prices ?? null) === null)
    throw new InputError(
      'Say whether the prices of lines are before or after the discount: the sums of the orders do not tell it.',
    );
  if (fields.filter((field) => discountOf(field) !== null).length > 1)
    throw new InputError('Choose one column for the discount of a line: as an amount or in percent.');
  const missing = blocks.flatMap(({ missing }) => missing);
  if (missing.length === 1 && missing[0] === 'orders.total' && tables.includes('order_items'))
    throw new InputError(
      'No column is chosen for “Order: total paid, with VAT and shipping”. It is not made of the lines, which may lack shipping and discounts: add a column to the file that has the total of the order in each of its rows.',
    );
  if (missing.length > 0)
    throw new InputError(
      `No column is chosen for ${missing.map((field) => `“${fieldLabel(field)}”`).join(', ')}, without which rows mean nothing.`,
    );
  const at = fields.indexOf(`${kind}.order_id`);
  const lines = [
    `name: ${nameOf(kind, columns)}`,
    `title: ${JSON.stringify(`Columns of ${file.slice(0, 150)}, as they were chosen`)}`,
    `recognise: [${named.slice(0, MOST_TITLES).map(quoted).join(', ')}]`,
    ...(choices.fillsDown && at >= 0
      ? [
          `fill_down: [${columns.flatMap((column, place) => ((fields[place] ?? '').startsWith('orders.') || place === at ? [reference(column, place)] : [])).join(', ')}]`,
        ]
      : []),
    'tables:',
    ...blocks.flatMap(({ table, cells }) => [
      `  ${table}:`,
      ...cells.map(([column, expression]) => `    ${column}: ${expression}`),
      ...(table === 'order_items' && sharesDiscount(choices) ? ['    shares_discount: true'] : []),
    ]),
    '',
  ];
  return { name: nameOf(kind, columns), text: lines.join('\n') };
}

/** Whether a discount of the whole order is still in the prices of its lines. */
function sharesDiscount({ fields, prices }: MappingChoices): boolean {
  const isOfLines = fields.some((field) => discountOf(field) !== null);
  return prices === 'before' && !isOfLines && fields.includes('orders.discount');
}

/** This many titles tell a table. A mapping names at most 500 columns. */
const MOST_TITLES = 100;

/** The same for the same titles, for anybody who maps them. */
export function fingerprint(columns: readonly ColumnToMap[]): string {
  return createHash('sha256')
    .update(JSON.stringify(columns.map(({ title }) => columnName(title))))
    .digest('hex')
    .slice(0, 12);
}

function nameOf(kind: Kind, columns: readonly ColumnToMap[]): string {
  return `our-${kind.replace('_', '-')}-${fingerprint(columns)}`;
}

interface WrittenBlock {
  readonly table: string;
  readonly cells: readonly (readonly [column: string, expression: string])[];
  readonly missing: readonly string[];
}

function blockOf(
  table: CanonicalTable,
  columns: readonly ColumnToMap[],
  choices: MappingChoices,
): WrittenBlock {
  const placeOf = (field: string) => choices.fields.indexOf(field);
  const written = (column: string, field = `${table.name}.${column}`) => {
    const place = placeOf(field);
    const found = columns[place];
    return found === undefined ? null : expressionOf(column, found, place, choices);
  };
  const cells = new Map<string, string>();
  for (const column of Object.keys(table.columns)) {
    const expression = written(column);
    if (expression !== null) cells.set(column, expression);
  }
  const own = (field: string) => {
    const place = placeOf(field);
    const found = columns[place];
    return found === undefined ? null : reference(found, place);
  };
  const missing: string[] = [];
  if (table.name === 'order_items') {
    // The number of the order stands in the same row.
    const order = cells.get('order_id') ?? written('order_id', 'orders.order_id');
    if (order !== null) cells.set('order_id', order);
    const total = written('unit_price', LINE_TOTAL);
    const pieces = cells.get('quantity');
    if (!cells.has('unit_price') && total !== null && pieces !== undefined)
      cells.set('unit_price', `{quotient: [${total}, ${pieces}]}`);
    const unit = cells.get('unit_price');
    const discount = choices.fields.find((field) => discountOf(field) !== null);
    const off = discount === undefined ? null : written('unit_price', discount);
    const of = discountOf(discount ?? '');
    if (
      choices.prices === 'before' &&
      unit !== undefined &&
      pieces !== undefined &&
      off !== null &&
      of !== null
    )
      cells.set('unit_price', priceLess(unit, pieces, of, off));
  }
  if (table.name === 'refunds' && choices.kind === 'orders') {
    // One amount for all refunds of an order gets the number of the order, and its day where no other day is
    // there.
    const [id, day] = [written('refund_id', 'orders.order_id'), written('refunded_at', 'orders.ordered_at')];
    if (id !== null) for (const column of ['refund_id', 'order_id']) cells.set(column, id);
    if (day !== null && !cells.has('refunded_at')) cells.set('refunded_at', day);
  }
  const amount = table.name === 'refunds' ? cells.get('amount') : undefined;
  // Some systems write what they paid back below zero.
  if (amount !== undefined) cells.set('amount', `{absolute: ${amount}}`);
  if ('external_product_id' in table.columns) {
    const [id, name] = [own(`${table.name}.external_product_id`), own(`${table.name}.name`)];
    if (name !== null)
      cells.set(
        'external_product_id',
        id === null ? `{named: ${name}}` : `{first: [${id}, {named: ${name}}]}`,
      );
    if (id === null && name === null) missing.push(`${table.name}.external_product_id`);
  }
  // Who has no id of the shop is known by the address, which is hashed as every one.
  if (table.name === 'profiles' && !cells.has('profile_id')) {
    const address = own('profiles.email');
    if (address !== null) cells.set('profile_id', address);
  }
  for (const [column, { required }] of Object.entries(table.columns))
    if (required && !cells.has(column)) missing.push(`${table.name}.${column}`);
  return { table: table.name, cells: [...cells], missing: [...new Set(missing)] };
}

/** What the cells of all rows tell of the sign before decimals. */
const DECIMALS: Readonly<Record<string, 'comma' | 'point'>> = {
  'decimal comma': 'comma',
  'decimal point': 'point',
};

function expressionOf(
  column: string,
  looks: ColumnToMap,
  place: number,
  { dates, decimal }: MappingChoices,
): string {
  const own = reference(looks, place);
  // Another text is asked for when the files are read.
  if (column === 'status') return `{map: ${own}, values: ${STATUSES}}`;
  // Another text is refused: what is no product must not be counted as one.
  if (column === 'kind') return `{map: ${own}, values: ${LINE_KINDS}}`;
  if (LISTS.includes(column)) return `{split: ${own}, by: ","}`;
  if (isNumber(column)) {
    const sign = DECIMALS[looks.looks] ?? (looks.looks === 'text' ? decimal : null);
    return sign === null ? own : `{number: ${own}, decimal: ${sign}}`;
  }
  if (looks.looks !== 'date' || looks.pattern === null) return own;
  const pattern = looks.isEitherOrder && dates === 'mdy' ? monthFirst(looks.pattern) : looks.pattern;
  return `{date: ${own}, pattern: ${quoted(pattern)}}`;
}

function reference({ title, isNamed }: ColumnToMap, place: number): string {
  return isNamed ? quoted(title) : String(place + 1);
}

function quoted(text: string): string {
  return JSON.stringify(text);
}

/**
 * The choices that a mapping was made of, so that somebody can change it; null if it says more than choices
 * can.
 */
export function choicesOf(mapping: Mapping, columns: readonly ColumnToMap[]): MappingChoices | null {
  const kind = KINDS.find((each) => mapping.blocks[0]?.table.name === each);
  if (kind === undefined) return null;
  const names = columns.map(({ title }) => columnName(title));
  const placeOf = (column: ColumnName) =>
    typeof column === 'number' ? column - 1 : names.indexOf(columnName(column));
  const fields = columns.map(() => '');
  let dates: MappingChoices['dates'] = null;
  let decimal: MappingChoices['decimal'] = null;
  const note = (expression: Expression) => {
    if (expression.kind === 'date') {
      if (/^MM[/-]DD/.test(expression.pattern ?? '')) dates = 'mdy';
      if (/^DD[/-]MM/.test(expression.pattern ?? '')) dates = 'dmy';
    }
    if (expression.kind === 'number') decimal = expression.decimal;
    if ('of' in expression) for (const each of expression.of) note(each);
  };
  for (const { table, cells } of mapping.blocks)
    for (const [column, expression] of cells) {
      note(expression);
      const { price, discount, of } = partsOfPrice(expression);
      const [first] = columnsIn(price);
      const field = price.kind === 'quotient' ? LINE_TOTAL : `${table.name}.${column}`;
      const place = first === undefined ? -1 : placeOf(first);
      const off = discount === null ? -1 : placeOf(columnsIn(discount)[0] ?? '');
      if (off in fields && of !== null) fields[off] = `order_items.${of}_discount`;
      // What is made of the name alone, or repeats a column of another field, is no choice.
      const isMade = expression.kind === 'named' || (fields[place] ?? '') !== '';
      if (place in fields && !isMade && FIELDS[kind].includes(field)) fields[place] = field;
    }
  const isBefore =
    mapping.blocks.some(({ sharesDiscount }) => sharesDiscount) ||
    fields.some((field) => discountOf(field) !== null);
  const prices = isBefore
    ? 'before'
    : fields.includes('orders.discount') && hasPrice(fields)
      ? 'after'
      : null;
  return { kind, fields, dates, decimal, fillsDown: mapping.fillDown.length > 0, prices };
}

/** The parts of an expression that `priceLess` made. Any other one is a price without a discount. */
function partsOfPrice(expression: Expression): {
  readonly price: Expression;
  readonly discount: Expression | null;
  readonly of: DiscountKind | null;
} {
  const none = { price: expression, discount: null, of: null };
  if (expression.kind === 'percent_off') {
    const [price = expression, discount = null] = expression.of;
    return { price, discount, of: 'percent' };
  }
  const [less] = expression.kind === 'first' ? expression.of : [];
  if (less?.kind !== 'difference') return none;
  const [price = expression, off] = less.of;
  if (off?.kind === 'absolute') return { price, discount: off, of: 'piece' };
  return off?.kind === 'quotient' ? { price, discount: off.of[0] ?? null, of: 'line' } : none;
}

function tableOf(field: string): string {
  return field.split('.')[0] ?? '';
}

function columnOf(field: string): string {
  return field === LINE_TOTAL || discountOf(field) !== null ? 'unit_price' : (field.split('.')[1] ?? '');
}

/** A field in words: `Order: date`. */
export function fieldLabel(field: string): string {
  const [table = '', column = ''] = field.split('.');
  return `${NOUNS[table] ?? table}: ${WORDS[field] ?? column.replaceAll('_', ' ')}`;
}

const NOUNS: Readonly<Record<string, string>> = {
  orders: 'Order',
  order_items: 'Line',
  products: 'Product',
  profiles: 'Customer',
  refunds: 'Refund',
};

const WORDS: Readonly<Record<string, string>> = {
  'orders.order_id': 'number or id',
  'orders.ordered_at': 'date',
  'orders.total': 'total paid, with VAT and shipping',
  'orders.number': 'number for people, beside the id',
  'orders.email': 'e-mail of the customer',
  'orders.phone': 'phone of the customer',
  'orders.external_customer_id': 'id of the customer',
  'orders.shipping': 'shipping paid',
  'orders.tax': 'VAT in the total, as an amount',
  'orders.discount': 'discount of the whole order, as an amount',
  'orders.cancelled_at': 'date of the cancellation',
  'order_items.order_id': 'number or id of its order',
  'order_items.external_product_id': 'code of the product',
  'order_items.name': 'name of the product',
  'order_items.kind': 'what it is: product, shipping, payment, discount',
  'order_items.unit_price': 'price of one piece, with VAT',
  'order_items.line_total': 'price of all its pieces, with VAT',
  'order_items.line_discount': 'discount of all its pieces, as an amount',
  'order_items.piece_discount': 'discount of one piece, as an amount',
  'order_items.percent_discount': 'discount in percent',
  'products.external_product_id': 'code or id',
  'products.external_master_product_id': 'id of all its variants together',
  'products.price': 'price, with VAT',
  'products.original_price': 'price before the reduction',
  'products.purchase_price': 'what it cost you, without VAT',
  'products.created_at': 'date when it was made',
  'profiles.profile_id': 'id',
  'profiles.email': 'e-mail',
  'profiles.created_at': 'date when it was made',
  'refunds.refund_id': 'id',
  'refunds.order_id': 'number or id of its order',
  'refunds.refunded_at': 'date',
  'refunds.amount': 'amount paid back',
};
