import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeProposals } from '../../src/sources/mapping/draft-mapping.ts';
import { mapFile } from '../../src/sources/mapping/map-file.ts';
import { meaningsOf } from '../../src/sources/mapping/title-meanings.ts';
import { temporaryFolder } from '../ingest/staging.ts';

/**
 * What is proposed for a file, as `table.column: title`. No source is asked: a draft reads titles and cells
 * alone.
 */
async function proposed(text: string) {
  using folder = temporaryFolder();
  const file = join(folder.path, 'table.csv');
  writeFileSync(file, text);
  const { proposals, mapping } = await mapFile(file, undefined);
  return {
    mapping,
    told: describeProposals(proposals),
    columns: Object.fromEntries(
      proposals.map(({ table, column, from }) => [`${table}.${column}`, from.title]),
    ),
  };
}

/** Made rows with the titles of each system. */
const SHAPES: readonly (readonly [system: string, text: string, columns: Record<string, string>])[] = [
  [
    'Magento orders',
    `ID,Purchase Point,Purchase Date,Bill-to Name,Grand Total (Base),Grand Total (Purchased),Status,Customer Email,Payment Method
000000001,Main,2026-03-02 10:00:00,Ann,10.50,10.50,complete,ann@example.com,checkmo`,
    {
      'orders.order_id': 'ID',
      'orders.ordered_at': 'Purchase Date',
      'orders.total': 'Grand Total (Purchased)',
      'orders.status': 'Status',
      'orders.email': 'Customer Email',
      'orders.payment_method': 'Payment Method',
    },
  ],
  [
    'Magento orders, the table',
    `entity_id,increment_id,created_at,grand_total,base_grand_total,order_currency_code,status,customer_email,shipping_amount,discount_amount,tax_amount,coupon_code
1,000000001,2026-03-02 10:00:00,10.50,10.50,EUR,complete,ann@example.com,2.00,0.00,1.82,HI`,
    {
      'orders.order_id': 'increment_id',
      'orders.ordered_at': 'created_at',
      'orders.total': 'grand_total',
      'orders.currency': 'order_currency_code',
      'orders.status': 'status',
      'orders.email': 'customer_email',
      'orders.shipping': 'shipping_amount',
      'orders.discount': 'discount_amount',
      'orders.tax': 'tax_amount',
      'orders.coupon_codes': 'coupon_code',
    },
  ],
  [
    'Magento products',
    'sku,attribute_set_code,product_type,name,price,qty\nM-1,Default,simple,Mug,10.50,5',
    {
      'products.external_product_id': 'sku',
      'products.name': 'name',
      'products.price': 'price',
      'products.stock_quantity': 'qty',
    },
  ],
  [
    'PrestaShop orders',
    `id_order,reference,id_customer,payment,total_paid,total_paid_tax_incl,total_discounts,total_shipping,current_state,date_add
7,XKBKNABJK,3,Bank wire,12.500000,12.500000,0.000000,2.000000,5,2026-03-02 10:00:00`,
    {
      'orders.order_id': 'id_order',
      'orders.ordered_at': 'date_add',
      'orders.total': 'total_paid_tax_incl',
      'orders.discount': 'total_discounts',
      'orders.shipping': 'total_shipping',
      'orders.status': 'current_state',
      'orders.external_customer_id': 'id_customer',
      'orders.payment_method': 'payment',
    },
  ],
  [
    'PrestaShop lines',
    `id_order_detail,id_order,product_id,product_name,product_quantity,unit_price_tax_incl
1,7,5,Mug,2,5.250000`,
    {
      'order_items.order_id': 'id_order',
      'order_items.external_product_id': 'product_id',
      'order_items.name': 'product_name',
      'order_items.quantity': 'product_quantity',
      'order_items.unit_price': 'unit_price_tax_incl',
    },
  ],
  [
    'Shoptet orders',
    `code;date;statusName;currency;email;deliveryCountryName;totalPriceWithVat;orderItemName;orderItemAmount;orderItemCode;orderItemUnitPriceWithVat
2026001;2026-03-02 10:00:00;Vyřízena;CZK;ann@example.com;Česko;1250,50;Hrnek;2;H-1;600,25`,
    {
      'orders.ordered_at': 'date',
      'orders.total': 'totalPriceWithVat',
      'orders.status': 'statusName',
      'orders.currency': 'currency',
      'orders.email': 'email',
      'orders.country': 'deliveryCountryName',
      'orders.order_id': 'code',
      'order_items.order_id': 'code',
      'order_items.external_product_id': 'orderItemCode',
      'order_items.name': 'orderItemName',
      'order_items.quantity': 'orderItemAmount',
      'order_items.unit_price': 'orderItemUnitPriceWithVat',
    },
  ],
  [
    'Shoptet products',
    'code;name;manufacturer;price;purchasePrice;ean;stock\nH-1;Hrnek;Acme;250,50;100,00;8590000000001;4',
    {
      'products.external_product_id': 'code',
      'products.name': 'name',
      'products.brand': 'manufacturer',
      'products.price': 'price',
      'products.purchase_price': 'purchasePrice',
      'products.ean': 'ean',
      'products.stock_quantity': 'stock',
    },
  ],
  [
    'BigCommerce orders',
    `Order ID,Customer ID,Customer Email,Order Date,Order Status,Subtotal (ex tax),Order Total (ex tax),Order Total (inc tax),Shipping Cost (inc tax),Order Currency Code,Payment Method
101,5,ann@example.com,31/03/2026,Completed,10.00,10.00,12.00,1.00,USD,Card
102,6,bob@example.com,01/04/2026,Completed,20.00,20.00,24.00,1.00,USD,Card`,
    {
      'orders.order_id': 'Order ID',
      'orders.ordered_at': 'Order Date',
      'orders.total': 'Order Total (inc tax)',
      'orders.status': 'Order Status',
      'orders.shipping': 'Shipping Cost (inc tax)',
      'orders.currency': 'Order Currency Code',
      'orders.email': 'Customer Email',
      'orders.external_customer_id': 'Customer ID',
      'orders.payment_method': 'Payment Method',
    },
  ],
  [
    'BigCommerce products',
    'Product ID,Product Name,Product Code/SKU,Brand Name,Price,Cost Price,Current Stock Level\n1,Mug,M-1,Acme,10.50,4.00,7',
    {
      'products.name': 'Product Name',
      'products.price': 'Price',
      'products.brand': 'Brand Name',
      'products.purchase_price': 'Cost Price',
      'products.stock_quantity': 'Current Stock Level',
      'products.external_product_id': 'Product ID',
    },
  ],
  [
    'Tiendanube orders',
    `Número de orden;Email;Fecha;Estado de la orden;Moneda;Descuento;Costo de envío;Total;Nombre del producto;Precio del producto;Cantidad del producto;SKU;Cupón de descuento;Medio de pago
100;ann@example.com;31/03/2026;Abierta;ARS;0,00;100,00;1100,00;Taza;500,00;2;T-1;HOLA;Tarjeta`,
    {
      'orders.order_id': 'Número de orden',
      'orders.ordered_at': 'Fecha',
      'orders.total': 'Total',
      'orders.status': 'Estado de la orden',
      'orders.currency': 'Moneda',
      'orders.email': 'Email',
      'orders.discount': 'Descuento',
      'orders.shipping': 'Costo de envío',
      'orders.coupon_codes': 'Cupón de descuento',
      'orders.payment_method': 'Medio de pago',
      'order_items.order_id': 'Número de orden',
      'order_items.external_product_id': 'SKU',
      'order_items.name': 'Nombre del producto',
      'order_items.quantity': 'Cantidad del producto',
      'order_items.unit_price': 'Precio del producto',
    },
  ],
  [
    'Tiendanube products',
    'Identificador de URL;Nombre;Categorías;Precio;Stock;SKU;Código de barras;Costo;Marca\ntaza;Taza;Casa;500,00;4;T-1;7790000000001;200,00;Acme',
    {
      'products.external_product_id': 'SKU',
      'products.name': 'Nombre',
      'products.price': 'Precio',
      'products.stock_quantity': 'Stock',
      'products.ean': 'Código de barras',
      'products.purchase_price': 'Costo',
      'products.brand': 'Marca',
    },
  ],
];

describe('a proposed mapping', () => {
  it.each(SHAPES)('finds the columns of %s', async (_system, text, columns) => {
    expect((await proposed(`${text}\n`)).columns).toEqual(columns);
  });

  it.each([
    ['Italian', 'Numero ordine,Data ordine,Totale ordine,Stato ordine'],
    ['Polish', 'Numer zamówienia,Data zamówienia,Wartość zamówienia,Status zamówienia'],
    ['Dutch', 'Bestelnummer,Besteldatum,Totaalbedrag,Bestelstatus'],
    ['Portuguese', 'Número do pedido,Data do pedido,Total do pedido,Status do pedido'],
    ['Russian', 'Номер заказа,Дата заказа,Сумма заказа,Статус заказа'],
    ['French', 'Numéro de commande,Date de commande,Montant total,Statut'],
    ['German', 'BESTELL-NR.,Bestelldatum,Gesamtbetrag,Bestellstatus'],
    ['English, with underscores', 'order_number,order_date,order_total,order_status'],
    ['English, in camel case', 'orderNumber,orderDate,orderTotal,orderStatus'],
  ])('reads titles in %s', async (_language, header) => {
    const [id, date, total, status] = header.split(',');
    expect((await proposed(`${header}\n1,2026-03-02,10.50,done\n`)).columns).toEqual({
      'orders.order_id': id,
      'orders.ordered_at': date,
      'orders.total': total,
      'orders.status': status,
    });
  });

  it.each([
    ['31/03/2026', '01/04/2026', 'pattern: "DD/MM/YYYY"'],
    ['03/31/2026', '04/01/2026', 'pattern: "MM/DD/YYYY"'],
    ['31-03-2026 10:00', '01-04-2026 10:00', 'pattern: "DD-MM-YYYY HH:mm"'],
    ['2026/03/31 10:00', '2026/4/1 9:05', 'pattern: "YYYY/MM/DD HH:mm"'],
    ['2026. 03. 31. 10:00:00', '2026. 04. 01. 9:05:00', 'pattern: "YYYY. MM. DD. HH:mm:ss"'],
    ['03/04/2026 9:05 AM', '03/13/2026 1:00 PM', 'pattern: "MM/DD/YYYY h:mm A"'],
    ['5-Mar-2026', '12-Mar-2026', 'pattern: "D-MMM-YYYY"'],
    ['"Mar 5, 2026 9:05 AM"', '"Apr 12, 2026 1:00 PM"', 'pattern: "MMM D, YYYY h:mm A"'],
    ['5 March 2026', '12 May 2026', 'pattern: "D MMMM YYYY"'],
    ['Mar-05-26', 'Mar-12-26', 'pattern: "MMM-DD-YY"'],
    ['05/03/26', '31/03/26', 'pattern: "DD/MM/YY"'],
    ['03/05/26', '03/31/26', 'pattern: "MM/DD/YY"'],
    ['05.03.26', '06.03.26', 'pattern: "DD.MM.YY"'],
    ['46086.42014', '46087', 'pattern: "excel"'],
    ['20260305', '20260331', 'pattern: "YYYYMMDD"'],
    ['1772701200', '1772787600', 'pattern: "unix"'],
    ['1772701200000', '1772787600000', 'pattern: "unix_ms"'],
    ['03/04/26', '04/03/26', 'pattern: TODO}    # "DD/MM/YY" where the day comes first, "MM/DD/YY" where'],
    [
      '03/04/2026',
      '04/03/2026',
      'pattern: TODO}    # "DD/MM/YYYY" where the day comes first, "MM/DD/YYYY" where',
    ],
  ])('decides the order of day and month by all dates: %s, %s', async (one, other, pattern) => {
    const { mapping } = await proposed(`Order ID,Order date,Total\n1,${one},10.50\n2,${other},5.00\n`);
    expect(mapping).toContain(`ordered_at: {date: "Order date", ${pattern}`);
  });

  it.each([
    ['one line', 'My report\n'],
    ['a line and a blank one', 'Orders of March\n\n'],
    ['two lines with cells', 'Report:,Orders\nFrom:,2026-03-01,To:,2026-03-31\n'],
  ])('finds the header below %s', async (_what, above) => {
    const { columns } = await proposed(`${above}Order ID,Order date,Total,Foo,Bar\n1,2026-03-02,10.50,x,y\n`);
    expect(columns).toEqual({
      'orders.order_id': 'Order ID',
      'orders.ordered_at': 'Order date',
      'orders.total': 'Total',
    });
  });

  it('takes no column whose cells cannot be what its title says', async () => {
    const { columns } = await proposed('Order ID,Date,Total,Amount\n1,2026-03-02,yes,10.50\n');
    expect(columns['orders.total']).toBe('Amount');
  });

  it.each([
    ['26/03/25', '26/03/31'],
    ['26.03.25', '26.03.31'],
    ['31/03/2026', '03/31/2026'],
    ['5 März 2026', '12 März 2026'],
  ])(
    'proposes no order for dates that may begin with their year, or contradict each other: %s, %s',
    async (one, other) => {
      const { mapping } = await proposed(`Order ID,Order date,Total\n1,${one},10.50\n2,${other},5.00\n`);
      expect(mapping).not.toContain('pattern: "');
      expect(mapping).not.toContain('pattern: TODO');
    },
  );

  it.each([
    ['1.234,50', '7,00', '{number: "Total", decimal: comma}'],
    ['1 234,5 Kč', '7 Kč', '{number: "Total", decimal: comma}'],
    ['1.234', '12,5', '{number: "Total", decimal: comma}'],
    ['1.234.567', '1.234', '{number: "Total", decimal: comma}'],
    ['12,3456', '1,234', '{number: "Total", decimal: comma}'],
    ['1,234.50', '7.00', '{number: "Total", decimal: point}'],
    ['1’234.50', '7.00', '{number: "Total", decimal: point}'],
    ['$1,234', '$12.50', '{number: "Total", decimal: point}'],
    ['(12.50)', '7.00', '{number: "Total", decimal: point}'],
    ['12.50-', '1.234', '{number: "Total", decimal: point}'],
    ['1234.567', '1.234', '{number: "Total", decimal: point}'],
    ['1.234', '2.500', '"Total"'],
    ['1,234', '2,500', '"Total"'],
    ['1.234,50', '1,234.50', '"Total"'],
  ])('decides the decimal sign by all amounts: %s, %s', async (one, other, total) => {
    const { mapping } = await proposed(
      `Order ID;Order date;Total\n1;2026-03-02;${one}\n2;2026-03-03;${other}\n`,
    );
    expect(`${/total: (.*?)( {4}#.*)?$/m.exec(mapping)?.[1]}`).toBe(total);
  });

  it('names the places of two columns with one title, and takes neither', async () => {
    const { mapping } = await proposed('Order ID,Date,Total,Total\n1,2026-03-02,10.50,12.00\n');
    expect(mapping).toContain('total: TODO    # columns 3 and 4 are all called "Total"');
  });

  it('takes a list of products with an id and a quantity for no lines of orders', async () => {
    const { columns } = await proposed('id,name,price,quantity,created at\n1,Mug,10.50,3,2026-03-02\n');
    expect(Object.keys(columns).sort()).toEqual([
      'products.external_product_id',
      'products.name',
      'products.price',
      'products.stock_quantity',
    ]);
  });

  it('proposes nothing for a table of something else', async () => {
    expect((await proposed('Room,Colour\n1,blue\n')).columns).toEqual({});
    expect((await proposed('Name\nAnn\n')).columns).toEqual({});
    const wide = Array.from({ length: 300 }, (_, place) => `Field ${place}`).join(',');
    expect((await proposed(`${wide}\n${'1,'.repeat(299)}1\n`)).columns).toEqual({});
  });

  it('says which table a file seems to hold, what is missing, and what to do where titles tell nothing', async () => {
    expect((await proposed('Order ID,Order date\n1,2026-03-02\n')).told).toEqual([
      'It seems to hold orders, but no column was found for total, which is required.',
    ]);
    expect((await proposed('Number,Value\n1,2\n')).told).toEqual([
      expect.stringContaining('Its titles do not tell'),
    ]);
    await expect(proposed('')).rejects.toThrow('is empty');
    await expect(proposed('\0\u0001\0\u0002')).rejects.toThrow('no table of text');
  });

  it('takes no percentages for amounts, and is not sure of a column that is called VAT', async () => {
    const { columns, mapping } = await proposed(
      'Order ID,Date,Total,DPH %,Discount (%),VAT\n1,2026-03-02,10.50,21,10,21\n',
    );
    expect(columns).toMatchObject({ 'orders.tax': 'VAT' });
    expect(columns).not.toHaveProperty('orders.discount');
    expect(mapping).toContain('tax: "VAT"    # a guess by its short title');
  });

  it('is less sure of a short title', () => {
    expect(meaningsOf('ID').map(({ confidence }) => confidence)).toEqual(['low', 'low', 'low']);
    expect(meaningsOf('orderItemQuantity')).toMatchObject([{ column: 'quantity', confidence: 'medium' }]);
  });
});
