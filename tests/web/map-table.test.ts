import { describe, expect, it } from 'vitest';
import { readUpload } from '../../src/control/businesses/uploads.ts';
import type { Page } from './cookie-browser.ts';
import { bringFiles, type FileOfForm, titleOf, untilEnded, work } from './upload-person.ts';
import {
  ada,
  bring,
  idOf,
  joinAs,
  ORDERS,
  openUploadShop,
  publish,
  revenue,
  server,
  shop,
  test,
  uploadsUrl,
} from './upload-shop.ts';

/** A table that no source knows is mapped on a page, tried, published, and known the next time. */
openUploadShop();

/** Titles in Hungarian, which no dictionary of ours has: what the columns are, a person says. */
const HEADER = 'Rendelésszám;Dátum;Vevő e-mail;Végösszeg;Pénznem;Állapot;Termék;Cikkszám;Darab;Egységár\n';
const LINES = [
  'A-1;2026-03-05 10:00;ann@example.com;25,50;EUR;kész;Bögre;MUG;2;10,25',
  'A-1;2026-03-05 10:00;ann@example.com;25,50;EUR;kész;Doboz;BOX;1;5,00',
  'A-2;2026-03-06 11:30;bob@example.com;7,00;EUR;kész;Doboz;BOX;1;7,00',
  'A-3;2026-03-07 09:15;cid@example.com;9,00;EUR;törölt;Doboz;BOX;1;9,00',
];
const TABLE: FileOfForm = ['rendelesek.csv', `${HEADER}${LINES.join('\n')}\n`];
const CHOICES = [
  ...['orders.order_id', 'orders.ordered_at', 'orders.email', 'orders.total', 'orders.currency'],
  ...['orders.status', 'order_items.name', 'order_items.external_product_id', 'order_items.quantity'],
  'order_items.unit_price',
];

const linkOf = ({ text }: Page) => /href="([^"]*\/map\?table=[^"]+)"/.exec(text)?.[1] ?? '';
const openTable = (page: Page) => ada.browser.get(new URL(linkOf(page), page.url));
const fingerprintOf = ({ text }: Page) => /name="table" value="([^"]+)"/.exec(text)?.[1] ?? '';
const placeOf = (page: Page) => `${page.url.origin}${page.url.pathname}`;

/** Sends the form as a browser does: one field for each column. */
async function choose(page: Page, fields: readonly string[], more: Record<string, string> = {}) {
  const body = new URLSearchParams({ table: fingerprintOf(page), kind: 'orders', ...more });
  for (const field of fields) body.append('field', field);
  return untilEnded(ada, await ada.browser.post(placeOf(page), body));
}

/** What the shop says of statuses and of its time zone, as the questions of an import are answered. */
async function answered(page: Page): Promise<Page> {
  if (titleOf(page) !== 'One question before we continue') return page;
  const body = new URLSearchParams({ timezone: 'Europe/Prague', currency: 'EUR' });
  for (const [name, meaning] of [
    ['kész', 'fulfilled'],
    ['törölt', 'cancelled'],
  ] as const) {
    body.append('status_name', name);
    body.append('status_meaning', meaning);
  }
  return untilEnded(ada, await ada.browser.post(`${page.url}/check`, body));
}

describe('a table that no source knows', () => {
  it('is mapped on a page, tried, published, counted as its rows say, and known the next time', async () => {
    const unknown = await bring(TABLE);
    expect(unknown.text).toContain('Map this table');
    const page = await openTable(unknown);
    expect(titleOf(page)).toBe('Map this table');
    // The first rows, without persons.
    expect(page.text).toContain('2026-03-05 10:00');
    expect(page.text).toContain('xxx@xxxxxxx.xxx');
    expect(page.text).not.toContain('ann@example.com');

    const checked = await answered(await choose(page, CHOICES));
    expect(titleOf(checked)).toBe('Check and publish');
    expect(checked.text).toContain('3 in the files, 3 stored, 2 counted');
    expect(checked.text).toContain('Change its mapping');
    expect(await revenue()).toBe(0);
    expect(titleOf(await publish(checked))).toBe('Published');
    expect(await revenue()).toBe(32.5);

    const next = `${HEADER}A-4;2026-04-01 08:00;dan@example.com;11,00;EUR;kész;Doboz;BOX;1;11,00\n`;
    const again = await bring(['április.csv', next]);
    expect(titleOf(again)).toBe('Check and publish');
    expect(again.text).toContain('Change its mapping');
    expect(titleOf(await publish(again))).toBe('Published');
    expect(await revenue()).toBe(43.5);
  });

  it('shows what was chosen to whoever changes it', async () => {
    const page = await openTable(await bring(TABLE));
    const checked = await answered(await choose(page, CHOICES));
    const changed = await openTable(checked);
    for (const field of CHOICES) expect(changed.text).toContain(`<option value="${field}" selected>`);
  });

  it('has lines that are no products, which are told by their column, and never counted as such', async () => {
    const rows = ['A-1,2026-03-05,15.00,product,MUG,1,10.00', 'A-1,2026-03-05,15.00,shipping,POST,1,5.00'];
    const csv = `Order Number,Order Date,Grand Total,Item Type,SKU,Qty Ordered,Item Price\n${rows.join('\n')}\n`;
    const page = await openTable(await bring(['x.csv', csv]));
    expect(page.text).toContain('<option value="order_items.kind" selected>');
    const fields = ['orders.order_id', 'orders.ordered_at', 'orders.total', 'order_items.kind'];
    const lines = ['order_items.external_product_id', 'order_items.quantity', 'order_items.unit_price'];
    expect(titleOf(await answered(await choose(page, [...fields, ...lines])))).toBe('Check and publish');
    const odd = await openTable(await bring(['x.csv', csv.replace('shipping', 'postage')]));
    expect(titleOf(await answered(await choose(odd, [...fields, ...lines])))).toBe(
      'Some rows cannot be read',
    );
    const without = await choose(odd, ['orders.order_id', 'orders.ordered_at', '', '', ...lines]);
    expect(without.text).toContain('add a column to the file that has the total of the order');
  });

  it('is proposed what its titles tell, with how sure that is', async () => {
    const csv =
      'Order Number,Order Date,Grand Total,Currency,SKU,Qty Ordered,Item Price,Foo\n1,2026-03-05,10.00,EUR,A,1,10.00,x\n';
    const page = await openTable(await bring(['x.csv', csv]));
    for (const field of ['orders.order_id', 'orders.ordered_at', 'orders.total', 'order_items.quantity'])
      expect(page.text).toContain(`<option value="${field}" selected>`);
    expect(page.text).toContain('Nearly sure: Order: date');
    expect(page.text).toContain('It seems to hold: orders');
    const others = await choose(page, [], { kind: 'products', show: 'lists' });
    expect(others.text).toContain('<option value="products.external_product_id" selected>');
  });
});

describe('choices that are not tried yet', () => {
  const SOME = ['orders.number', '', 'orders.phone'];
  const shows = ({ text }: Page, fields: readonly string[]) =>
    fields.filter((field) => field !== '' && text.includes(`<option value="${field}" selected>`));
  const keep = (page: Page) => choose(page, SOME, { keep: 'choices' });

  it('are there again when the person comes back, and in another upload of a file with these columns', async () => {
    const unknown = await bring(TABLE);
    const page = await openTable(unknown);
    expect(shows(page, SOME)).toEqual([]);
    const files = await keep(page);
    expect(files.url.pathname).toBe(unknown.url.pathname);
    expect(shows(await openTable(files), SOME)).toEqual(['orders.number', 'orders.phone']);
    const other = await openTable(await bring(['más.csv', `${HEADER}${LINES[1]}\n`]));
    expect(shows(other, SOME)).toEqual(['orders.number', 'orders.phone']);
    expect(other.text).toContain('choices that you have not tried yet');
  });

  it('are there after an error, after other lists were looked at, and when another file comes', async () => {
    const unknown = await bring(TABLE);
    const page = await openTable(unknown);
    expect((await choose(page, SOME)).status).toBe(400);
    expect(shows(await ada.browser.get(page.url), SOME)).toEqual(['orders.number', 'orders.phone']);
    const other = await choose(page, SOME, { kind: 'products', show: 'lists' });
    expect(shows(other, SOME)).toEqual([]);
    const more = await ada.browser.get(page.url);
    expect(shows(more, SOME)).toEqual(['orders.number', 'orders.phone']);
    const again = await choose(more, [...SOME, 'orders.total'], { show: 'lists' });
    expect(shows(again, ['orders.total'])).toEqual(['orders.total']);
    expect(shows(await ada.browser.get(page.url), ['orders.total'])).toEqual(['orders.total']);
  });

  it('go when the person begins anew, or tries them', async () => {
    const page = await openTable(await bring(TABLE));
    await keep(page);
    const anew = await choose(page, SOME, { forget: 'choices' });
    expect(shows(anew, SOME)).toEqual([]);
    await keep(page);
    await answered(await choose(page, CHOICES));
    const next = await openTable(await bring(TABLE));
    expect(shows(next, SOME)).toEqual([]);
  });

  it('are of the account: another manager of the store does not see them', async () => {
    await keep(await openTable(await bring(TABLE)));
    const other = await joinAs(shop);
    const checked = await work(other, await bringFiles(other, uploadsUrl(), [TABLE]), 'check');
    const page = await other.browser.get(new URL(linkOf(checked), checked.url));
    expect(titleOf(page)).toBe('Map this table');
    expect(shows(page, SOME)).toEqual([]);
  });
});

describe('what cannot be mapped is said in words', () => {
  it.each<[string, string[], string]>([
    ['nothing chosen', [], 'No column is chosen for'],
    [
      'what is needed is missing',
      ['orders.order_id', 'orders.ordered_at'],
      '“Order: total paid, with VAT and shipping”',
    ],
    [
      'one field twice',
      ['orders.order_id', 'orders.order_id'],
      'Two columns are chosen for “Order: number or id”',
    ],
    ['a field that is none', ['orders.secret', '<script>', 'products.name'], 'No column is chosen for'],
  ])('%s', async (_, fields, says) => {
    const page = await openTable(await bring(TABLE));
    const refused = await choose(page, fields);
    expect(refused.status).toBe(400);
    expect(refused.text).toContain(says);
    expect(refused.text).not.toContain('<script>');
  });

  it('dates that are equally likely either way are asked for', async () => {
    const csv = 'a,b,c,d\nA-1,03/04/2026,04/05/2026,10.00\nA-2,05/06/2026,06/07/2026,5.00\n';
    const page = await openTable(await bring(['x.csv', csv]));
    const fields = ['orders.order_id', 'orders.ordered_at', '', 'orders.total'];
    const asked = await choose(page, fields);
    expect(asked.text).toContain('Say whether the day or the month comes first');
    const checked = await answered(await choose(page, fields, { dates: 'mdy' }));
    expect(checked.text).toContain('2 in the files, 2 stored, 2 counted');
    expect(checked.text).toContain('2026-03');
    expect(checked.text).not.toContain('2026-04');
  });

  it('hostile, double, missing and very long titles, an empty column, 350 columns', async () => {
    const titles = ['<b>x</b>', '=cmd()', `"${'l'.repeat(10_000)}"`, 'same', 'same', '', 'empty'];
    const more = Array.from({ length: 343 }, (_, index) => `c${index}`);
    const cells = ['A-1', '2026-03-05', '10.00', '1', '2', 'x', '', ...more.map(() => '0')];
    const csv = `${[...titles, ...more].join(',')}\n${cells.join(',')}\n`;
    const page = await openTable(await bring(['x.csv', csv]));
    expect(page.text).not.toContain('<b>x</b>');
    expect(page.text).toContain('50 columns more are not shown here');
    expect(page.text).toContain('Empty');
    const checked = await choose(page, ['orders.order_id', 'orders.ordered_at', 'orders.total']);
    expect((await answered(checked)).text).toContain('1 in the files, 1 stored, 1 counted');
  });

  it('whose file is gone, or of another store, or not told to somebody', async () => {
    const unknown = await bring(TABLE);
    const page = await openTable(unknown);
    const stranger = await joinAs();
    expect((await stranger.browser.get(page.url)).status).toBe(404);
    const keeper = await joinAs(shop);
    expect((await keeper.browser.get(page.url)).status).toBe(403);
    await ada.browser.post(`${server.baseUrl}${unknown.url.pathname}/remove`, { file_number: '1' });
    const gone = await choose(page, CHOICES);
    expect(gone.status).toBe(409);
    expect(gone.text).toContain('The files have changed since');
  });

  it('two who map at once: one waits, and nothing is mixed', async () => {
    const page = await openTable(await bring(TABLE));
    const both = await Promise.all([choose(page, CHOICES), choose(page, CHOICES)]);
    expect(both.every(({ status }) => [200, 409].includes(status))).toBe(true);
    const upload = await readUpload(
      test.instance.control,
      idOf(await untilEnded(ada, await ada.browser.get(placeOf(page).replace(/\/map$/, '')))),
    );
    expect(Object.keys(upload?.answers.mappings ?? {})).toHaveLength(1);
  });

  it('a known export beside it is imported all the same', async () => {
    const checked = await bring(ORDERS, TABLE);
    expect(titleOf(checked)).toBe('Check and publish');
    expect(checked.text).toContain('Map this table');
  });
});
