/**
 * How wrong forecasts would have been, beside repeating the value of a season ago.
 *
 *   node bench/forecasts.ts [monthly.ndjson …]
 *
 * For every day (week, month) of the last three months of a store the series ends there, and the tools'
 * forecast of what follows is held against what came: at most 12 days, 4 weeks, 3 months ahead. Errors are
 * sums of absolute errors in percent of the sum of values; `covered` is the share of values within the
 * interval of 80 %.
 *
 * A file has one monthly series a line, `{"x": [known values], "xx": [at least 12 that followed]}`, as the M
 * competitions publish theirs. Of each the last 24, 36 and 48 known months are learned from, as of a shop
 * with as long a history.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Temporal } from 'temporal-polyfill';
import { LEAST_DAYS_BEFORE, SEASONS } from '../src/answers/forecast.ts';
import { atOnce } from '../src/main-thread/turns.ts';
import { type Forecast, forecast, forecastProduct } from '../src/statistics/forecast.ts';
import type { Breakdown } from '../src/time/periods.ts';
import { csvRows } from '../tests/oracle/csv-text.ts';
import { readCdnow } from '../tests/support/cdnow.ts';
import { writeDemoTables } from '../tools/made-shop/generator/write-demo-shop.ts';

type Order = readonly [date: string, revenue: number];

const SHARED = fileURLToPath(new URL('../../shared/data', import.meta.url));
const AHEAD = { day: 12, week: 4, month: 3 } as const;
const TESTED = { day: 91, week: 13, month: 3 } as const;

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

type Metric = 'orders_count' | 'orders_revenues';

/**
 * Forecasts as the tools do: revenue is the number of orders times their mean value. Null where the tools
 * refuse.
 */
function forecastOf(
  counts: readonly number[],
  sums: readonly number[],
  breakdown: Breakdown,
  horizon: number,
) {
  const { season, least, holdout: longest, most } = SEASONS[breakdown];
  if (counts.length < least) return null;
  const [knownCounts, knownSums] = [counts.slice(-most), sums.slice(-most)];
  const before = breakdown === 'day' ? LEAST_DAYS_BEFORE : season.length;
  const holdout = Math.min(longest, knownCounts.length - before);
  const made = atOnce(forecastProduct(knownCounts, knownSums, { season, holdout, horizon }));
  return made && { orders_count: made.counts, orders_revenues: made.sums };
}

const percent = (part: number, whole: number) => `${((100 * part) / whole).toFixed(1)} %`;

function judge(counts: readonly number[], sums: readonly number[], breakdown: Breakdown, metric: Metric) {
  const series = metric === 'orders_count' ? counts : sums;
  let [missed, naive, actual, within, count] = [0, 0, 0, 0, 0];
  for (let origin = series.length - TESTED[breakdown]; origin < series.length; origin += 1) {
    const ahead = Math.min(AHEAD[breakdown], series.length - origin);
    const made = forecastOf(counts.slice(0, origin), sums.slice(0, origin), breakdown, ahead);
    if (made === null) return 'refused';
    for (const [index, { value, low, high }] of made[metric].periods.entries()) {
      const came = series[origin + index] as number;
      const season = SEASONS[breakdown].season.length;
      const seasons = Math.ceil((index + 1) / season);
      missed += Math.abs(came - value);
      naive += Math.abs(came - (series[origin + index - seasons * season] as number));
      actual += came;
      within += came >= low && came <= high ? 1 : 0;
      count += 1;
    }
  }
  return `error ${percent(missed, actual)}, seasonal naive ${percent(naive, actual)}, covered ${percent(within, count)}`;
}

interface Published {
  readonly x: readonly number[];
  readonly xx: readonly number[];
}

const MONTHS_AHEAD = 12;

/**
 * Judges forecasts of many published series: their symmetric errors, the errors of the seasonal naive method
 * beside them, and their coverage.
 */
function judgePublished(all: readonly Published[], months: number): string {
  const tried = all.filter(({ x, xx }) => x.length >= 48 && xx.length >= MONTHS_AHEAD);
  let [symmetric, logRatio, better, covered, made] = [0, 0, 0, 0, 0];
  for (const { x, xx } of tried) {
    const known = x.slice(-months);
    const { season, holdout } = SEASONS.month;
    const found: Forecast | null = atOnce(forecast(known, { season, holdout, horizon: MONTHS_AHEAD }));
    if (found === null) continue;
    let [missed, naive] = [1e-9, 1e-9];
    for (const [index, { value, low, high }] of found.periods.entries()) {
      const came = xx[index] as number;
      missed += Math.abs(came - value);
      naive += Math.abs(came - (known[known.length - season.length + index] as number));
      symmetric += (200 * Math.abs(came - value)) / (came + value || 1) / MONTHS_AHEAD;
      covered += came >= low && came <= high ? 1 / MONTHS_AHEAD : 0;
    }
    logRatio += Math.log(missed / naive);
    better += missed < naive ? 1 : 0;
    made += 1;
  }
  return `${made} series: sMAPE ${(symmetric / made).toFixed(2)} %, error / seasonal naive's ${Math.exp(logRatio / made).toFixed(3)}, better in ${percent(better, made)}, covered ${percent(covered, made)}`;
}

const stores: Readonly<Record<string, readonly Order[]>> = {
  'Online Retail': onlineRetail(),
  CDNOW: readCdnow().map(({ date, dollars }) => [date, Number(dollars)]),
  'the made shop': await madeShop(),
};
for (const [store, orders] of Object.entries(stores)) {
  for (const breakdown of ['day', 'week', 'month'] as const) {
    const counts = seriesOf(orders, breakdown, () => 1);
    const sums = seriesOf(orders, breakdown, ([, revenue]) => revenue);
    for (const metric of ['orders_count', 'orders_revenues'] as const)
      console.log(`${store}, ${breakdown}, ${metric}: ${judge(counts, sums, breakdown, metric)}`);
  }
}
for (const file of process.argv.slice(2)) {
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  const all = lines.map((line) => JSON.parse(line) as Published);
  for (const months of [24, 36, 48])
    console.log(`${basename(file)}, the last ${months} months: ${judgePublished(all, months)}`);
}
