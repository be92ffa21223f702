import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as fc from 'fast-check';
import { expectedAnswers } from '../../oracle/expected-answers.ts';
import { emptyStore, readCsv, type Store, writeCsv } from '../../oracle/store.ts';
import { randomCalls } from '../../support/random-calls.ts';

type Values = Readonly<Record<string, unknown>>;

/** A call, and what the oracle says of the store before and after an import. */
export interface Question {
  readonly tool: string;
  readonly args: Record<string, unknown>;
  readonly before: Values;
  readonly after: Values;
}

export const BUSINESS_ID = '00000000-0000-4000-8000-000000000003';
export const BUSINESS = { timezone: 'Europe/Prague', primary_currency: 'CZK' };
export const FILES_BEFORE = fileURLToPath(new URL('../../fixtures/hand-made-shop', import.meta.url));

/** These leave out what is known of fewer than five people, which the oracle does not. */
const HIDES_PEOPLE: ReadonlySet<string> = new Set([
  'order_distribution_statistics',
  'first_purchase_cohorts',
  'product_affinity_statistics',
  'repeat_purchase_cycle',
]);

const DAYS = ['2024-01-15', '2024-03-31', '2024-05-10', '2024-06-20', '2024-09-05', '2024-12-24'];

/** What is imported while the servers answer. */
const ARRIVING: Pick<Store, 'orders' | 'order_items'> = {
  orders: DAYS.map((day, index) => ({
    order_id: `NEW-${index}`,
    ordered_at: `${day}T12:00:00`,
    email: `new-${index}@example.com`,
    total: String(1000 + index),
  })),
  order_items: DAYS.map((_, index) => ({
    order_id: `NEW-${index}`,
    line_no: '1',
    external_product_id: 'P1',
    name: 'Tričko "Basic", bílé M',
    quantity: '1',
    unit_price: String(1000 + index),
  })),
};

/** Writes into a folder what arrives, as a merchant's files. */
export function writeArriving(folder: string): string {
  const files = join(folder, 'arriving');
  writeCsv({ ...emptyStore(BUSINESS), ...ARRIVING }, files);
  return files;
}

/** The same in every run. */
export function knownAnswers(count: number): Question[] {
  const before = readCsv(FILES_BEFORE, BUSINESS);
  const after: Store = {
    ...before,
    orders: [...before.orders, ...ARRIVING.orders],
    order_items: [...before.order_items, ...ARRIVING.order_items],
  };
  return fc
    .sample(randomCalls(before, BUSINESS_ID), { numRuns: 2 * count, seed: 1 })
    .filter(({ tool }) => !HIDES_PEOPLE.has(tool))
    .slice(0, 1.2 * count)
    .map(({ tool, args }) => ({
      ...{ tool, args },
      before: expectedOf(before, tool, args),
      after: expectedOf(after, tool, args),
    }))
    .filter(({ args, before, after }) => ![before, after].some((answer) => isRefused(answer, args)))
    .slice(0, count);
}

function expectedOf(store: Store, tool: string, args: object): Values {
  return expectedAnswers[tool as keyof typeof expectedAnswers](store, args as never) as Values;
}

/** What a tool says instead where nothing has a value in the column sorted by. */
function isRefused(answer: Values, { sort_by, offset }: Values): boolean {
  if (typeof sort_by !== 'string' || offset !== 0) return false;
  const lists = Object.values(answer).filter((value) => Array.isArray(value)) as Values[][];
  return lists.some(([first]) => first?.[sort_by] === null);
}
