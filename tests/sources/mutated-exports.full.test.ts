import fc from 'fast-check';
import { expect, it } from 'vitest';
import { csvText } from '../oracle/csv-text.ts';
import { runs } from '../support/runs.ts';
import { countShopifyOrders } from './count-shopify-orders.ts';
import { countWoocommerceProducts } from './count-woocommerce-products.ts';
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
const mutationOf = (names: readonly string[]) =>
  fc.oneof(
    fc.shuffledSubarray([...names], { minLength: names.length - 6 }).map((columns) => ({
      name: `the columns ${columns.join(', ')}`,
      dropped: names.filter((name) => !columns.includes(name)),
      rows: (rows: Rows) => rows.map((row) => columns.map((column) => row[names.indexOf(column)] ?? '')),
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
      mutationOf(HEADER),
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
            // Nobody can know of a cut between two rows.
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

/**
 * As a plugin of WooCommerce writes it, which a mapping reads: each line of an order on a row with all of the
 * order.
 */
const MAPPED_HEADER = [
  ...[
    'order_id',
    'date',
    'status',
    'order_total',
    'order_currency',
    'shipping_total',
    'shipping_tax_total',
    'refunded_total',
  ],
  ...[
    'billing_email',
    'item_sku',
    'item_name',
    'item_quantity',
    'item_total',
    'item_total_tax',
    'customer_note',
  ],
];

const mapped = fc.array(order, { minLength: 1, maxLength: 6 }).map((orders) =>
  orders.flatMap(({ lines, shipping, isCancelled, note }, index) => {
    const total = lines.reduce((sum, [quantity, price]) => sum + quantity * price, 0) + shipping;
    return lines.map(([quantity, price], place) => [
      ...[`${7000 + index}`, `2026-03-${String(index + 1).padStart(2, '0')} 10:00:00`],
      ...[isCancelled ? 'cancelled' : 'completed', money(total), 'EUR', money(shipping), '0.00'],
      ...[
        index % 2 === 0 ? '' : money(Math.floor(total / 3)),
        'a@example.com',
        `SKU-${place}`,
        `Product ${place}`,
      ],
      ...[String(quantity), money(quantity * price), '0.00', note],
    ]);
  }),
);

it('a mutated export that a mapping reads gives the right numbers, is refused, or says what is missing', async () => {
  await fc.assert(
    fc.asyncProperty(
      mapped,
      mutationOf(MAPPED_HEADER),
      encoding,
      cut,
      async (orders, { rows: mutate, dropped }, way, missing) => {
        const mutated = mutate([MAPPED_HEADER, ...orders]);
        const whole = bytesOf(mutated, way);
        const bytes = whole.subarray(0, whole.length - missing);
        const truth = countMapped(dropped.length === 0 ? mutated : [MAPPED_HEADER, ...orders]);
        const settings = { timezone: 'Europe/Prague', currency: 'EUR' };
        await translateFiles(
          { 'export.csv': bytes },
          async ({ rows, rejects, sources, counts }) => {
            if (rejects.length > 0) return;
            const said = (sources[0]?.assumptions ?? []).join('; ').toLowerCase();
            if (missing > 0) {
              expect(said.includes('does not end') || endsWithLine(bytes, way)).toBe(true);
              return;
            }
            const [[count, gross, valid] = []] = await rows(
              'orders',
              `count(*), coalesce(sum(total), 0), count(*) filter (status <> 'cancelled')`,
            );
            // What the files lack leaves a table out.
            const sum = async (table: string, sql: string) =>
              counts[table] === undefined ? 0 : (await rows(table, `coalesce(sum(${sql}), 0)`))[0]?.[0];
            const refunds = await sum('refunds', 'amount');
            const sold = await sum('order_items', 'cast(round(quantity * unit_price * 100) as integer)');
            expect([count, gross]).toEqual([truth.orders, truth.gross / 100]);
            if (sold !== truth.sold) expectSaid(said, dropped, ['item_total_tax']);
            if (valid !== truth.valid) expectSaid(said, dropped, ['status']);
            if (refunds !== truth.refunds / 100) expectSaid(said, dropped, ['refunded_total']);
          },
          settings,
        ).catch((error: Error) => {
          if (error.name !== 'ImportError') throw error;
        });
      },
    ),
    { numRuns: runs(15) },
  );
});

/** Counts in plain TypeScript over the rows; amounts are in cents. */
function countMapped([header = [], ...lines]: Rows) {
  const names = header.map((name) => name.trim().toLowerCase());
  const cell = (row: readonly string[], name: string) => row[names.indexOf(name)] ?? '';
  const cents = (row: readonly string[], name: string) => Math.round(100 * Number(cell(row, name) || 0));
  const orders = [...new Map(lines.map((row) => [cell(row, 'order_id'), row])).values()];
  const sum = (of: Rows, name: string) => of.reduce((total, row) => total + cents(row, name), 0);
  return {
    orders: orders.length,
    gross: sum(orders, 'order_total'),
    valid: orders.filter((row) => cell(row, 'status') !== 'cancelled').length,
    refunds: sum(orders, 'refunded_total'),
    sold: sum(lines, 'item_total') + sum(lines, 'item_total_tax'),
  };
}

const PRODUCTS_HEADER = [
  ...[
    'ID',
    'Type',
    'SKU',
    'Name',
    'Published',
    'Is featured?',
    'Visibility in catalog',
    'Description',
    'Date sale price starts',
  ],
  ...[
    'In stock?',
    'Sale price',
    'Regular price',
    'Categories',
    'Parent',
    'Attribute 1 name',
    'Attribute 1 value(s)',
    'Meta: _x',
  ],
];

const product = fc.record({
  price: fc.integer({ min: 1, max: 99_999 }),
  isOnSale: fc.boolean(),
  variations: fc.nat({ max: 3 }),
  isNamed: fc.boolean(),
  description: fc.constantFrom('', 'a "note", of two\nlines', 'Žluťoučký kůň'),
  categories: fc.constantFrom('', 'Kitchen', 'Kitchen, Kitchen > Mugs'),
});

const catalogue = fc.array(product, { minLength: 1, maxLength: 5 }).map((products) =>
  products.flatMap(({ price, isOnSale, variations, isNamed, description, categories }, index) => {
    const sku = `P-${index}`;
    const prices = [isOnSale ? money(price - 1) : '', money(price)];
    const own = ['', '1', ...prices];
    if (variations === 0)
      return [
        [
          `${10 * index}`,
          'simple, virtual',
          sku,
          `Product ${index}`,
          '1',
          '0',
          'visible',
          description,
          ...own,
          categories,
          '',
          '',
          '',
          'x',
        ],
      ];
    const parent = [
      `${10 * index}`,
      'variable',
      sku,
      `Product ${index}`,
      '1',
      '0',
      'visible',
      description,
      '',
      '1',
      '',
      '',
      categories,
    ];
    const children = Array.from({ length: variations }, (_, place) => [
      ...[
        `${10 * index + place + 1}`,
        'variation',
        `${sku}-${place}`,
        isNamed ? `Product ${index} - ${place}` : '',
        '1',
        '0',
        'visible',
        '',
      ],
      ...[...own, '', sku, 'Size', `${place}`, ''],
    ]);
    return [[...parent, '', 'Size', '0, 1, 2', 'x'], ...children];
  }),
);

it('a mutated product export of WooCommerce gives the right products, is refused, or says what is missing', async () => {
  await fc.assert(
    fc.asyncProperty(
      catalogue,
      mutationOf(PRODUCTS_HEADER),
      encoding,
      cut,
      async (products, { rows: mutate, dropped }, way, missing) => {
        const mutated = mutate([PRODUCTS_HEADER, ...products]);
        const whole = bytesOf(mutated, way);
        const bytes = whole.subarray(0, whole.length - missing);
        const isWhole = dropped.length > 0;
        const truth = countWoocommerceProducts(isWhole ? [PRODUCTS_HEADER, ...products] : mutated);
        try {
          await translateFiles({ 'products.csv': bytes }, async ({ rows, rejects, sources }) => {
            if (rejects.length > 0) return;
            const said = (sources[0]?.assumptions ?? []).join('; ').toLowerCase();
            if (missing > 0) {
              expect(said.includes('does not end') || endsWithLine(bytes, way)).toBe(true);
              return;
            }
            const found = await rows(
              'products',
              'external_product_id, external_master_product_id, name, price, categories',
            );
            const wanted = truth.map(([id, parent, name, price, , categories]) => [
              id,
              parent,
              name,
              price,
              categories,
            ]);
            // A row that was cut out may have been a product whose variations stay: what only it says is told
            // to be missing.
            if (said.includes('not in the files')) {
              if (dropped.includes('ID')) expect(found.length).toBe(wanted.length);
              else expect(found.map(([id]) => id)).toEqual(wanted.map(([id]) => id));
              return;
            }
            const column = (rows: readonly (readonly unknown[])[], place: number) =>
              rows.map((row) => row[place]);
            expect(found.length).toBe(wanted.length);
            const PLACES = [
              ['ID', 'SKU', 'Name'],
              ['Parent', 'SKU', 'ID'],
              ['Name', 'Attribute 1 value(s)', 'Parent', 'SKU'],
              ['Sale price'],
              ['Categories', 'Parent', 'SKU'],
            ];
            for (const [place, columns] of PLACES.entries()) {
              // They stand in another order by another id.
              if (dropped.includes('ID') && place > 0) continue;
              if (JSON.stringify(column(found, place)) !== JSON.stringify(column(wanted, place)))
                expect(
                  columns.some((name) => dropped.includes(name)),
                  `column ${place}`,
                ).toBe(true);
            }
            for (const name of ['ID', 'Parent', 'Sale price', 'Categories', 'SKU'])
              if (dropped.includes(name)) expect(said).toContain(`no column "${name.toLowerCase()}"`);
          });
        } catch (error) {
          if ((error as Error).name !== 'ImportError') throw error;
        }
      },
    ),
    { numRuns: runs(15) },
  );
});
