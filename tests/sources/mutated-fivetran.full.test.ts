import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../support/runs.ts';
import { asJson, asTables, filesOf, shops } from './fivetran-shop.ts';
import { translateFiles } from './translated.ts';

/** What numbers are made of. */
const NUMBERS = {
  orders:
    "order_id, ordered_at, total, subtotal, tax, shipping, discount, currency, is_test, status = 'cancelled'",
  order_items: 'order_id, line_no, kind, external_product_id, quantity, unit_price',
  refunds: 'refund_id, order_id, refunded_at, amount',
  refund_lines: 'refund_id, order_id, external_product_id, quantity, amount',
  products: 'external_product_id, price, stock_quantity, in_stock, discontinued, brand',
  profiles: 'profile_id, email_hash',
  consent_events: 'profile_id, channel, "at", state',
};

interface Read {
  readonly numbers: Readonly<Record<string, unknown>>;
  readonly said: string;
  readonly rejected: number;
}

async function read(files: Readonly<Record<string, string | Buffer>>): Promise<Read> {
  const numbers: Record<string, unknown> = {};
  let [said, rejected] = ['', 0];
  await translateFiles(files, async ({ rows, rejects, sources, warnings }) => {
    for (const [table, select] of Object.entries(NUMBERS)) numbers[table] = await rows(table, select);
    said = [...warnings, ...sources.flatMap(({ assumptions }) => assumptions)].join('\n');
    rejected = rejects.length;
  });
  return { numbers, said, rejected };
}

/** CI takes away every fourth of the columns: others with another seed. */
const SHARE = runs(1) < 4 ? 4 : 1;
const SEED = fc.readConfigureGlobal().seed ?? 1;

const [shop = { orders: [], products: [] }] = fc
  .sample(shops, { numRuns: 60, seed: 7 })
  .filter(
    ({ orders, products }) =>
      products.length > 2 &&
      orders.some(({ refunded }) => refunded !== null) &&
      orders.some(({ isTest }) => isTest) &&
      orders.some(({ isCancelled }) => isCancelled) &&
      orders.some(({ isTaxIncluded, tax }) => !isTaxIncluded && tax > 0) &&
      orders.some(({ lines }) => lines.some(({ off }) => off > 0)),
  );

describe.each(['rest', 'graphql'] as const)('mutated files of the %s schema', (schema) => {
  const tables = asTables(shop, schema);

  it('a table or a column that is missing is refused, rejected, said, or changes no number', async () => {
    const truth = await read(filesOf(tables));
    const silent: string[] = [];
    const judge = async (name: string, files: Readonly<Record<string, string>>, words: readonly string[]) => {
      const found = await read(files).catch((error: Error) => error.message);
      if (typeof found === 'string' || found.rejected > 0) return;
      if (JSON.stringify(found.numbers) === JSON.stringify(truth.numbers)) return;
      if (!words.some((word) => found.said.includes(`"${word}"`) || found.said.includes(`${word}.csv`)))
        silent.push(name);
    };
    for (const [table, rows] of Object.entries(tables)) {
      const { [table]: _, ...others } = tables;
      await judge(table, filesOf(others), [
        table === 'order_line_refund' || table === 'refund_line_item' ? 'refund_line' : table,
      ]);
      // The other schema differs in some columns alone.
      const columns = Object.keys(rows[0] ?? {}).filter(
        (name) => schema === 'rest' || /_set_|^display_|_consent_/.test(name),
      );
      for (const dropped of columns.filter((_, index) => index % SHARE === SEED % SHARE))
        await judge(
          `${table}.${dropped}`,
          filesOf(tables, (each, columns) =>
            columns.filter((column) => each !== table || column !== dropped),
          ),
          [dropped, dropped.replace(/^display_/, '').replace(/_set_shop_amount$/, ''), table],
        );
    }
    expect(silent).toEqual([]);
  });

  it('columns in another order, in capitals, behind a byte order mark or in UTF-16 change nothing', async () => {
    const { numbers } = await read(filesOf(tables));
    const changed = Object.entries(filesOf(tables, (_, columns) => columns.toReversed())).map(
      ([name, text], index) => {
        const capitals = text.replace(/^.*/, (header) => header.toUpperCase());
        return [
          name.toUpperCase().replace('.CSV', `_${index}.csv`),
          index % 2 === 0 ? `\uFEFF${capitals}` : Buffer.from(`\uFEFF${capitals}`, 'utf16le'),
        ] as const;
      },
    );
    expect((await read(Object.fromEntries(changed))).numbers).toEqual(numbers);
  });
});

it('random shops are those that the API answers', async () => {
  await fc.assert(
    fc.asyncProperty(shops, fc.constantFrom('rest', 'graphql'), async (random, schema) => {
      const truth = await read({ 'shop.ndjson': asJson(random) });
      expect((await read(filesOf(asTables(random, schema)))).numbers).toEqual(truth.numbers);
    }),
    { numRuns: runs(5) },
  );
});
