import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { csvRows } from '../oracle/csv-text.ts';
import { NO_SAMPLES, samples } from './samples.ts';
import { csvOf, refusalOf, translateFiles } from './translated.ts';

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

describe('Magento', () => {
  const MONEY =
    'base_row_total,base_row_total_incl_tax,base_tax_amount,base_discount_amount,base_discount_tax_compensation_amount';

  it('takes a discount off a price without tax or with it, whichever it is of, and no pieces that are cancelled', () =>
    translateFiles(
      {
        'sales_order_item.csv': `item_id,order_id,parent_item_id,product_type,sku,name,qty_ordered,qty_canceled,${MONEY}
1,1,,simple,WITHOUT,x,2,0,100,121,18.90,10,0
2,1,,simple,WITH,x,1,0,100,121,18.90,12.10,2.10
3,1,,simple,PART,x,4,1,40,48.40,8.40,0,0
4,1,,simple,GONE,x,1,1,10,12.10,2.10,0,0
`,
      },
      async ({ rows, rejects }) => {
        expect(rejects).toEqual([]);
        expect(await rows('order_items', 'external_product_id, quantity, unit_price')).toEqual([
          ['GONE', 0, 12.1],
          ['PART', 3, 12.1],
          ['WITH', 1, 108.9],
          ['WITHOUT', 2, 54.45],
        ]);
      },
    ));

  it('counts of an order that is cancelled in part what is left of it', () =>
    translateFiles(
      {
        'sales_order.csv': `entity_id,increment_id,created_at,status,base_grand_total,base_tax_amount,base_currency_code,base_total_canceled,base_tax_canceled
5,05,2026-03-05 13:00:00,complete,121.0000,21.0000,EUR,24.2000,4.2000
6,06,2026-03-05 13:00:00,canceled,12.1000,2.1000,EUR,12.1000,2.1000
7,07,2026-03-05 13:00:00,complete,12.1000,2.1000,EUR,NULL,NULL
`,
      },
      async ({ rows, rejects }) => {
        expect(rejects).toEqual([]);
        expect(await rows('orders', 'order_id, status, total, tax')).toEqual([
          ['5', 'fulfilled', 96.8, 16.8],
          ['6', 'cancelled', 12.1, 2.1],
          ['7', 'fulfilled', 12.1, 2.1],
        ]);
      },
    ));

  it.each([
    [
      "Magento's invoices or credit memos",
      'entity_id,increment_id,created_at,base_grand_total,base_currency_code,order_id,state',
    ],
    [
      "Magento's carts",
      'entity_id,created_at,items_count,base_grand_total,base_currency_code,reserved_order_id',
    ],
  ])('refuses %s, which are no orders', async (title, header) =>
    expect(await refusalOf({ 'a.csv': `${header}\n` })).toContain(
      `a.csv is ${title}, which cannot be imported`,
    ),
  );

  it('takes a line without a discount at its price', () =>
    translateFiles(
      {
        'a.csv':
          'item_id,order_id,parent_item_id,product_type,sku,name,qty_ordered,base_row_total_incl_tax,base_discount_amount\n11,5,,simple,S,S,2,60,\n',
      },
      async ({ rows, rejects }) => {
        expect(rejects).toEqual([]);
        expect(await rows('order_items', 'unit_price')).toEqual([[30]]);
      },
    ));

  it("takes base money, the parent's price and the child's SKU, and one line of a bundle", () =>
    translateFiles(
      {
        'sales_order.csv':
          `entity_id,increment_id,created_at,status,base_grand_total,grand_total,base_currency_code,order_currency_code,base_discount_amount,base_total_refunded,customer_email
5,000000005,2026-03-05 13:00:00,complete,100.0000,2500.0000,EUR,CZK,-10.0000,20.0000,ann@example.com
6,000000006,2026-03-05 14:00:00,pending_payment,9.0000,225.0000,EUR,CZK,0.0000,NULL,bob@example.com
`.replace('NULL', ''),
        'sales_order_item.csv': `item_id,order_id,parent_item_id,product_type,sku,name,qty_ordered,base_row_total_incl_tax,base_discount_amount
11,5,,configurable,SHIRT,Shirt,2.0000,60.0000,10.0000
12,5,11,simple,SHIRT-L,Shirt L,2.0000,0.0000,0.0000
13,5,,bundle,KIT-A-B,Kit,1.0000,40.0000,0.0000
14,5,13,simple,A,A,1.0000,0.0000,0.0000
15,5,13,simple,B,B,1.0000,0.0000,0.0000
16,5,0,simple,MUG,Mug,1.0000,10.0000,0.0000
`,
      },
      async ({ rows, rejects }) => {
        expect(rejects).toEqual([]);
        expect(
          await rows(
            'orders',
            'order_id, number, cast(ordered_at as varchar), status, currency, total, discount',
          ),
        ).toEqual([
          ['5', '000000005', '2026-03-05 13:00:00', 'fulfilled', 'EUR', 100, 10],
          ['6', '000000006', '2026-03-05 14:00:00', 'cancelled', 'EUR', 9, 0],
        ]);
        expect(await rows('order_items', 'external_product_id, name, quantity, unit_price')).toEqual([
          ['KIT-A-B', 'Kit', 1, 40],
          ['MUG', 'Mug', 1, 10],
          ['SHIRT-L', 'Shirt L', 2, 25],
        ]);
        expect(await rows('refunds', 'order_id, amount')).toEqual([['5', 20]]);
      },
    ));

  it.each(['NULL', '\\N'])(
    'knows that %s of a database is nothing: no coupon, no customer, no parent',
    (nothing) =>
      translateFiles(
        {
          'sales_order.csv':
            `entity_id,increment_id,created_at,status,base_grand_total,base_currency_code,customer_email,customer_id,base_total_refunded,coupon_code
5,05,2026-03-05 13:00:00,complete,60.0000,EUR,X,X,X,X
6,06,2026-03-05 13:00:00,complete,9.0000,EUR,X,7,2.0,TEN
7,07,2026-03-05 13:00:00,complete,9.0000,EUR,X,0,0,X
`.replaceAll('X', nothing),
          'sales_order_item.csv':
            'item_id,order_id,parent_item_id,product_type,sku,name,qty_ordered,base_row_total_incl_tax,base_discount_amount\n11,5,X,simple,S,S,2,60,X\n'.replaceAll(
              'X',
              nothing,
            ),
        },
        async ({ rows, rejects }) => {
          expect(rejects).toEqual([]);
          expect(await rows('orders', 'order_id, external_customer_id, coupon_codes, total')).toEqual([
            ['5', null, [], 60],
            ['6', '7', ['TEN'], 9],
            ['7', null, [], 9],
          ]);
          expect(await rows('refunds', 'order_id, amount')).toEqual([['6', 2]]);
          expect(await rows('order_items', 'order_id, quantity, unit_price')).toEqual([['5', 2, 30]]);
        },
      ),
  );

  it('rejects a child whose parent the file lacks', () =>
    translateFiles(
      {
        'a.csv':
          'item_id,order_id,parent_item_id,product_type,sku,name,qty_ordered,base_row_total_incl_tax,base_discount_amount\n12,5,11,simple,S,S,2,0,0\n',
      },
      ({ rejects }) => {
        expect(rejects).toEqual([
          { file: 'a.csv', line: 2, reason: expect.stringContaining('part of a row that the file lacks') },
        ]);
      },
    ));

  it('leaves out products of single views and what only groups others', () =>
    translateFiles(
      {
        'a.csv': `sku,store_view_code,attribute_set_code,product_type,categories,name,product_online,price,qty,is_in_stock
MUG,,Default,simple,"Default/Kitchen,Default/Sale",Mug,1,10.500000,3.0000,1
MUG,cs,Default,simple,,Hrnek,,,,
SHIRT,,Default,configurable,,Shirt,1,,0,1
OLD,,Default,simple,,Old,2,5,0,0
`,
      },
      async ({ rows, rejects }) => {
        expect(rejects).toEqual([]);
        expect(
          await rows(
            'products',
            'external_product_id, name, categories, price, stock_quantity, in_stock, discontinued',
          ),
        ).toEqual([
          ['MUG', 'Mug', ['Default/Kitchen', 'Default/Sale'], 10.5, 3, true, false],
          ['OLD', 'Old', [], 5, 0, false, true],
        ]);
      },
    ));
});

describe('PrestaShop', () => {
  describe('a voucher', () => {
    const ORDERS_HEADER =
      'id_order;current_state;date_add;total_paid_tax_incl;conversion_rate;total_discounts_tax_incl;total_shipping_tax_incl;iso_code';
    const files = (discount: string) => ({
      'orders.csv': `${ORDERS_HEADER}\n1;5;2026-03-01 10:00:00;95;1;${discount};5;EUR\n`,
      'lines.csv': `id_order_detail;id_order;product_quantity;product_reference;unit_price_tax_incl
1;1;2;MUG;40
2;1;1;CUP;20
`,
    });
    const lines = async (given: Record<string, string>, test: (lines: unknown[][], said: string) => void) =>
      translateFiles(
        given,
        async ({ rows, rejects, sources }) => {
          expect(rejects).toEqual([]);
          test(
            await rows('order_items', 'external_product_id, unit_price'),
            sources.flatMap(({ assumptions }) => assumptions).join('\n'),
          );
        },
        { timezone: 'Europe/Paris' },
      );

    it('is shared among the lines of its order, by value', () =>
      lines(files('10'), (found) =>
        expect(found).toEqual([
          ['CUP', 18],
          ['MUG', 36],
        ]),
      ));

    it('is no discount of products where it is as large as the shipping', () =>
      lines(files('5'), (found, said) => {
        expect(found).toEqual([
          ['CUP', 20],
          ['MUG', 40],
        ]);
        expect(said).toContain('1 order has a discount as large as the shipping');
      }));

    it('is not known of lines without their orders, which is told', () => {
      const { 'lines.csv': alone } = files('10');
      return lines({ 'lines.csv': alone }, (found, said) => {
        expect(found).toHaveLength(2);
        expect(said).toContain('of 1 order the files have lines alone');
      });
    });
  });

  const LINES =
    'id_order_detail;id_order;product_id;product_name;product_quantity;product_reference;unit_price_tax_incl\n';

  it('takes money with tax, and the rate to the currency of the shop', () =>
    translateFiles(
      {
        'orders.csv': `id_order;reference;id_customer;current_state;payment;conversion_rate;total_paid_tax_incl;total_paid_tax_excl;total_shipping_tax_incl;date_add;iso_code;email
3;XKBKNABJK;2;5;Bank;1.250000;121.000000;100.000000;6.050000;2026-03-05 14:00:00;USD;ann@example.com
4;ABC;2;6;Bank;1.000000;10.000000;8.260000;0.000000;2026-03-06 14:00:00;EUR;ann@example.com
`,
        'lines.csv': `id_order_detail;id_order;product_id;product_name;product_quantity;product_reference;unit_price_tax_incl
1;3;9;Mug;2;;57.475000
2;4;8;Cup;1;CUP;10.000000
`,
      },
      async ({ rows, rejects }) => {
        expect(rejects).toEqual([]);
        expect(
          await rows(
            'orders',
            'order_id, status, currency, fx_rate, total, tax, cast(ordered_at as varchar)',
          ),
        ).toEqual([
          ['3', 'fulfilled', 'USD', 0.8, 121, 21, '2026-03-05 13:00:00'],
          ['4', 'cancelled', 'EUR', 1, 10, 1.74, '2026-03-06 13:00:00'],
        ]);
        expect(await rows('order_items', 'order_id, external_product_id, quantity, unit_price')).toEqual([
          ['3', '9', 2, 57.475],
          ['4', 'CUP', 1, 10],
        ]);
      },
      PRAGUE,
    ));

  it('takes an order in the state 7 as refunded in full, and knows no tax without the total that it is in', () =>
    translateFiles(
      {
        'a.csv':
          'id_order;current_state;conversion_rate;total_paid_tax_incl;date_add;iso_code\n3;7;1;121.00;2026-03-05 14:00:00;EUR\n4;2;1;10.00;2026-03-06 14:00:00;EUR\n',
      },
      async ({ rows, rejects }) => {
        expect(rejects).toEqual([]);
        expect(await rows('orders', 'order_id, status, total, tax')).toEqual([
          ['3', 'paid', 121, null],
          ['4', 'paid', 10, null],
        ]);
        expect(await rows('refunds', 'refund_id, order_id, amount, cast(refunded_at as varchar)')).toEqual([
          ['3', '3', 121, '2026-03-05 13:00:00'],
        ]);
      },
      PRAGUE,
    ));

  it('takes lines that stand in several files from the last of them, and says so', () =>
    translateFiles(
      {
        'a.csv': `${LINES}1;3;9;Mug;2;;57.475000\n2;4;8;Cup;1;CUP;10.000000\n`,
        'b.csv': `${LINES}1;3;9;Mug;2;;57.475000\n`,
      },
      async ({ rows, rejects, sources }) => {
        expect(rejects).toEqual([]);
        expect(await rows('order_items', 'order_id, external_product_id, quantity')).toEqual([
          ['3', '9', 2],
          ['4', 'CUP', 1],
        ]);
        expect(sources[0]?.assumptions.join()).toContain('1 order has lines in several files');
      },
    ));

  it('reads titles with help for people in them', () =>
    translateFiles(
      {
        'a.csv': csvOf(
          [
            'Product ID',
            'Active (0/1)',
            'Name *',
            'Categories (x;y;z...)',
            'Price tax excluded or Price tax included',
            'Wholesale price',
            'Reference #',
          ],
          [
            {
              'Product ID': '1',
              'Active (0/1)': '0',
              'Name *': 'Mug',
              'Categories (x;y;z...)': 'Kitchen; Sale',
              'Price tax excluded or Price tax included': '10.5',
              'Wholesale price': '4',
            },
          ],
        ),
      },
      async ({ rows, rejects }) => {
        expect(rejects).toEqual([]);
        expect(
          await rows(
            'products',
            'external_product_id, name, categories, price, purchase_price, discontinued',
          ),
        ).toEqual([['1', 'Mug', ['Kitchen', 'Sale'], 10.5, 4, true]]);
      },
    ));

  it('refuses combinations and categories by their names', async () => {
    expect(await refusalOf({ 'a.csv': 'Product ID*,Reference,Impact on price\n1,,40\n' })).toContain(
      "a.csv is PrestaShop's combinations",
    );
    expect(await refusalOf({ 'a.csv': 'Category ID,Name *,Parent category\n1,A,Home\n' })).toContain(
      "a.csv is PrestaShop's categories",
    );
  });
});

describe('days as a spreadsheet wrote them', () => {
  const google = (day: string) => `Day,Campaign,Currency code,Cost,Impr.,Clicks\n${day},Brand,EUR,1.00,1,1\n`;
  const meta = (day: string) =>
    `Reporting starts,Reporting ends,Campaign name,Amount spent (EUR)\n${day},${day},Brand,1.00\n`;

  it.each([
    ['10/1/2026', 'mdy'],
    ['1.10.2026', 'dmy'],
    ['01-10-2026', 'dmy'],
    ['01/10/2026 0:00', 'dmy'],
  ])('%s is the first of October with %s, and is asked about', async (day, dates) => {
    for (const file of [google(day), meta(day)]) {
      await translateFiles(
        { 'a.csv': file },
        async ({ rows, rejects }) => {
          expect(rejects).toEqual([]);
          expect(await rows('ad_costs', 'cast(day as varchar), cost')).toEqual([['2026-10-01', 1]]);
        },
        { dates },
      );
      expect(await refusalOf({ 'a.csv': file })).toContain(
        'a date that may begin with the day or the month in',
      );
    }
  });

  it('the report names no column that another one stands in for', () =>
    translateFiles({ 'a.csv': google('2026-10-01').replace(',Clicks', ',Presses') }, ({ sources }) => {
      const said = sources[0]?.assumptions.join('\n');
      expect(said).toContain('no column "Clicks": ad_costs.clicks without it');
      expect(said).not.toContain('Impressions');
    }));
});

describe('Google Ads', () => {
  const REPORT = `Campaign report
"September 1, 2026 - September 2, 2026"
Day,Campaign,Campaign type,Currency code,Impr.,Clicks,Cost
2026-09-01,Brand,Search,EUR,"1,204",41,"€1,172.45"
2026-09-01,Brand,Search,EUR,6,1,"€0.05"
2026-09-02,Brand,Search,EUR,--,0,€0.00
Total: Campaigns,,,, "1,210",42,"€1,172.50"
`;
  const SELECTED = 'cast(day as varchar), source, medium, campaign, cost, clicks, impressions';
  const COSTS = [
    ['2026-09-01', 'google', 'cpc', 'Brand', 1172.5, 42, 1210],
    ['2026-09-02', 'google', 'cpc', 'Brand', 0, 0, null],
  ];

  it.each([
    ['with titles and totals', REPORT],
    [
      'in UTF-16 with tabs',
      Buffer.from(`\uFEFF${REPORT.replace(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/gm, '\t')}`, 'utf16le'),
    ],
    ['with CRLF', REPORT.replaceAll('\n', '\r\n')],
    ['without titles', REPORT.split('\n').slice(2).join('\n')],
  ])('is read %s', (_, file) =>
    translateFiles({ 'a.csv': file }, async ({ rows, rejects }) => {
      expect(rejects).toEqual([]);
      expect(await rows('ad_costs', SELECTED)).toEqual(COSTS);
    }),
  );

  it('tells of lines as they stand in the file, titles or not', () =>
    translateFiles({ 'a.csv': REPORT.replace('2026-09-02', 'yesterday') }, ({ rejects }) => {
      expect(rejects).toEqual([{ file: 'a.csv', line: 6, reason: 'must be a date, for example 2026-10-31' }]);
    }));

  it('counts a day and campaign of several files as the last of them has it', () =>
    translateFiles(
      {
        'a.csv': 'Day,Campaign,Currency code,Cost\n2026-10-01,Brand,EUR,10.50\n2026-10-02,Brand,EUR,3.00\n',
        'b.csv': 'Day,Campaign,Currency code,Cost\n2026-10-01,Brand,EUR,10.50\n2026-10-01,Brand,EUR,1.50\n',
      },
      async ({ rows, rejects }) => {
        expect(rejects).toEqual([]);
        expect(await rows('ad_costs', 'cast(day as varchar), cost')).toEqual([
          ['2026-10-01', 12],
          ['2026-10-02', 3],
        ]);
      },
    ));

  it('tells of costs that differ between files, which may be those of two accounts', async () => {
    const report = (cost: string) =>
      `Day,Campaign,Currency code,Cost\n2026-10-01,Brand,EUR,${cost}\n2026-10-02,Brand,EUR,3.00\n`;
    const told = async (other: string) => {
      let said = '';
      await translateFiles({ 'a.csv': report('10.00'), 'b.csv': report(other) }, ({ sources }) => {
        said = sources.flatMap(({ assumptions }) => assumptions).join();
      });
      return said;
    };
    expect(await told('7.00')).toContain('1 day of a campaign costs something else in several files');
    expect(await told('10.00')).not.toContain('several files');
  });

  it('asks for the currency of a report without one', async () => {
    const file = {
      'a.csv': REPORT.replaceAll('EUR,', '').replace('Currency code,', '').replace(',,,,', ',,,'),
    };
    const refusal = await refusalOf(file);
    expect(refusal).toContain(
      'costs without their currency: 3 rows, the first is a.csv line 4. Say --currency EUR',
    );
    await translateFiles(
      file,
      async ({ rows, rejects }) => {
        expect(rejects).toEqual([]);
        expect(await rows('ad_costs', SELECTED)).toEqual(COSTS);
      },
      { currency: 'eur' },
    );
  });

  it('is refused without days, by its name', async () => {
    const file = 'Campaign report\n"All time"\nCampaign,Impr.,Clicks,Cost\nBrand,1,1,1.00\n';
    expect(await refusalOf({ 'a.csv': file })).toContain('a.csv is a report of Google Ads without days');
  });
});

describe('Meta', () => {
  const HEADER =
    'Reporting starts,Reporting ends,Campaign name,Ad name,Impressions,Link clicks,Amount spent (USD)';

  it('has its currency in a title, and its campaigns on a row for each advertisement', () =>
    translateFiles(
      {
        'a.csv': `${HEADER}
2026-09-01,2026-09-01,"Promo, Lima",A,5400,61,62.10
2026-09-01,2026-09-01,"Promo, Lima",B,100,2,"1,060.00"
2026-09-02,2026-09-02,"Promo, Lima",A,0,,
2026-09-02,2026-09-02,,,5500,63,1122.10
`,
      },
      async ({ rows, rejects }) => {
        expect(rejects).toEqual([]);
        expect(
          await rows('ad_costs', 'cast(day as varchar), source, medium, campaign, cost, clicks, impressions'),
        ).toEqual([
          ['2026-09-01', 'facebook', 'cpc', 'Promo, Lima', 1122.1, 63, 5500],
          ['2026-09-02', 'facebook', 'cpc', 'Promo, Lima', 0, null, 0],
        ]);
      },
    ));

  it('is refused where a row is of a period', () =>
    translateFiles({ 'a.csv': `${HEADER}\n2026-09-01,2026-09-30,Promo,A,5400,61,62.10\n` }, ({ rejects }) => {
      expect(rejects).toEqual([
        { file: 'a.csv', line: 2, reason: expect.stringContaining('is it of a period?') },
      ]);
    }));
});

describe('Klaviyo, members of a list', () => {
  const MEMBERS = `Email,Klaviyo ID,First Name,Country,Email Marketing Consent,Profile Created On
ann@example.com,01A,Ann,Czech Republic,SUBSCRIBED,2025-01-05 10:00:00
bob@example.com,01B,Bob,,NEVER_SUBSCRIBED,2025-01-05 10:00:00
dan@example.com,01D,Dan,,,2025-01-05 10:00:00
eve@example.com,01E,Eve,,Never Subscribed,2025-01-05 10:00:00
cyd@example.com,01C,Cyd,,UNSUBSCRIBED,2025-01-05 10:00:00
`;

  it('makes profiles of all, and consents of those who said something', () =>
    translateFiles(
      { 'a.csv': MEMBERS },
      async ({ rows, rejects, sources }) => {
        expect(rejects).toEqual([]);
        expect(await rows('profiles', 'profile_id, cast(created_at as varchar)')).toEqual(
          ['01A', '01B', '01C', '01D', '01E'].map((id) => [id, '2025-01-05 09:00:00']),
        );
        expect(await rows('consent_events', 'profile_id, state, cast("at" as varchar)')).toEqual([
          ['01A', 'subscribed', '2026-10-31 00:00:00'],
          ['01C', 'unsubscribed', '2026-10-31 00:00:00'],
        ]);
        expect(sources[0]?.assumptions.join()).toContain('is of 2026-10-31, as --exported-at says');
      },
      { ...PRAGUE, 'exported-at': '2026-10-31' },
    ));

  it('takes a consent at its moment, and nobody as reachable who is suppressed', () =>
    translateFiles(
      {
        'members.csv': `Email,Klaviyo ID,Phone Number,Email Marketing Consent,Email Marketing Consent Timestamp,Email Suppressions,SMS Marketing Consent,SMS Marketing Consent Timestamp
ann@example.com,01A,,SUBSCRIBED,2024-01-01T10:00:00+00:00,,,
bob@example.com,01B,,SUBSCRIBED,2024-01-02T10:00:00+00:00,HARD_BOUNCE,,
cyd@example.com,01C,,SUBSCRIBED,,"UNSUBSCRIBE, SPAM",,
dee@example.com,01D,,NEVER_SUBSCRIBED,,USER_SUPPRESSED,,
eve@example.com,01E,+420777000001,SUBSCRIBED,,[],SUBSCRIBED,2024-01-03T10:00:00+00:00
`,
      },
      async ({ rows, rejects }) => {
        expect(rejects).toEqual([]);
        expect(
          await rows('consent_events', 'profile_id, channel, state, cast("at" as date)::varchar'),
        ).toEqual([
          ['01A', 'email', 'subscribed', '2024-01-01'],
          ['01B', 'email', 'bounced', '2024-05-01'],
          ['01B', 'email', 'subscribed', '2024-01-02'],
          ['01C', 'email', 'suppressed', '2024-05-01'],
          ['01D', 'email', 'suppressed', '2024-05-01'],
          ['01E', 'email', 'subscribed', '2024-05-01'],
          ['01E', 'sms', 'subscribed', '2024-01-03'],
        ]);
      },
      { timezone: 'UTC', 'exported-at': '2024-05-01' },
    ));

  it('rejects a consent that it does not know', () =>
    translateFiles(
      { 'a.csv': MEMBERS.replace('NEVER_SUBSCRIBED', 'MAYBE') },
      ({ rejects }) => {
        expect(rejects).toEqual([
          { file: 'a.csv', line: 3, reason: expect.stringContaining('"Email Marketing Consent"') },
        ]);
      },
      { ...PRAGUE, 'exported-at': '2026-10-31' },
    ));
});

/** Reports of Google Ads need not say their currency. */
const EUR = { currency: 'EUR' };

/** What the costs of a sample are, counted in plain TypeScript: days, campaigns and cents. */
function countCosts(text: string, cost: RegExp): Map<string, number> {
  const lines = csvRows(text);
  const at = lines.findIndex((line) => line.some((cell) => cost.test(cell)));
  const [header = [], ...rows] = lines.slice(at);
  const [day, campaign, amount] = [/^(day|reporting starts)$/i, /^campaign( name)?$/i, cost].map((name) =>
    header.findIndex((cell) => name.test(cell)),
  );
  const sums = new Map<string, number>();
  for (const row of rows.filter((each) => /^\d{4}-/.test(each[day ?? -1] ?? ''))) {
    const key = `${row[day ?? -1]} ${row[campaign ?? -1]}`;
    const cents = Math.round(100 * Number((row[amount ?? -1] ?? '').replace(/[^0-9.-]/g, '')));
    sums.set(key, (sums.get(key) ?? 0) + cents);
  }
  return sums;
}

const reconstructed = samples('reconstructed').filter(({ name }) => /^(google_ads|meta)/.test(name));
it.skipIf(reconstructed.length === 0)(
  `reads costs of every sample as an independent count does (${NO_SAMPLES}: none)`,
  async () => {
    for (const { name, path } of reconstructed)
      await translateFiles(
        path,
        async ({ rows, rejects }) => {
          expect(rejects, name).toEqual([]);
          const found = (await rows(
            'ad_costs',
            "cast(day as varchar) || ' ' || campaign, cast(round(cost * 100) as integer)",
          )) as [string, number][];
          expect(new Map(found), name).toEqual(
            countCosts(readFileSync(path, 'utf8'), /^(cost|amount spent.*)$/i),
          );
        },
        EUR,
      );
  },
);

const prestashop = samples('prestashop').filter(({ name }) => /^(products|customers)/.test(name));
it.skipIf(prestashop.length === 0)(`reads every sample of PrestaShop (${NO_SAMPLES}: none)`, async () => {
  for (const { name, path } of prestashop) {
    const [header = [], ...lines] = csvRows(readFileSync(path, 'utf8'));
    const column = (title: string) =>
      lines.map((line) => line[header.findIndex((cell) => cell.startsWith(title))] ?? '');
    await translateFiles(
      path,
      async ({ rows, rejects }) => {
        expect(rejects, name).toEqual([]);
        if (name.startsWith('products')) {
          expect((await rows('products', 'price')).flat().sort()).toEqual(
            column('Price tax').map(Number).sort(),
          );
          return;
        }
        expect((await rows('profiles', 'profile_id')).flat().sort()).toEqual(column('Customer ID').sort());
        const agreed = column('Newsletter').filter((cell) => cell === '1').length;
        expect(await rows('consent_events', "count(*) filter (state = 'subscribed'), count(*)")).toEqual([
          [agreed, lines.length],
        ]);
      },
      { 'exported-at': '2026-10-31' },
    );
  }
});

it('every shipped mapping has its place in the docs', () => {
  const pages = readdirSync('docs/sources')
    .map((name) => readFileSync(`docs/sources/${name}`, 'utf8'))
    .join();
  const names = readdirSync('mappings').map((name) => name.replace('.yaml', ''));
  expect(names.length).toBeGreaterThan(10);
  for (const name of names) expect(pages).toContain(`\`${name}\``);
});
