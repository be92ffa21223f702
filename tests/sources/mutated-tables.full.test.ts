import fc from 'fast-check';
import { expect, it } from 'vitest';
import { InputError } from '../../src/errors.ts';
import { mappingOf } from '../../src/sources/mapping/chosen-columns.ts';
import type { Settings } from '../../src/sources/source.ts';
import { runs } from '../support/runs.ts';
import {
  COLUMNS,
  csvRow,
  DAMAGES,
  DATES,
  isoDay,
  LANGUAGES,
  type MadeColumn,
  type MadeOrder,
  MONEY,
  madeOrders,
  oneByteOf,
  SEPARATORS,
} from './mutated-tables.ts';
import { lookAtTable } from './proposed-table.ts';
import { translateFiles } from './translated.ts';

const keys = <T extends object>(of: T) => fc.constantFrom(...(Object.keys(of) as (keyof T & string)[]));

const mutation = fc.record({
  seed: fc.nat({ max: 10_000 }),
  count: fc.integer({ min: 4, max: 30 }),
  language: fc.constantFrom(...LANGUAGES),
  title: fc.nat({ max: 3 }),
  dropped: fc.uniqueArray(fc.nat({ max: COLUMNS.length - 1 }), { maxLength: 4 }),
  order: fc.shuffledSubarray([...COLUMNS.keys()], { minLength: COLUMNS.length }),
  money: keys(MONEY),
  date: keys(DATES),
  damage: fc.oneof({ weight: 3, arbitrary: fc.constant('none') }, { weight: 2, arbitrary: keys(DAMAGES) }),
  separator: fc.constantFrom('comma', 'comma', 'semicolon', 'semicolon', 'tab', 'bar') as fc.Arbitrary<
    keyof typeof SEPARATORS
  >,
  encoding: fc.constantFrom('utf-8', 'mark', 'utf-16', 'windows-1250', 'windows-1251', 'windows-1252'),
  inOneCell: fc.nat({ max: 9 }).map((one) => one === 0),
});
type Mutation = typeof mutation extends fc.Arbitrary<infer T> ? T : never;

interface Made {
  readonly bytes: Buffer;
  readonly encoding: string | undefined;
  readonly orders: readonly MadeOrder[];
  readonly columns: readonly MadeColumn[];
}

function made(of: Mutation): Made {
  const orders = madeOrders(of.seed, of.count);
  const columns = of.order
    .filter((place) => !of.dropped.includes(place))
    .map((place) => COLUMNS[place])
    .filter((column) => column !== undefined);
  const separator = SEPARATORS[of.separator];
  const titles = columns.map(({ titles }) => {
    const own = titles[of.language] ?? [];
    return own[of.title % own.length] ?? '';
  });
  const cellOf = (column: MadeColumn, order: MadeOrder, line: MadeOrder['lines'][number]) => {
    const cell = column.cell(order, line);
    const text =
      column.kind === 'date'
        ? (DATES[of.date]?.(order) ?? '')
        : column.kind === 'money'
          ? (MONEY[of.money]?.(Number(cell)) ?? '')
          : String(cell);
    return DAMAGES[of.damage]?.(text, column) ?? text;
  };
  const rows = orders.flatMap((order) =>
    order.lines.map((line) => columns.map((column) => cellOf(column, order, line))),
  );
  const lines = [titles, ...rows].map((row, index) => {
    const text = csvRow(row, separator);
    return of.inOneCell && index > 0 ? `"${text.replaceAll('"', '""')}";` : text;
  });
  const text = `${lines.join('\r\n')}\r\n`;
  const oneByte = of.encoding.startsWith('windows') ? oneByteOf(text, of.encoding) : null;
  const bytes =
    oneByte ??
    (of.encoding === 'utf-16'
      ? Buffer.from(`\uFEFF${text}`, 'utf16le')
      : Buffer.from(of.encoding === 'mark' ? `\uFEFF${text}` : text));
  return { bytes, encoding: oneByte === null ? undefined : of.encoding, orders, columns };
}

/** What a careful person answers: the truth of the mutation. */
function answers(of: Mutation) {
  return {
    dates: of.date.startsWith('month first') ? ('mdy' as const) : ('dmy' as const),
    decimal:
      (MONEY[of.money]?.(123456) ?? '').match(/[.,](?=\d+\D*$)/)?.[0] === ','
        ? ('comma' as const)
        : ('point' as const),
  };
}

const SETTINGS: Settings = {
  timezone: 'UTC',
  currency: 'EUR',
  status: 'X-storno=cancelled\nX-done=fulfilled',
};

/** An invoice for each order tells orders apart as their own numbers do, where those are not there. */
function isTrue(field: string, columns: readonly MadeColumn[], place: number): boolean {
  const column = columns[place];
  const hasNumber = columns.some(({ is }) => is === 'orders.order_id');
  return (
    field === column?.is ||
    (field === 'orders.order_id' && column?.kind === 'code' && column.is === '' && !hasNumber)
  );
}

/** Whether the table was read, and rightly: false where rows of it are listed. */
async function check(of: Mutation): Promise<boolean> {
  let isRead = false;
  const file = made(of);
  const table = await lookAtTable(file.bytes, file.encoding);
  const { dates, decimal } = answers(of);
  // What is proposed as more than a guess is right.
  const wrong = table.proposed.orders.flatMap(({ field, confidence, why }, place) =>
    field !== '' && confidence !== 'low' && !isTrue(field, file.columns, place)
      ? [
          `${table.columns[place]?.title} is ${file.columns[place]?.is}, and proposed as ${field}: ${confidence} by ${why}`,
        ]
      : [],
  );
  expect(wrong.join('\n')).toBe('');
  const fields = file.columns.map(({ is }) => is);
  const hasPrice = fields.includes('order_items.unit_price');
  const chosen = fields.map((field) => (field === 'order_items.line_total' && hasPrice ? '' : field));
  const hasLines =
    ['quantity', 'external_product_id'].every((name) => fields.includes(`order_items.${name}`)) &&
    (hasPrice || fields.includes('order_items.line_total'));
  const kind = 'orders' as const;
  const ours = hasLines ? chosen : chosen.map((field) => (field.startsWith('order_items.') ? '' : field));
  const { text } = mappingOf('table.csv', table.columns, {
    kind,
    fields: ours,
    dates,
    decimal,
    fillsDown: false,
  });
  const settings = {
    ...SETTINGS,
    dates,
    ...(file.encoding === undefined ? {} : { encoding: file.encoding }),
  };
  await translateFiles(
    { 'table.csv': file.bytes },
    async ({ rows, rejects }) => {
      if (rejects.length > 0) return;
      isRead = true;
      const truth = file.orders;
      const sum = (of: (order: MadeOrder) => number) =>
        truth.reduce((total, order) => total + of(order), 0) / 100;
      expect(await rows('orders', 'count(*), sum(total)')).toEqual([
        [truth.length, sum(({ total }) => total)],
      ]);
      const days = new Set(truth.map(isoDay));
      expect(await rows('orders', `distinct strftime(ordered_at, '%Y-%m-%d')`)).toEqual(
        [...days].sort().map((day) => [day]),
      );
      if (fields.includes('orders.status'))
        expect(await rows('orders', 'count(*)', `status = 'cancelled'`)).toEqual([
          [truth.filter(({ isCancelled }) => isCancelled).length],
        ]);
      if (fields.includes('orders.shipping'))
        expect(await rows('orders', 'sum(shipping)')).toEqual([[sum(({ shipping }) => shipping)]]);
      if (!hasLines) return;
      const goods = sum(({ total, shipping }) => total - shipping);
      expect(
        await rows(
          'order_items',
          'sum(quantity), round(sum(quantity * unit_price), 2), count(distinct external_product_id)',
        ),
      ).toEqual([
        [
          truth.reduce((total, { lines }) => total + lines.reduce((all, { pieces }) => all + pieces, 0), 0),
          goods,
          new Set(truth.flatMap(({ lines }) => lines.map(({ sku }) => sku))).size,
        ],
      ]);
    },
    settings,
    text,
  );
  return isRead;
}

it('a mutated table that nothing knows is proposed rightly, and imported rightly, refused, or its rows are listed', async () => {
  let right = 0;
  await fc.assert(
    fc.asyncProperty(mutation, async (of) => {
      try {
        if (await check(of)) right += 1;
      } catch (error) {
        if ((error as Error).name !== 'ImportError' && !(error instanceof InputError)) throw error;
      }
    }),
    { numRuns: runs(8) },
  );
  // A test of refusals alone would prove little.
  expect(right).toBeGreaterThan(runs(8) / 4);
});
