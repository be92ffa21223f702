// Tables of systems that no source knows, as these systems write them. What is true of each stands beside it,
// counted by hand from its rows.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type MappingChoices, mappingOf } from '../../src/sources/mapping/chosen-columns.ts';
import { mapFile } from '../../src/sources/mapping/map-file.ts';
import { temporaryFolder } from '../ingest/staging.ts';
import { lookAtTable, proposedAsOrders } from './proposed-table.ts';
import { translateFiles } from './translated.ts';

interface Stranger {
  readonly text: string;
  /** What a person says beside what is proposed. */
  readonly said?: Partial<MappingChoices>;
  readonly statuses?: string;
  /** Each order has its id, total and status. */
  readonly orders: readonly (readonly [id: string, total: number, status: string])[];
  /** Each product has its pieces and what was paid for them. */
  readonly items?: readonly (readonly [product: string, pieces: number, paid: number])[];
  readonly refunds?: readonly (readonly [order: string, amount: number])[];
  /** How many rows are listed as bad. */
  readonly listed?: number;
}

const STRANGERS: Readonly<Record<string, Stranger>> = {
  'orders of Squarespace, the whole order on its first line': {
    text: `Order ID,Email,Financial Status,Currency,Subtotal,Shipping,Taxes,Amount Refunded,Total,Discount Code,Discount Amount,Created at,Lineitem quantity,Lineitem name,Lineitem price,Lineitem sku
00001,ann@example.com,PAID,USD,32.00,5.00,0.00,0.00,35.00,HI,2.00,2026-03-05 10:00:00 -0500,2,Blue mug,10.00,MUG-B
00001,,,,,,,,,,,,1,Red mug,12.00,MUG-R
00002,bob@example.com,REFUNDED,USD,24.00,5.00,0.00,26.60,26.60,HI,2.40,2026-03-06 10:00:00 -0500,2,Red mug,12.00,MUG-R
`,
    statuses: 'REFUNDED=paid',
    orders: [
      ['00001', 35, 'paid'],
      ['00002', 26.6, 'paid'],
    ],
    // 2.00 of 32.00 is taken off each line by its share.
    items: [
      ['MUG-B', 2, 18.75],
      ['MUG-R', 3, 32.85],
    ],
    refunds: [['00002', 26.6]],
  },
  'orders of Wix, with months by name': {
    text: `Order number,Date created,Time,Contact email,Item,SKU,Qty,Quantity refunded,Price,Delivery country,Payment status,Payment method,Currency,Shipping rate,Total tax,Total,Total refunded amount,Net amount
10001,"Mar 5, 2026",10:00:00 AM,ann@example.com,Blue mug,MUG-B,2,0,10,USA,Paid,Card,USD,5,0,37,0,37
10001,"Mar 5, 2026",10:00:00 AM,ann@example.com,Red mug,MUG-R,1,0,12,USA,Paid,Card,USD,5,0,37,0,37
10002,"Mar 14, 2026",1:00:00 PM,bob@example.com,Red mug,MUG-R,1,1,12,USA,Refunded,Card,USD,5,0,17,17,0
`,
    statuses: 'Refunded=paid',
    orders: [
      ['10001', 37, 'paid'],
      ['10002', 17, 'paid'],
    ],
    items: [
      ['MUG-B', 2, 20],
      ['MUG-R', 2, 24],
    ],
    refunds: [['10002', 17]],
  },
  'orders of Ecwid, cancelled by the status of the payment': {
    text: `order_number;order_datetime;email;total;subtotal;shipping_cost;tax;coupon;discount;payment_status;sku;name;quantity;price;refunded_amount
W1;2026-03-05 10:00:00;ann@example.com;35.00;32.00;5.00;0;HI;2.00;PAID;MUG-B;Blue mug;2;10.00;0
W1;2026-03-05 10:00:00;ann@example.com;35.00;32.00;5.00;0;HI;2.00;PAID;MUG-R;Red mug;1;12.00;0
W2;2026-03-06 10:00:00;bob@example.com;27.00;24.00;5.00;0;HI;2.00;CANCELLED;MUG-R;Red mug;2;12.00;0
`,
    orders: [
      ['W1', 35, 'paid'],
      ['W2', 27, 'cancelled'],
    ],
    items: [
      ['MUG-B', 2, 18.75],
      ['MUG-R', 3, 33.25],
    ],
  },
  'orders of Prom.ua, with a discount in percent': {
    text: `Номер заказа;Дата заказа;Статус;Имя покупателя;Телефон;Email;Название товара;Артикул;Количество;Цена;Скидка;Сумма заказа;Валюта
301;05.03.2026 10:00;Выполнен;Анна;+380501112233;ann@example.com;Чашка синяя;MUG-B;2;100,00;10%;180,00;UAH
302;16.03.2026 10:00;Отменён;Борис;+380501112234;bob@example.com;Чашка красная;MUG-R;1;120,00;;120,00;UAH
303;17.03.2026 10:00;Выполнен;Вера;+380501112235;vera@example.com;Чашка красная;MUG-R;2;120,00;5%;228,00;UAH
`,
    orders: [
      ['301', 180, 'fulfilled'],
      ['302', 120, 'cancelled'],
      ['303', 228, 'fulfilled'],
    ],
    items: [
      ['MUG-B', 2, 180],
      ['MUG-R', 3, 348],
    ],
  },
  'orders of Allegro, above lines of another shape': {
    text: `"Type","Order ID","Date of order","Status","Buyer email","Delivery country","Amount to pay","Delivery cost","Currency"
"order","a1-0000","05.03.2026 10:00","Zrealizowane","ann@example.com","PL","129,97","9,99","PLN"
"order","a1-0001","15.03.2026 10:00","Anulowane","bob@example.com","PL","1 050,00","0,00","PLN"
"lineItem","a1-0002","","","","","","",""
`,
    orders: [
      ['a1-0000', 129.97, 'fulfilled'],
      ['a1-0001', 1050, 'cancelled'],
    ],
    listed: 1,
  },
  'orders of OpenCart': {
    text: `order_id,invoice_no,customer,email,telephone,payment_country,payment_method,total,order_status,currency_code,currency_value,date_added,date_modified
1,INV-1,Ann,ann@example.com,123,Germany,COD,35.0000,Complete,EUR,1.00000000,2026-03-05 10:00:00,2026-03-06 10:00:00
2,INV-2,Bob,bob@example.com,124,Germany,COD,17.0000,Canceled,EUR,1.00000000,2026-03-06 10:00:00,2026-03-06 10:00:00
`,
    orders: [
      ['1', 35, 'fulfilled'],
      ['2', 17, 'cancelled'],
    ],
  },
  'orders of BigCommerce, with their lines in one cell': {
    text: `Order ID,Customer Name,Customer Email,Order Date,Order Status,Shipping Cost (inc tax),Order Total (inc tax),Order Currency Code,Refund Amount,Product Details
101,Ann,ann@example.com,05/03/2026,Shipped,5.00,35.00,USD,4.00,"Product ID: 1, Product Qty: 2, Product SKU: MUG-B, Product Unit Price: $10.00|Product ID: 2, Product Qty: 1"
102,Bob,bob@example.com,14/03/2026,Cancelled,5.00,17.00,USD,0.00,"Product ID: 2, Product Qty: 1, Product SKU: MUG-R, Product Unit Price: $12.00"
`,
    orders: [
      ['101', 35, 'fulfilled'],
      ['102', 17, 'cancelled'],
    ],
    refunds: [['101', 4]],
  },
  'lines whose price is that of all their pieces, parted by bars': {
    text: `Order number|Order date|Order total|SKU|Quantity|Price|Currency
1|2026-03-05|32.00|MUG-B|2|20.00|EUR
1|2026-03-05|32.00|MUG-R|1|12.00|EUR
2|2026-03-06|36.00|MUG-R|3|36.00|EUR
`,
    orders: [
      ['1', 32, 'paid'],
      ['2', 36, 'paid'],
    ],
    items: [
      ['MUG-B', 2, 20],
      ['MUG-R', 4, 48],
    ],
  },
  'orders of a spreadsheet, with days as numbers and amounts in brackets': {
    text: `Order number;Order date;Order total;Currency
1;46086.4167;$1,250.00;USD
2;46087.5;(25.00);USD
3;46088;$7.00;USD
`,
    orders: [
      ['1', 1250, 'paid'],
      ['2', 0, 'credit_note'],
      ['3', 7, 'paid'],
    ],
    refunds: [['2', 25]],
  },
};

describe('a stranger', () => {
  it.each(Object.entries(STRANGERS))('%s', async (_, stranger) => {
    const { text, said, statuses, orders, items, refunds = [], listed = 0 } = stranger;
    const table = await lookAtTable(text);
    const choices = { ...proposedAsOrders(table), ...said };
    const { text: mapping } = mappingOf('table.csv', table.columns, choices);
    await translateFiles(
      { 'table.csv': text },
      async ({ rows, rejects }) => {
        expect(new Set(rejects.map(({ line }) => line)).size).toBe(listed);
        const loaded = await rows('orders', 'order_id, cast(total as double), status');
        expect(loaded).toEqual(orders);
        if (items !== undefined)
          expect(
            await rows(
              'order_items',
              'external_product_id, cast(sum(quantity) as integer), cast(round(sum(quantity * unit_price), 2) as double)',
              'true group by 1',
            ),
          ).toEqual(items);
        const paidBack = await rows('refunds', 'order_id, cast(amount as double)').catch(() => []);
        expect(paidBack).toEqual(refunds);
      },
      { timezone: 'UTC', currency: 'EUR', ...(statuses === undefined ? {} : { status: statuses }) },
      mapping,
    );
  });

  it.each([
    [
      'orders of Amazon, where item-price is of all pieces',
      `amazon-order-id\tpurchase-date\torder-status\tsku\tquantity\tcurrency\titem-price
111-1\t2026-03-05T10:00:00+00:00\tShipped\tMUG-B\t2\tEUR\t20.00
111-2\t2026-03-06T10:00:00+00:00\tShipped\tMUG-R\t1\tEUR\t12.00
`,
      ['unit_price: {quotient: ["item-price", "quantity"]}', 'total: TODO    # required'],
    ],
    [
      'receipts of Lightspeed, whose total is that of a line',
      `Receipt Number;Sale Date;SKU;Quantity;Sale Price;Total
1001;5-Mar-2026 10:00;MUG-B;2;€10.00;€20.00
1001;5-Mar-2026 10:00;MUG-R;1;€12.00;€12.00
1002;16-Mar-2026 11:00;MUG-R;1;€12.00;€12.00
`,
      ['total: TODO    # required', 'unit_price: {number: "Sale Price", decimal: point}'],
    ],
    [
      'orders of eBay below a blank line, with a footer',
      `
Sales Record Number,Order Number,Buyer Email,Item Title,Custom Label,Quantity,Sold For,Total Price,Sale Date
,,,,,,,,
101,02-1,ann@example.com,Blue mug,MUG-B,2,$10.00,$25.70,Mar-05-26
102,02-2,bob@example.com,Red mug,MUG-R,1,$12.00,$12.60,Mar-13-26
2,record(s) downloaded,,,,,,,
`,
      ['order_id: "Order Number"', 'pattern: "MMM-DD-YY"', 'total: TODO    # required'],
    ],
    [
      'transactions of Shopify, which are no orders',
      `Order,Name,Kind,Gateway,Created At,Status,Amount,Currency
6001,#1001,sale,shopify_payments,2026-03-05 10:00:00 +0100,success,20.00,EUR
6002,#1002,sale,shopify_payments,2026-03-06 10:00:00 +0100,success,30.00,EUR
6002,#1002,refund,shopify_payments,2026-03-09 10:00:00 +0100,success,10.00,EUR
`,
      ['# TODO: one of our tables'],
    ],
  ])('%s: the draft says what is open', async (_, text, says) => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'table.csv');
    writeFileSync(path, text);
    const { mapping } = await mapFile(path, undefined);
    for (const said of says) expect(mapping).toContain(said);
  });
});
