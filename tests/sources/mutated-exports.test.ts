import fc from 'fast-check';
import { expect, it } from 'vitest';
import { csvText } from '../oracle/csv-text.ts';
import { runs } from '../support/runs.ts';
import { countShopifyOrders } from './count-shopify-orders.ts';
import { translateFiles } from './translated.ts';

const HEADER = [
  ...[
    'Name',
    'Email',
    'Financial Status',
    'Currency',
    'Subtotal',
    'Shipping',
    'Taxes',
    'Total',
    'Discount Amount',
  ],
  ...['Created at', 'Lineitem quantity', 'Lineitem name', 'Lineitem price', 'Lineitem sku', 'Cancelled at'],
  ...['Refunded Amount', 'Id', 'Lineitem discount', 'Notes'],
];

const cents = fc.integer({ min: 0, max: 99_999 });
const money = (amount: number) => (amount / 100).toFixed(2);

const order = fc.record({
  lines: fc.array(fc.tuple(fc.integer({ min: 1, max: 5 }), cents), { minLength: 1, maxLength: 4 }),
  shipping: cents,
  status: fc.constantFrom('paid', 'pending', 'voided', 'refunded', 'partially_refunded', 'expired'),
  isCancelled: fc.boolean(),
  note: fc.constantFrom('', 'a "note", of two\nlines', 'Žluťoučký kůň'),
});

const exported = fc.array(order, { minLength: 1, maxLength: 6 }).map((orders) =>
  orders.flatMap(({ lines, shipping, status, isCancelled, note }, index) => {
    const subtotal = lines.reduce((sum, [quantity, price]) => sum + quantity * price, 0);
    const total = subtotal + shipping;
    const refunded =
      status === 'refunded' ? total : status === 'partially_refunded' ? Math.floor(total / 3) : 0;
    const name = `#${1001 + index}`;
    const moment = `2026-03-${String(index + 1).padStart(2, '0')} 10:00:00 +0100`;
    return lines.map(([quantity, price], place) => {
      const line = [String(quantity), `Product ${place}`, money(price), `SKU-${place}`];
      if (place > 0) return [name, '', '', '', '', '', '', '', '', moment, ...line, '', '', '', '0.00', ''];
      const first = [
        name,
        'a@example.com',
        status,
        'EUR',
        money(subtotal),
        money(shipping),
        '0.00',
        money(total),
        '0.00',
      ];
      return [
        ...first,
        moment,
        ...line,
        isCancelled ? moment : '',
        money(refunded),
        `6000${index}`,
        '0.00',
        note,
      ];
    });
  }),
);

type Rows = readonly (readonly string[])[];

/** Each changes a file, and says which columns it took away. */
const mutation = fc.oneof(
  fc.shuffledSubarray(HEADER, { minLength: HEADER.length - 6 }).map((columns) => ({
    name: `the columns ${columns.join(', ')}`,
    dropped: HEADER.filter((name) => !columns.includes(name)),
    rows: (rows: Rows) => rows.map((row) => columns.map((column) => row[HEADER.indexOf(column)] ?? '')),
  })),
  fc.constantFrom('upper', 'lower', 'padded').map((way) => ({
    name: `names of columns in ${way}`,
    dropped: [] as string[],
    rows: ([header = [], ...rows]: Rows) => [
      header.map((cell) =>
        way === 'upper' ? cell.toUpperCase() : way === 'lower' ? cell.toLowerCase() : ` ${cell} `,
      ),
      ...rows,
    ],
  })),
  fc.nat({ max: 20 }).map((place) => ({
    name: `without its row ${place}`,
    dropped: [] as string[],
    rows: (rows: Rows) => rows.filter((_, index) => index === 0 || index !== place),
  })),
);

const encoding = fc.constantFrom('utf8', 'utf16le', 'latin1', 'mark', 'LF', 'semicolons');
const cut = fc.option(fc.nat({ max: 200 }), { nil: 0, freq: 1 });

function bytesOf(rows: Rows, way: string): Buffer {
  const text = csvText(rows.map((row) => [...row]));
  if (way === 'semicolons') {
    const cell = (value: string) => (/[";\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);
    return Buffer.from(rows.map((row) => `${row.map(cell).join(';')}\n`).join(''));
  }
  if (way === 'utf16le') return Buffer.from(`\uFEFF${text}`, 'utf16le');
  if (way === 'latin1') return Buffer.from(text, 'latin1');
  return Buffer.from(
    `${way === 'mark' ? '\uFEFF' : ''}${way === 'LF' ? text.replaceAll('\r\n', '\n') : text}`,
  );
}

it('a mutated order export gives the right numbers, is refused, or says what is missing', async () => {
  await fc.assert(
    fc.asyncProperty(
      exported,
      mutation,
      encoding,
      cut,
      async (orders, { rows: mutate, dropped }, way, missing) => {
        const mutated = mutate([HEADER, ...orders]);
        const whole = bytesOf(mutated, way);
        const bytes = whole.subarray(0, whole.length - missing);
        const truth = countShopifyOrders(
          csvText((dropped.length === 0 ? mutated : [HEADER, ...orders]).map((row) => [...row])),
        );
        try {
          await translateFiles({ 'export.csv': bytes }, async ({ rows, rejects, sources }) => {
            if (rejects.length > 0) return;
            const said = (sources[0]?.assumptions ?? []).join('; ').toLowerCase();
            // Of a cut between two rows nobody can know.
            if (missing > 0) {
              expect(said.includes('does not end') || endsWithLine(bytes, way)).toBe(true);
              return;
            }
            const [[count, gross, valid] = []] = await rows(
              'orders',
              `count(*), coalesce(sum(total), 0), count(*) filter (status <> 'cancelled')`,
            );
            const [[refunds] = []] = await rows('refunds', 'coalesce(sum(amount), 0)');
            expect([count, gross]).toEqual([truth.orders.in_file, truth.gross / 100]);
            if (valid !== truth.orders.valid) expectSaid(said, dropped, ['Financial Status', 'Cancelled at']);
            if (refunds !== truth.refunds / 100) expectSaid(said, dropped, ['Refunded Amount']);
          });
        } catch (error) {
          if ((error as Error).name !== 'ImportError') throw error;
        }
      },
    ),
    { numRuns: runs(15) },
  );
});

function endsWithLine(bytes: Buffer, way: string): boolean {
  return (
    bytes.toString(way === 'utf16le' ? 'utf16le' : 'latin1').endsWith('\n') ||
    bytes.toString('latin1').endsWith('\r')
  );
}

/** A number may differ for want of a column, which the report tells. */
function expectSaid(said: string, dropped: readonly string[], columns: readonly string[]): void {
  const missing = columns.filter((column) => dropped.includes(column));
  expect(missing).not.toEqual([]);
  for (const column of missing) expect(said).toContain(`no column "${column.toLowerCase()}"`);
}
