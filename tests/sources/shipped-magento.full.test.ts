import { describe, expect, it } from 'vitest';
import { refusalOf, translateFiles } from './translated.ts';

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
