import { describe, expect, it } from 'vitest';
import { refusalOf, translateFiles } from './translated.ts';
import { zipOf } from './zip-archive.ts';

const ORDERS =
  'Name,Financial Status,Currency,Total,Created at,Lineitem quantity,Lineitem name,Lineitem price,Id\n#1,paid,EUR,10,2026-01-05 10:00:00 +0000,1,Mug,10,1\n';
const GOOD = { 'orders.csv': ORDERS, 'products.csv': 'Handle,Title,Variant Price\nmug,Mug,10\n' };
/** Each is refused at another step. */
const BAD = {
  'book.xlsx': Buffer.from('PK\u0003\u0004 and no more'),
  'cut.zip': zipOf([{ name: 'orders.csv', content: ORDERS }]).subarray(0, -12),
  'lacking.csv': ORDERS.replace('Total', 'Sum'),
  'report.csv': 'Product title,Net sales,Total sales\nMug,1,1\n',
};

describe('a folder of files of which some cannot be read', () => {
  it('is refused with all of them at once', async () => {
    const message = await refusalOf({ ...GOOD, ...BAD });
    expect(message).toContain('4 files cannot be read, so nothing was imported');
    expect(message).toContain('book.xlsx cannot be unpacked');
    expect(message).toContain('cut.zip cannot be unpacked');
    expect(message).toContain('lacking.csv (Shopify orders, CSV export of the admin) lacks "total"');
    expect(message).toContain('report.csv is a sales report of Shopify');
    expect(message).toContain('--skip-unreadable');
  });

  it('is imported without them where that was asked for, and each is told of', () =>
    translateFiles(
      { ...GOOD, ...BAD },
      async ({ rows, warnings, sources }) => {
        expect(await rows('orders', 'order_id')).toEqual([['1']]);
        expect(await rows('products', 'name')).toEqual([['Mug']]);
        expect(sources.flatMap(({ files }) => files).sort()).toEqual(['orders.csv', 'products.csv']);
        const left = warnings.filter((warning) => warning.startsWith('Left out: '));
        expect(left).toHaveLength(4);
        for (const name of Object.keys(BAD)) expect(left.join('\n')).toContain(name);
      },
      {},
      undefined,
      { skipsUnreadable: true },
    ));

  it('tells the questions of all files at once', async () => {
    const message = await refusalOf({
      'a.csv': ORDERS.replace(' +0000', ''),
      'b.csv': 'Day,Campaign,Cost,Clicks\n2026-10-01,Brand,1.00,1\n',
    });
    expect(message).toContain('Say --timezone Europe/Prague');
    expect(message).toContain('Say --currency EUR');
  });

  it('is refused where nothing is left, with what is wrong', async () => {
    const { 'report.csv': report } = BAD;
    const refusal = translateFiles({ 'report.csv': report }, () => {}, {}, undefined, {
      skipsUnreadable: true,
    });
    await expect(refusal).rejects.toThrow(
      /nothing to import was recognised[\s\S]*report\.csv is a sales report/,
    );
  });
});
