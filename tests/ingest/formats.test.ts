import { mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { csvRows, csvText } from '../oracle/csv-text.ts';
import { isQuick } from '../support/runs.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { type Files, importFiles, query, storedRows, writeFiles } from './shop.ts';
import { stageAll, stageFolder } from './staging.ts';

const SHOP = fileURLToPath(new URL('../fixtures/hand-made-shop', import.meta.url));
const TABLES = readdirSync(SHOP).filter((name) => name.endsWith('.csv'));
const LISTS = ['categories', 'flags', 'coupon_codes', 'tags'];

let test: TestInstance;
/** What the model is made of, and so all answers. */
let expected: Awaited<ReturnType<typeof stageAll>>['tables'];

const newBusiness = () => test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });

beforeAll(async () => {
  test = await createTestInstance({ isOneEngineEnough: true });
  expected = (await stageAll(SHOP)).tables;
});

afterAll(() => test[Symbol.asyncDispose]());

type Convert = (name: string, rows: string[][]) => Files;

function eachTable(tables: readonly string[], convert: Convert): Files {
  return Object.assign(
    {},
    ...tables.map((file) =>
      convert(file.replace('.csv', ''), csvRows(readFileSync(join(SHOP, file), 'utf8'))),
    ),
  );
}

function objects([header = [], ...rows]: string[][]): Record<string, string>[] {
  return rows.map((row) => Object.fromEntries(header.map((name, index) => [name, row[index] ?? ''])));
}

const ndjson = (rows: object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

/** Each value with the JSON type that it means. */
function typed(row: Record<string, string>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([name, cell]) => {
      if (cell === '') return [name, null];
      if (LISTS.includes(name)) return [name, cell.startsWith('[') ? JSON.parse(cell) : cell.split('|')];
      if (name === 'attributes') return [name, JSON.parse(cell)];
      if (/_at$|_id$|^at$|^ean$|^sku$|^number$|phone/.test(name)) return [name, cell];
      if (/^(true|false)$/.test(cell)) return [name, cell === 'true'];
      return [name, /^-?\d+(\.\d+)?$/.test(cell) ? Number(cell) : cell];
    }),
  );
}

const half = (rows: string[][]) => Math.ceil(rows.length / 2);

/** Two files of a table, each with the header. */
function halves(rows: string[][]): [string[][], string[][]] {
  const [header = []] = rows;
  return [rows.slice(0, half(rows)), [header, ...rows.slice(half(rows))]];
}

const SPELLINGS: readonly (readonly [string, Convert])[] = [
  [
    'CSV.gz of several packed parts',
    (name, rows) => ({
      [`${name}-a.csv`]: csvText(rows.slice(0, 1)),
      // Written as .csv.gz by hand, so that it is packed part by part.
      [`${name}-b.csv.gz`]: '',
    }),
  ],
  ['NDJSON of typed values', (name, rows) => ({ [`${name}.ndjson`]: ndjson(objects(rows).map(typed)) })],
  ['NDJSON.gz', (name, rows) => ({ [`${name}.ndjson.gz`]: ndjson(objects(rows).map(typed)) })],
  [
    'NDJSON with CRLF, blank lines, a byte order mark, no last line end',
    (name, rows) => ({
      [`${name}.ndjson`]: `\uFEFF${ndjson(objects(rows)).replaceAll('\n', '\r\n\r\n').trimEnd()}`,
    }),
  ],
  ['CSV with LF', (name, rows) => ({ [`${name}.csv`]: csvText(rows).replaceAll('\r\n', '\n') })],
  [
    'CSV with a byte order mark and without a last line end',
    (name, rows) => ({ [`${name}.csv`]: `\uFEFF${csvText(rows).trimEnd()}` }),
  ],
  [
    'CSV with every cell in quotes',
    (name, rows) => ({
      [`${name}.csv`]: rows
        .map((row) => `${row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\n`)
        .join(''),
    }),
  ],
  [
    'CSV with the columns the other way round',
    (name, rows) => ({ [`${name}.csv`]: csvText(rows.map((row) => row.toReversed())) }),
  ],
  [
    'CSV with a nameless first column, as of a spreadsheet with row numbers',
    (name, rows) => ({ [`${name}.csv`]: csvText(rows.map((row, i) => [i === 0 ? '' : `${i}`, ...row])) }),
  ],
  [
    'files in a folder of the table, of several formats',
    (name, rows) => {
      const [first, second] = halves(rows);
      return { [`${name}/a.csv`]: csvText(first), [`${name}/deeper/b.ndjson.gz`]: ndjson(objects(second)) };
    },
  ],
  [
    'all spellings together',
    (name, rows) => {
      const [first, second] = halves(rows);
      const [third, fourth] = halves(second);
      return {
        [`${name}-a.csv`]: csvText(first),
        [`${name}.csv`]: csvText(third),
        [`${name}/b.csv`]: csvText(fourth),
      };
    },
  ],
  [
    'beside files that hold nothing but a header, or nothing at all',
    (name, rows) => ({
      [`${name}.csv`]: csvText(rows),
      [`${name}-0.csv`]: csvText(rows.slice(0, 1)),
      [`${name}-1.csv`]: csvText(rows.slice(0, 1)).trimEnd(),
      [`${name}-2.ndjson`]: '',
      [`${name}-3.ndjson.gz`]: '\n\n',
    }),
  ],
];

/**
 * `npm test` takes a third of the tables in each spelling, each table in a third of them: none is read in its
 * own way.
 */
const tablesIn = (spelling: number) => TABLES.filter((_, table) => !isQuick || (table + spelling) % 3 === 0);

describe('the same rows are stored the same', () => {
  it.each(SPELLINGS.map(([spelling, convert], index) => ({ spelling, convert, files: tablesIn(index) })))(
    '$spelling',
    async ({ spelling, convert, files }) => {
      const converted = eachTable(files, (name, rows) => {
        const own = convert(name, rows);
        if (!spelling.includes('packed parts')) return own;
        const [header = []] = rows;
        return { ...own, [`${name}-c.csv`]: csvText([header]) };
      });
      const folder = writeFiles(test, converted);
      if (spelling.includes('packed parts')) await writePackedParts(folder, files);
      const { tables, warnings } = await stageAll(folder);
      expect(warnings.filter((warning) => !/unknown columns/.test(warning))).toEqual([]);
      expect(Object.keys(tables)).toHaveLength(files.length);
      for (const [name, rows] of Object.entries(tables)) expect(rows, name).toEqual(expected[name]);
    },
  );

  it('Parquet of texts', async () => {
    expect(await tablesOfParquet((file) => `select * from read_csv('${file}', all_varchar = true)`)).toEqual(
      expected,
    );
  });

  it('Parquet of typed values', async () => {
    expect(await tablesOfParquet(typedParquet)).toEqual(expected);
  });
});

async function writePackedParts(folder: string, files: readonly string[]): Promise<void> {
  const { writeFileSync } = await import('node:fs');
  for (const file of files) {
    const text = csvText(csvRows(readFileSync(join(SHOP, file), 'utf8')));
    const middle = Math.floor(text.length / 2);
    const parts = [gzipSync(text.slice(0, middle)), gzipSync(text.slice(middle))];
    writeFileSync(join(folder, `${file.replace('.csv', '')}-b.csv.gz`), Buffer.concat(parts));
  }
}

async function tablesOfParquet(select: (file: string) => string): Promise<unknown> {
  const folder = join(test.folder, `parquet-${Math.random()}`);
  mkdirSync(folder);
  for (const file of TABLES) {
    await query(
      `copy (${select(join(SHOP, file))}) to '${join(folder, file.replace('.csv', '.parquet'))}' (format parquet)`,
    );
  }
  return (await stageAll(folder)).tables;
}

/** Columns as DuckDB, pandas or Spark would type them. */
function typedParquet(file: string): string {
  const [header = []] = csvRows(readFileSync(file, 'utf8'));
  const columns = header.map((name) => {
    if (LISTS.includes(name)) return `string_split("${name}", '|') as "${name}"`;
    if (name === 'line_no') return 'cast(line_no as double) as line_no';
    if (/price|cost|total|quantity|fx_rate|amount/.test(name))
      return `cast("${name}" as decimal(18,6)) as "${name}"`;
    if (/^is_|discontinued/.test(name)) return `cast("${name}" as boolean) as "${name}"`;
    if (name === 'engagement_s') return 'cast(engagement_s as double) as engagement_s';
    return `"${name}"`;
  });
  return `select ${columns.join(', ')} from read_csv('${file}', all_varchar = true)`;
}

it('takes timestamps with and without time zone from Parquet', async () => {
  const folder = join(test.folder, 'parquet-times');
  mkdirSync(folder);
  await query(`copy (
    select 'A' as order_id, timestamptz '2024-06-01 10:00:00+00' as ordered_at, 1.5::float as total
  ) to '${folder}/orders-a.parquet' (format parquet)`);
  await query(`copy (
    select 'B' as order_id, timestamp_ns '2024-06-01 12:00:00' as ordered_at, 2::integer as total
  ) to '${folder}/orders-b.parquet' (format parquet)`);
  const business = await newBusiness();
  await test.importFolder(business, folder);
  const call = {
    business_id: business.business_id,
    from_date: '2024-06-01T12:00:00',
    to_date: '2024-06-01T12:00:00',
  };
  expect(await test.ask('order_statistics', call)).toMatchObject({ orders_count: 2 });
});

it.each([
  [
    'moments',
    'orders',
    'ordered_at',
    'timestamptz',
    [
      '2024-06-01 10:00:00.5+02',
      '0001-01-01 00:00:00+00',
      '9999-12-31 23:59:59+00',
      '10000-01-01 00:00:00+00',
      '0044-03-15 (BC) 00:00:00+00',
      'infinity',
      '-infinity',
    ],
  ],
  ['flags', 'orders', 'is_test', 'boolean', ['true', 'false']],
  ['whole numbers', 'sessions', 'page_views', 'bigint', ['0', '-5', '9223372036854775807']],
  ['whole numbers', 'sessions', 'page_views', 'integer', ['0', '-5', '2147483647']],
  ['small whole numbers', 'sessions', 'page_views', 'utinyint', ['0', '255']],
])(
  '%s of Parquet mean as values what they mean as texts: %s, %s as %s',
  async (_, table, column, type, values) => {
    const others: Readonly<Record<string, string>> = {
      orders: `'O' || n as order_id, '1' as total${column === 'ordered_at' ? '' : ", '2024-06-01T10:00:00Z' as ordered_at"}`,
      sessions: `'S' || n as session_id, 'v' as visitor_id, '2024-06-01T10:00:00Z' as started_at`,
    };
    const rows = [...values, null].map(
      (value, n) => `(${n}, cast(${value === null ? 'null' : `'${value}'`} as ${type}))`,
    );
    const stage = async (cell: string) => {
      const folder = mkdtempSync(join(test.folder, 'typed-'));
      await query(`copy (
      select ${others[table]}, ${cell} as ${column} from (values ${rows.join(', ')}) as t(n, value)
    ) to '${folder}/${table}.parquet' (format parquet)`);
      const staged = await stageFolder(table, folder);
      return {
        ...staged,
        rejects: staged.rejects.map(({ record, column_name, reason }) => ({ record, column_name, reason })),
      };
    };
    const typed = await stage('value');
    expect(typed.counts.loaded).toBeGreaterThan(1);
    expect(typed).toEqual(await stage('cast(value as varchar)'));
  },
);

it('keeps commas, quotes, line breaks and unicode of quoted cells', async () => {
  const business = await newBusiness();
  const name = 'Hrnek "Žluť", 3 ks\r\n– 漢字 🐴';
  await importFiles(test, business, {
    'products.csv': csvText([
      ['name', 'external_product_id', 'price'],
      [name, 'P', '1'],
    ]),
  });
  expect(await storedRows(test, business, 'products', 'name')).toEqual([[name]]);
});
