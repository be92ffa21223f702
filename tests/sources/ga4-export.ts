import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';

export interface Ga4Event {
  readonly event_name: string;
  readonly event_timestamp: number | string;
  readonly user_pseudo_id?: string | null;
  readonly event_params: readonly Ga4Param[];
  readonly [field: string]: unknown;
}

interface Ga4Param {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/** 5 March 2026, 10:00 UTC, in microseconds. */
export const TEN = Date.UTC(2026, 2, 5, 10) * 1000;

/** An event as the BigQuery export has it, some seconds after ten. */
export function ga4Event(
  event_name: string,
  seconds: number,
  params: Readonly<Record<string, unknown>> = {},
  fields: Readonly<Record<string, unknown>> = {},
): Ga4Event {
  return {
    event_date: '20260305',
    event_timestamp: TEN + seconds * 1_000_000,
    event_name,
    event_params: Object.entries({ ga_session_id: 1, ...params }).map(([key, value]) => ({
      key,
      value: slotOf(value),
    })),
    user_pseudo_id: '1111111111.2222222222',
    ...fields,
  };
}

/** A value stands in the slot of its type. */
function slotOf(value: unknown): Record<string, unknown> {
  if (typeof value !== 'number') return { string_value: value };
  return Number.isInteger(value) ? { int_value: value } : { double_value: value };
}

export const ndjson = (events: readonly object[]) =>
  `${events.map((event) => JSON.stringify(event)).join('\n')}\n`;

/** As `bq extract` writes them: whole numbers as strings, empty fields left out. */
export function asBqExtract(event: object): object {
  return JSON.parse(JSON.stringify(event), (_, value) => {
    if (typeof value === 'number' && Number.isInteger(value)) return String(value);
    return value === null ? undefined : value;
  });
}

/**
 * Writes events as Parquet, with the types that DuckDB finds in them.
 *
 * @param select what of them, for columns of other types
 */
export async function writeParquet(
  folder: string,
  name: string,
  events: readonly object[],
  select = '*',
): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const json = join(folder, `${name}.source`);
  writeFileSync(json, ndjson(events));
  const path = join(folder, name);
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await connection.run(
    `copy (select ${select} from read_json('${json}', format = 'newline_delimited', sample_size = -1)) to '${path}' (format parquet)`,
  );
  connection.closeSync();
  instance.closeSync();
  rmSync(json);
  return path;
}

/** The events of a Parquet file, as JSON. */
export async function readParquet(path: string): Promise<Ga4Event[]> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const rows = await connection.runAndReadAll(
    `select cast(to_json(event) as varchar) as event from (select event from read_parquet('${path}') as event)`,
  );
  return rows.getRowObjectsJson().map(({ event }) => JSON.parse(String(event)) as Ga4Event);
}

export const page = (path: string) => ({ page_location: `https://shop.example${path}` });
export const shoes = { item_id: 'SHOE', item_name: 'Shoe', price: 30, quantity: 2, item_revenue: 60 };
export const socks = { item_id: 'SOCK', item_name: 'Sock', price: 5 };

export const purchase = (
  seconds: number,
  transaction: unknown,
  value: number,
  fields: Readonly<Record<string, unknown>> = {},
) =>
  ga4Event(
    'purchase',
    seconds,
    { transaction_id: transaction, value, currency: 'EUR', tax: 3.5, shipping: 5 },
    { items: [shoes, socks], ...fields },
  );
export const collected = (manual_source: string, manual_medium: string) => ({
  collected_traffic_source: { manual_source, manual_medium },
});
