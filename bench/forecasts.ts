/**
 * How wrong forecasts would have been in the last three months, beside repeating the value of a season ago.
 *
 *   node bench/forecasts.ts
 *
 * For every day (week, month) of the last three months the series ends there, and the tools' forecast of what follows is
 * held against what came: at most 12 days, 4 weeks, 3 months ahead. Errors are sums of absolute errors in percent of the sum of values;
 * `covered` is the share of values within the interval of 80 %.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Temporal } from 'temporal-polyfill';
import { writeDemoTables } from '../demo/generator/write-demo-shop.ts';
import { forecastSeries } from '../src/answers/forecast.ts';
import type { Breakdown } from '../src/time/periods.ts';
import { csvRows } from '../tests/oracle/csv-text.ts';
import { readCdnow } from '../tests/support/cdnow.ts';

type Order = readonly [date: string, revenue: number];

const SHARED = fileURLToPath(new URL('../../shared/data', import.meta.url));
const AHEAD = { day: 12, week: 4, month: 3 } as const;
const TESTED = { day: 91, week: 13, month: 3 } as const;
const SEASON = { day: 7, week: 52, month: 12 } as const;

/** One order per invoice, cancellations left out. */
function onlineRetail(): Order[] {
  const folder = join(SHARED, 'online-retail');
  const invoices = new Map<string, [string, number]>();
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.csv'))) {
    const [header = [], ...rows] = csvRows(readFileSync(join(folder, file), 'utf8'));
    const at = (name: string) => header.findIndex((one) => one.toLowerCase().replace(/[ _]/g, '') === name);
    const [invoice, quantity, price] = [at('invoiceno'), at('quantity'), at('unitprice')];
    for (const row of rows) {
      const id = row[invoice] ?? '';
      const value = Number(row[quantity]) * Number(row[price]);
      if (id.startsWith('C') || !(value > 0)) continue;
      const order = invoices.get(id) ?? [file.slice(0, 10), 0];
      order[1] += value;
      invoices.set(id, order);
    }
  }
  return [...invoices.values()];
}

async function madeShop(): Promise<Order[]> {
  const folder = mkdtempSync(join(tmpdir(), 'forecasts-'));
  await writeDemoTables(folder, {});
  const rows = readFileSync(join(folder, 'orders.ndjson'), 'utf8').trim().split('\n');
  rmSync(folder, { recursive: true });
  return rows
    .map((row) => JSON.parse(row) as { ordered_at: string; total: string; status: string; fx_rate?: string })
    .filter(({ status }) => status !== 'cancelled')
    .map(({ ordered_at, total, fx_rate }) => [ordered_at.slice(0, 10), Number(total) * Number(fx_rate ?? 1)]);
}

/** Values of whole periods, from the first to the last, zeros between. */
function seriesOf(orders: readonly Order[], breakdown: Breakdown, value: (order: Order) => number): number[] {
  const startOf = (date: string) => {
    const day = Temporal.PlainDate.from(date);
    if (breakdown === 'day') return day;
    return breakdown === 'month' ? day.with({ day: 1 }) : day.subtract({ days: day.dayOfWeek - 1 });
  };
  const dates = orders.map(([date]) => date).sort();
  const [from, to] = [startOf(dates[0] as string), startOf(dates.at(-1) as string)];
  const sums = new Map<string, number>();
  for (const order of orders) {
    const key = startOf(order[0]).toString();
    sums.set(key, (sums.get(key) ?? 0) + value(order));
  }
  const series: number[] = [];
  // The last period may not be over.
  for (
    let start = from;
    Temporal.PlainDate.compare(start, to) < 0;
    start = start.add({ [`${breakdown}s`]: 1 })
  ) {
    series.push(sums.get(start.toString()) ?? 0);
  }
  return series;
}

function judge(series: readonly number[], breakdown: Breakdown) {
  let [missed, naive, actual, within, count] = [0, 0, 0, 0, 0];
  const methods = new Map<string, number>();
  for (let origin = series.length - TESTED[breakdown]; origin < series.length; origin += 1) {
    const ahead = Math.min(AHEAD[breakdown], series.length - origin);
    const made = forecastSeries(series.slice(0, origin), breakdown, ahead);
    if (made.refused !== null) return made.refused;
    methods.set(made.method, (methods.get(made.method) ?? 0) + 1);
    for (const [index, { value, low, high }] of made.periods.entries()) {
      const came = series[origin + index] as number;
      const seasons = Math.ceil((index + 1) / SEASON[breakdown]);
      missed += Math.abs(came - value);
      naive += Math.abs(came - (series[origin + index - seasons * SEASON[breakdown]] as number));
      actual += came;
      within += came >= low && came <= high ? 1 : 0;
      count += 1;
    }
  }
  const percent = (part: number, whole: number) => `${((100 * part) / whole).toFixed(1)} %`;
  const chosen = [...methods].map(([method, times]) => `${method} ${times}`).join(', ');
  return `error ${percent(missed, actual)}, seasonal naive ${percent(naive, actual)}, covered ${percent(within, count)} (${chosen})`;
}

const stores: Readonly<Record<string, readonly Order[]>> = {
  'Online Retail': onlineRetail(),
  CDNOW: readCdnow().map(({ date, dollars }) => [date, Number(dollars)]),
  'the made shop': await madeShop(),
};
for (const [store, orders] of Object.entries(stores)) {
  for (const breakdown of ['day', 'week', 'month'] as const) {
    for (const [metric, value] of [
      ['orders_count', () => 1],
      ['orders_revenues', ([, revenue]: Order) => revenue],
    ] as const) {
      console.log(
        `${store}, ${breakdown}, ${metric}: ${judge(seriesOf(orders, breakdown, value), breakdown)}`,
      );
    }
  }
}
