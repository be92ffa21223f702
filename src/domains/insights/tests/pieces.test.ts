import { Temporal } from 'temporal-polyfill';
import { describe, expect, it, vi } from 'vitest';
import type { Column } from '../../../answers/fields/field.ts';
import type { Queries } from '../../../answers/fields/query.ts';
import type { Answer, Plan } from '../../../answers/tool.ts';
import type { SnapshotFacts } from '../../../business/snapshot-facts.ts';
import type { Pieces } from '../../../main-thread/pieces.ts';
import { CANONICAL_TABLES } from '../../../store/tables/all-tables.ts';
import { customerValue } from '../tools/customer-value.ts';
import { explainChange } from '../tools/explain-change.ts';
import { watch } from '../tools/watch.ts';

/**
 * What is computed out of rows gives the main thread back often: between two pieces there is little work,
 * counted by rows that are read and logarithms that are taken, and not by a clock.
 */
const FACTS: SnapshotFacts = {
  loaded_tables: CANONICAL_TABLES.map(({ name }) => name),
  history_starts_at: '2020-01-01T00:00:00.000Z',
  orders_until: '2025-01-01T00:00:00.000Z',
  sessions_until: '2025-01-02T00:00:00.000Z',
  messages_until: '2024-06-30T00:00:00.000Z',
  popups_until: '2025-01-03T00:00:00.000Z',
  consents_until: '2025-01-04T00:00:00.000Z',
  list_events_until: '2025-01-05T00:00:00.000Z',
  latest_at: '2025-01-05T00:00:00.000Z',
  timezone: 'Europe/Prague',
  primary_currency: 'CZK',
  attribution_windows: { click: 120, open: 24, delivery: 12 },
  vat_rate: 21,
};

const CONTEXT = {
  timezone: 'Europe/Prague',
  currency: 'CZK',
  facts: FACTS,
  noise: () => 0,
  mostRows: 5000,
};

const ASKED = {
  business_id: '00000000-0000-4000-8000-000000000001',
  from_date: '2024-06-01',
  to_date: '2024-06-30',
};

type MadeRow = Record<string, unknown>;

/** How much was done since it was last taken. */
class Work {
  rows = 0;
  readonly logarithms = vi.spyOn(Math, 'log');

  take() {
    const done = { rows: this.rows, logarithms: this.logarithms.mock.calls.length };
    this.rows = 0;
    this.logarithms.mockClear();
    return done;
  }

  /** Rows that tell when they are read. */
  counted(rows: readonly MadeRow[]): never[] {
    return rows.map((row) => {
      const [[first, value] = ['', null], ...others] = Object.entries(row);
      const read = () => {
        this.rows += 1;
        return value;
      };
      return Object.defineProperty(Object.fromEntries(others), first, { get: read, enumerable: true });
    }) as never[];
  }
}

interface Done {
  readonly answer: Answer;
  readonly pieces: readonly { readonly rows: number; readonly logarithms: number }[];
}

/** The answer of a plan and of those that follow it, with what each of its pieces did. */
function done(first: Plan, madeRows: (name: string, columns: readonly Column[]) => readonly MadeRow[]): Done {
  const work = new Work();
  const pieces: ReturnType<Work['take']>[] = [];
  try {
    let asked: Answer | Plan = first;
    while ('queries' in asked) {
      const rows = rowsOf(asked.queries, (name, columns) => work.counted(madeRows(name, columns)));
      const made = asked.answer(rows) as Pieces<Answer | Plan>;
      for (;;) {
        const { done: isDone, value } = made.next();
        pieces.push(work.take());
        if (isDone !== true) continue;
        asked = value;
        break;
      }
    }
    return { answer: asked, pieces };
  } finally {
    work.logarithms.mockRestore();
  }
}

function rowsOf(queries: Queries, made: (name: string, columns: readonly Column[]) => never[]) {
  return Object.fromEntries(
    Object.entries(queries).map(([name, query]) => [name, query === null ? [] : made(name, query.columns)]),
  );
}

const most = (values: readonly number[]) => values.reduce((one, other) => Math.max(one, other), 0);
const sum = (values: readonly number[]) => values.reduce((one, other) => one + other, 0);

describe('customer_value', () => {
  const BINS = 1000;
  const bin = (index: number) => {
    const repeats = index % 6;
    const age = 200 + (index % 1500);
    const recency = repeats === 0 ? 0 : (age * (1 + (index % 9))) / 10;
    return {
      ...{ repeats_bin: repeats, recency_bin: index % 40, age_bin: index % 37 },
      ...{ customers_count: 3 + (index % 5), repeats, recency, age },
    };
  };
  const made: Readonly<Record<string, (index: number) => MadeRow>> = {
    bins: bin,
    later: (index) => ({ ...bin(index), later_days: index % 3 }),
    spending: (index) => ({ customers_count: 2, repeats: 1 + (index % 5), mean: 40 + (index % 90) }),
    groups: (index) => ({
      ...{ cohort_start: '2024-06-01', segment: null },
      ...bin(index),
      repeat_revenue: 50 * (index % 6),
    }),
  };

  it('fits its model in pieces, each of which looks at the bins once', () => {
    const args = customerValue.input.parse(ASKED);
    const plan = customerValue.plan({ ...CONTEXT, args });
    const history = (columns: readonly Column[]): MadeRow =>
      Object.fromEntries(
        columns.map(({ key, type }) => [
          key,
          key === 'segment' ? null : type === 'date' ? '2024-06-01' : type === 'text' ? '9000' : 800,
        ]),
      );
    const { answer, pieces } = done(plan, (name, columns) => {
      const row = made[name];
      if (row !== undefined) return Array.from({ length: BINS }, (_, index) => row(index));
      return ['history', 'ranked', 'all'].includes(name) ? [history(columns)] : [];
    });
    expect((answer.result as { model: { r: number } }).model.r).toBeGreaterThan(0);
    expect(sum(pieces.map(({ logarithms }) => logarithms))).toBeGreaterThan(100 * BINS);
    // Seven gamma functions with two logarithms each, and up to fourteen more.
    expect(most(pieces.map(({ logarithms }) => logarithms))).toBeLessThan(30 * BINS);
  });
});

describe('explain_change', () => {
  /** The answer of a store with `many` products, brands and campaigns, all of which stayed as they were. */
  function explained(many: number): Done {
    const args = explainChange.input.parse({ ...ASKED, metric: 'revenue' });
    return done(explainChange.plan({ ...CONTEXT, args }), (name, columns) => {
      if (columns[0]?.key !== 'row_key') return [];
      const isOfMany = /^(product|brand|campaign) /.test(name);
      const keyOf = (index: number) => (isOfMany ? `k${(index * 7919) % many}` : '');
      const numberOf = (index: number) => (isOfMany ? 20 + ((index * 31) % 50) : 500_000);
      return Array.from({ length: isOfMany ? many : 1 }, (_, index) =>
        Object.fromEntries(
          columns.map(({ key }) => [key, key === 'row_key' ? keyOf(index) : numberOf(index)]),
        ),
      );
    });
  }

  it('reads, sorts and compares rows in pieces of some hundred', () => {
    const KEYS = 9000;
    const { answer, pieces } = explained(KEYS);
    expect((answer.result as { change: number }).change).toBe(0);
    expect(sum(pieces.map(({ rows }) => rows))).toBeGreaterThan(4 * KEYS);
    expect(most(pieces.map(({ rows }) => rows))).toBeLessThanOrEqual(1000);
    expect(most(pieces.map(({ logarithms }) => logarithms))).toBeLessThan(10_000);
    expect(answer.notes?.join(' ')).not.toContain('more than 10000 values');
  });

  it('looks at no value of a dimension that has more values than are asked for, and says so', () => {
    const { answer } = explained(10_001);
    const told = (answer.notes ?? []).filter((note) => note.includes('product'));
    expect(told).toEqual([
      'A range has more than 10000 values of product: there is no bridge by it, and none of them is looked at. Ask for a shorter range.',
    ]);
    const { bridges } = answer.result as { bridges: readonly { name: string }[] };
    expect(bridges.map(({ name }) => name)).not.toContain('product_price_volume_mix');
  });
});

describe('watch', () => {
  it('judges each series in pieces, of which none learns of more than some weeks of it', () => {
    const DAYS = 700;
    const days = Array.from({ length: DAYS }, (_, place) =>
      Temporal.PlainDate.from('2023-01-31').add({ days: place }).toString(),
    );
    const plan = watch.plan({ ...CONTEXT, args: watch.input.parse({ business_id: ASKED.business_id }) });
    const { answer, pieces } = done(plan, (_, columns) => {
      if (columns[0]?.key !== 'row_key') return [];
      return days.map((day, place) =>
        Object.fromEntries(
          columns.map(({ key }) => [key, key === 'row_key' ? day : 100 + ((place * 31) % 50)]),
        ),
      );
    });
    const { tests_count } = answer.result as { tests_count: number };
    expect(tests_count).toBeGreaterThan(30);
    const logarithms = pieces.map((piece) => piece.logarithms);
    expect(sum(logarithms)).toBeGreaterThan(3 * most(logarithms));
    expect(most(logarithms)).toBeLessThan(20_000);
    expect(pieces.length).toBeGreaterThan(200);
  });
});
