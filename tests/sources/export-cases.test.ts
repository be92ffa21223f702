import { describe, expect, it } from 'vitest';
import { exportCase, NO_CASES } from './export-cases.ts';
import { refusalOf, translateFiles } from './translated.ts';

/** What merchants' exports broke once, each with its right numbers. */
const caseOf = (name: string, test: (files: NonNullable<ReturnType<typeof exportCase>>) => Promise<void>) => {
  const files = exportCase(name);
  it.skipIf(files === null)(`${name} (${NO_CASES}: nothing to read)`, async () => {
    if (files !== null) await test(files);
  });
};

const PRAGUE = { timezone: 'Europe/Prague' };

describe('orders of Shopify', () => {
  caseOf('abandoned-checkouts-beside-orders', (files) =>
    translateFiles(files, async ({ rows, rejects, sources }) => {
      expect(rejects).toEqual([]);
      expect(await rows('orders', 'order_id, total')).toEqual([['6001', 20]]);
      expect(await rows('order_items', 'external_product_id, quantity')).toEqual([['CAP', 1]]);
      expect(sources[0]?.assumptions.join('\n')).toContain('2 abandoned checkouts or drafts are left out');
    }),
  );

  caseOf('two-downloads-of-one-name', (files) =>
    translateFiles(files, async ({ rows, sources }) => {
      expect(await rows('orders', 'number, status, total')).toEqual([
        ['#1001', 'cancelled', 20],
        ['#1002', 'fulfilled', 30],
        ['#1003', 'fulfilled', 40],
      ]);
      expect(await rows('refunds', 'order_id, amount')).toEqual([
        ['6001', 20],
        ['6002', 10],
      ]);
      expect(sources[0]?.assumptions.join('\n')).toContain('orders_export_1 (1).csv');
    }),
  );

  caseOf('damaged-phone-hides-billing-phone', (files) =>
    translateFiles(files, async ({ rows, sources }) => {
      expect(await rows('orders', 'count(phone_hash)')).toEqual([[3]]);
      expect(sources[0]?.assumptions.join('\n')).toContain('1 phone number');
    }),
  );

  caseOf('excel-sku-merges-products', (files) =>
    translateFiles(files, async ({ rejects }) => {
      expect(rejects.map(({ reason }) => String(reason))).toEqual([
        expect.stringContaining('scientific notation'),
        expect.stringContaining('scientific notation'),
      ]);
    }),
  );

  caseOf('tip-with-a-discount', (files) =>
    translateFiles(files, async ({ rows }) => {
      expect(await rows('order_items', 'kind, quantity, unit_price')).toEqual([
        ['payment', 1, 20],
        ['product', 1, 90],
      ]);
    }),
  );

  caseOf('rows-in-one-cell-then-semicolon', (files) =>
    translateFiles(files, async ({ rows, rejects }) => {
      expect(rejects).toEqual([]);
      expect(await rows('orders', 'count(*), sum(total)')).toEqual([[2, 55448]]);
      expect(await rows('order_items', 'external_product_id, quantity')).toEqual([
        ['BB3', 1],
        ['BB5', 1],
        ['BB6', 1],
      ]);
    }),
  );
});

describe('orders of WooCommerce', () => {
  const LONDON = { timezone: 'Europe/London' };

  caseOf('advanced-order-export-title-name', (files) =>
    translateFiles(
      files,
      async ({ rows, rejects }) => {
        expect(rejects).toEqual([]);
        expect(await rows('orders', 'order_id, total')).toEqual([['501', 24]]);
        expect(await rows('order_items', 'external_product_id, name, quantity, unit_price')).toEqual([
          ['name:Blue mug', 'Blue mug', 2, 10],
        ]);
      },
      LONDON,
    ),
  );

  caseOf('advanced-order-export-with-refunds', (files) =>
    translateFiles(
      files,
      async ({ rows, rejects }) => {
        expect(rejects).toEqual([]);
        expect(await rows('orders', 'order_id, total, status')).toEqual([
          ['501', 48, 'fulfilled'],
          ['502', 48, 'fulfilled'],
        ]);
        expect(await rows('refunds', 'order_id, amount, cast(refunded_at as varchar)')).toEqual([
          ['501', 24, '2026-03-05 10:00:00'],
        ]);
        expect(await rows('order_items', 'order_id, quantity')).toEqual([
          ['501', 2],
          ['502', 2],
        ]);
      },
      LONDON,
    ),
  );

  caseOf('line-of-no-pieces', (files) =>
    translateFiles(
      files,
      async ({ rows, rejects }) => {
        expect(rejects).toEqual([]);
        expect(await rows('orders', 'order_id, total')).toEqual([['501', 24]]);
        expect(await rows('order_items', 'external_product_id, quantity, unit_price')).toEqual([
          ['CAP', 1, 24],
          ['GIFT', 0, 0],
        ]);
      },
      { timezone: 'Europe/Berlin' },
    ),
  );

  caseOf('woocommerce-analytics-orders-report', async (files) => {
    const refusal = await refusalOf(files);
    expect(refusal).toContain('WooCommerce');
    expect(refusal).toContain('docs/sources/woocommerce-csv.md');
    expect(refusal).not.toContain('Shopify');
  });
});

describe('orders of other shops', () => {
  caseOf('magento-discount-on-prices-without-tax', (files) =>
    translateFiles(files, async ({ rows, rejects }) => {
      expect(rejects).toEqual([]);
      expect(await rows('order_items', 'external_product_id, quantity * unit_price')).toEqual([
        ['EXCL', 108.9],
        ['INCL', 108.9],
      ]);
    }),
  );

  caseOf('prestashop-voucher', (files) =>
    translateFiles(
      files,
      async ({ rows, rejects }) => {
        expect(rejects).toEqual([]);
        expect(await rows('order_items', 'external_product_id, quantity * unit_price')).toEqual([
          ['CUP', 18],
          ['MUG', 72],
        ]);
      },
      { timezone: 'Europe/Paris' },
    ),
  );

  caseOf('shoptet-columns-of-an-own-export', (files) =>
    translateFiles(
      files,
      async ({ rows, rejects }) => {
        expect(rejects).toEqual([]);
        expect(await rows('orders', 'order_id, total, shipping')).toEqual([['2026000003', 720, 100]]);
        expect(
          await rows(
            'order_items',
            'external_product_id, quantity, quantity * unit_price',
            "kind = 'product'",
          ),
        ).toEqual([['64', 2, 620]]);
      },
      PRAGUE,
    ),
  );

  caseOf('mapping-of-titles-in-windows-1250', async ({ 'mapping.yaml': mapping, ...files }) => {
    await translateFiles(
      files,
      async ({ rows, rejects }) => {
        expect(rejects).toEqual([]);
        expect(await rows('orders', 'order_id, status, total, currency')).toEqual([
          ['2026001', 'fulfilled', 1210.5, 'CZK'],
          ['2026002', 'cancelled', 99, 'CZK'],
        ]);
      },
      { encoding: 'windows-1250' },
      String(mapping),
    );
    expect(await refusalOf(files, {}, String(mapping))).toContain('--encoding windows-1250');
  });

  caseOf('unknown-table-called-orders', async (files) => {
    const refusal = await refusalOf(files);
    expect(refusal).toContain('orders.csv is not recognised');
    expect(refusal).toContain('describe its columns with a mapping');
    expect(refusal).not.toContain('required column');
  });
});

describe('marketing', () => {
  caseOf('klaviyo-members-suppressed', (files) =>
    translateFiles(
      files,
      async ({ rows, rejects }) => {
        expect(rejects).toEqual([]);
        expect(await rows('consent_events', 'profile_id, state, cast("at" as varchar)')).toEqual([
          ['01AAA', 'subscribed', '2024-01-01 10:00:00'],
          ['01BBB', 'bounced', '2024-05-01 00:00:00'],
          ['01BBB', 'subscribed', '2024-01-02 10:00:00'],
          ['01CCC', 'unsubscribed', '2024-01-03 10:00:00'],
          ['01EEE', 'complained', '2024-05-01 00:00:00'],
          ['01EEE', 'subscribed', '2024-02-02 10:00:00'],
        ]);
      },
      { timezone: 'America/New_York', 'exported-at': '2024-05-01' },
    ),
  );

  caseOf('mailchimp-unsub-as-merge-fields', (files) =>
    translateFiles(
      files,
      async ({ rows, rejects }) => {
        expect(rejects).toEqual([]);
        expect(await rows('consent_events', 'state')).toEqual([['subscribed'], ['subscribed']]);
      },
      { timezone: 'America/Los_Angeles' },
    ),
  );

  caseOf('google-ads-days-after-excel', async (files) => {
    await translateFiles(
      files,
      async ({ rows, rejects, sources }) => {
        expect(rejects).toEqual([]);
        expect(await rows('ad_costs', 'cast(day as varchar), cost')).toEqual([
          ['2026-10-01', 10],
          ['2026-10-13', 5],
        ]);
        expect(sources[0]?.assumptions.join('\n')).not.toContain('Impressions');
      },
      { dates: 'mdy' },
    );
    expect(await refusalOf(files)).toContain('a date that may begin with the day or the month in "Day"');
  });
});
