import { describe, expect, it } from 'vitest';
import { refusalOf, translateFiles } from './translated.ts';

const PRAGUE = { timezone: 'Europe/Prague' };

describe('WooCommerce', () => {
  const FILE = `Order Number,Order Status,Order Date,Email (Billing),Order Total Amount,Order Shipping Amount,Order Refund Amount,Currency,SKU,Item Name,Quantity,Item Cost,Coupon Code
100,Completed,2026-03-05 14:00,ann@example.com,25.00,5.00,4.00,EUR,MUG,Mug,2,5.00,"ten, hello"
,,,,,,,,,Card,1,10.00,
101,Failed,2026-03-06 14:00,bob@example.com,10.00,0.00,0.00,EUR,MUG,Mug,1,10.00,
102,On hold,2026-03-06 15:00,bob@example.com,"1,010.00",0.00,,EUR,MUG,Mug,1,"1,010.00",
`;

  it('Advanced Order Export: takes the cells of an order from its first row, and asks for the timezone', async () => {
    await translateFiles(
      { 'a.csv': FILE },
      async ({ rows, rejects, sources }) => {
        expect(rejects).toEqual([]);
        expect(
          await rows(
            'orders',
            'order_id, cast(ordered_at as varchar), status, currency, total, shipping, coupon_codes',
          ),
        ).toEqual([
          ['100', '2026-03-05 13:00:00', 'fulfilled', 'EUR', 25, 5, ['ten', 'hello']],
          ['101', '2026-03-06 13:00:00', 'cancelled', 'EUR', 10, 0, []],
          ['102', '2026-03-06 14:00:00', 'pending', 'EUR', 1010, 0, []],
        ]);
        expect(
          await rows('order_items', 'order_id, line_no, external_product_id, quantity, unit_price'),
        ).toEqual([
          ['100', 1, 'MUG', 2, 5],
          ['100', 2, 'name:Card', 1, 10],
          ['101', 1, 'MUG', 1, 10],
          ['102', 1, 'MUG', 1, 1010],
        ]);
        expect(await rows('refunds', 'order_id, amount')).toEqual([['100', 4]]);
        expect(sources[0]?.source).toBe('woocommerce-advanced-order-export');
      },
      PRAGUE,
    );
    expect(await refusalOf({ 'a.csv': FILE })).toContain('a time without an offset from UTC in "Order Date"');
    expect(await refusalOf({ 'a.csv': FILE.replace('Completed', 'Verpackt') }, PRAGUE)).toContain(
      'a status that the mapping does not know in "Order Status": 1 row, the first is a.csv line 2',
    );
  });

  it.each(['Name', 'Product Name'])('Advanced Order Export: knows products under the title %s too', (title) =>
    translateFiles(
      { 'a.csv': FILE.replace('Item Name', title) },
      async ({ rows, rejects }) => {
        expect(rejects).toEqual([]);
        expect(await rows('order_items', 'external_product_id, name')).toContainEqual(['name:Card', 'Card']);
      },
      PRAGUE,
    ),
  );

  it.each([
    'Date,"Order #",Status,Customer,"Customer type",Product(s),"Items sold",Coupon(s),"Net sales",Attribution',
    'Date,Orders,"Gross sales",Returns,Coupons,"Net sales",Taxes,Shipping,"Total sales"',
    '"Product title",SKU,"Items sold","Net sales",Orders,Category,Variations,Status,Stock',
    'Category,"Items sold","Net sales",Products,Orders',
    '"Coupon code",Orders,"Amount discounted",Created,Expires,Type',
    '"Tax code",Rate,"Total tax","Order tax","Shipping tax",Orders',
  ])('refuses a report of its Analytics by its name: %s', async (header) =>
    expect(await refusalOf({ 'orders.csv': `${header}\n` })).toContain(
      'orders.csv is a report of WooCommerce Analytics, which cannot be imported',
    ),
  );

  describe('Advanced Order Export with refunds as rows of their own', () => {
    const HEADER =
      'Order Number,Order Status,Order Date,Order Total Amount,Order Refund Amount,Currency,SKU,Quantity,Item Cost';
    const REFUNDS = `${HEADER}
501,Completed,2026-03-01 10:00,48.00,30.00,GBP,CAP,2,20.00
501,Refunded,2026-03-05 10:00,-24.00,0.00,GBP,CAP,-1,20.00
,,,,,,MUG,-1,4.00
501,Refunded,2026-03-05 10:00,-1.00,0.00,GBP,CAP,-1,1.00
502,Completed,2026-03-02 12:00,48.00,5.00,GBP,CAP,2,20.00
`;

    it('takes them at their day, and once', () =>
      translateFiles(
        { 'a.csv': REFUNDS },
        async ({ rows, rejects }) => {
          expect(rejects).toEqual([]);
          expect(await rows('orders', 'order_id, total')).toEqual([
            ['501', 48],
            ['502', 48],
          ]);
          expect(await rows('refunds', 'order_id, amount, cast(refunded_at as date)::varchar')).toEqual([
            ['501', 1, '2026-03-05'],
            ['501', 5, '2026-03-01'],
            ['501', 24, '2026-03-05'],
            ['502', 5, '2026-03-02'],
          ]);
          expect(await rows('order_items', 'order_id, quantity')).toEqual([
            ['501', 2],
            ['502', 2],
          ]);
        },
        PRAGUE,
      ));

    it('a mapping without refunds is told of them, and keeps the order', () =>
      translateFiles(
        { 'a.csv': REFUNDS },
        async ({ rows, rejects }) => {
          expect(rejects.map(({ line, reason }) => [line, reason])).toEqual([
            [3, expect.stringContaining('is a refund, by its negative total')],
            [5, expect.stringContaining('is a refund, by its negative total')],
          ]);
          expect(await rows('orders', 'order_id, total')).toEqual([
            ['501', 48],
            ['502', 48],
          ]);
        },
        PRAGUE,
        'name: x\nfill_down: [Order Number]\ntables: {orders: {order_id: Order Number, ordered_at: Order Date, total: Order Total Amount, currency: Currency}}',
      ));
  });

  it('a line of no pieces and no amount has the price 0; an amount for no pieces is rejected', () =>
    translateFiles(
      {
        'a.csv': `order_id,date,status,order_total,order_currency,item_sku,item_quantity,item_total,item_total_tax
7,2026-03-05 14:00:00,processing,30.25,EUR,MUG,1,25.00,5.25
7,2026-03-05 14:00:00,processing,30.25,EUR,GIFT,0,0.00,0.00
7,2026-03-05 14:00:00,processing,30.25,EUR,FEE,0,4.00,0.00
`,
      },
      async ({ rows, rejects }) => {
        expect(rejects.map(({ line, reason }) => [line, reason])).toEqual([
          [4, expect.stringContaining('has an amount and 0 pieces')],
        ]);
        expect(await rows('order_items', 'external_product_id, quantity, unit_price')).toEqual([
          ['GIFT', 0, 0],
          ['MUG', 1, 30.25],
        ]);
      },
      PRAGUE,
    ));

  it('one row for each item: prices with tax, after discounts', () =>
    translateFiles(
      {
        'a.csv': `order_id,order_number_formatted,date,status,shipping_total,shipping_tax_total,fee_total,fee_tax_total,tax_total,discount_total,order_total,refunded_total,order_currency,billing_email,item_name,item_sku,item_quantity,item_total,item_total_tax
7,#7,2026-03-05 14:00:00,processing,5.00,1.05,0,0,5.25,0,30.25,3.00,EUR,ann@example.com,Mug,MUG,3,15.00,3.15
7,#7,2026-03-05 14:00:00,processing,5.00,1.05,0,0,5.25,0,30.25,3.00,EUR,ann@example.com,Card,,1,5.00,1.05
`,
      },
      async ({ rows, rejects }) => {
        expect(rejects).toEqual([]);
        expect(await rows('orders', 'number, total, shipping, payment_fee, status')).toEqual([
          ['#7', 30.25, 6.05, 0, 'paid'],
        ]);
        expect(await rows('order_items', 'external_product_id, quantity, unit_price')).toEqual([
          ['MUG', 3, 6.05],
          ['name:Card', 1, 6.05],
        ]);
        expect(await rows('refunds', 'order_id, amount')).toEqual([['7', 3]]);
      },
      PRAGUE,
    ));

  it('lines in one cell: reads the orders, and says that lines are not', () =>
    translateFiles(
      {
        'a.csv':
          'order_id,order_number,order_date,status,order_total,order_currency,order_key,billing_email,line_item_1\n7,7,2026-03-05 14:00:00,wc-completed,30.25,EUR,wc_x,ann@example.com,name:Mug|quantity:3|total:15\n',
      },
      async ({ rows, sources }) => {
        expect(await rows('orders', 'order_id, total, status')).toEqual([['7', 30.25, 'fulfilled']]);
        expect(sources[0]?.assumptions.join()).toContain('no sales of products');
      },
      PRAGUE,
    ));

  it('takes no phone number of which a spreadsheet left the first digits, by which many would be one customer', () =>
    translateFiles(
      {
        'a.csv': `order_id,order_number,order_date,status,order_total,order_currency,order_key,billing_phone
7,7,2026-03-05 14:00:00,completed,1,EUR,a,4.20777E+11
8,8,2026-03-05 14:00:00,completed,1,EUR,b,"4,20777e+11"
9,9,2026-03-05 14:00:00,completed,1,EUR,c,420777000001
`,
      },
      async ({ rows, rejects }) => {
        expect(rejects).toEqual([]);
        expect(await rows('orders', 'order_id, phone_hash is null')).toEqual([
          ['7', true],
          ['8', true],
          ['9', false],
        ]);
      },
      PRAGUE,
    ));

  it('lines in one cell: takes an order that is refunded as refunded in full', () =>
    translateFiles(
      {
        'a.csv':
          'order_id,order_number,order_date,status,order_total,order_currency,order_key\n7,7,2026-03-05 14:00:00,wc-refunded,30.25,EUR,a\n8,8,2026-03-05 14:00:00,refunded,9,EUR,b\n9,9,2026-03-05 14:00:00,completed,1,EUR,c\n',
      },
      async ({ rows, rejects }) => {
        expect(rejects).toEqual([]);
        expect(await rows('refunds', 'order_id, amount, cast(refunded_at as varchar)')).toEqual([
          ['7', 30.25, '2026-03-05 13:00:00'],
          ['8', 9, '2026-03-05 13:00:00'],
        ]);
      },
      PRAGUE,
    ));
});
