import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emptyStore } from '../../../../tests/oracle/store.ts';
import { createTestInstance, type TestInstance } from '../../../../tests/support/test-instance.ts';
import { definitionOf, METRICS, metricNamed } from '../queries/metric-layer.ts';

/** What is refused, with which words, and what is said beside the numbers. */
let test: TestInstance;
let crowns: string;
let euros: string;

beforeAll(async () => {
  test = await createTestInstance();
  const [czech, slovak] = [
    await test.createBusiness({ name: 'Czech', timezone: 'Europe/Prague', currency: 'CZK' }),
    await test.createBusiness({ name: 'Slovak', timezone: 'Europe/Prague', currency: 'EUR' }),
  ];
  const order = (index: number, day: string, email: string, more: object = {}) => ({
    order_id: `o${index}`,
    ordered_at: `${day}T10:00:00`,
    email,
    total: '100',
    country: 'CZ',
    ...more,
  });
  const orders = [
    order(1, '2026-01-10', 'a@example.com', { coupon_codes: 'A|B' }),
    order(2, '2026-02-10', 'a@example.com', { coupon_codes: 'A' }),
    order(3, '2026-02-11', 'b@example.com', { country: 'SK' }),
    order(4, '2026-02-12', 'c@example.com', { total: '250' }),
  ];
  const store = (currency: string) => ({
    ...emptyStore({ timezone: 'Europe/Prague', primary_currency: currency }),
    orders,
  });
  await test.importStore(czech, store('CZK'));
  await test.importStore(slovak, store('EUR'));
  [crowns, euros] = [czech.business_id, slovak.business_id];
});

afterAll(() => test[Symbol.asyncDispose]());

interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number | null)[])[];
}

async function ask(args: object) {
  const asked = { business_ids: [crowns], from_date: '2026-02-01', to_date: '2026-02-28', ...args };
  const { result, notes = [] } = await test.run('query_metrics', asked);
  return { ...(result as unknown as Table), notes };
}

describe('names', () => {
  it('one that does not exist is answered by those that are near', async () => {
    await expect(ask({ metrics: ['revenu'] })).rejects.toThrow(
      'there is no metric "revenu"; near are revenue',
    );
    await expect(ask({ metrics: ['sessions'] })).rejects.toThrow('near are sessions_count');
    await expect(ask({ metrics: ['revenue'], group_by: ['prodct'] })).rejects.toThrow(
      'there is no dimension "prodct"; near are product',
    );
    await expect(ask({ metrics: ['x'.repeat(10_000)] })).rejects.toThrow(/^there is no metric "x{60}…"$/);
  });

  it('a cut that is not possible is answered by those that are', async () => {
    await expect(ask({ metrics: ['ad_cost'], group_by: ['brand'] })).rejects.toThrow(
      'ad_cost cannot be cut by brand; it can be by day, week,',
    );
    await expect(
      ask({ metrics: ['sessions_count'], filters: [{ dimension: 'brand', has: ['Acme'] }] }),
    ).rejects.toThrow('sessions_count has no filter with has; give in or not_in');
  });

  it('every metric has a definition that names metrics of these tools', () => {
    for (const one of METRICS) {
      expect(definitionOf(one), one.name).not.toBe('');
      // Other names of the contract would lead nowhere here.
      expect(definitionOf(one), one.name).not.toMatch(
        /orders_revenues|estimated_revenue|unique_customers_count|orders_last_click/,
      );
    }
  });

  const list = async (search?: string) => {
    const { result, notes = [] } = await test.run('list_metrics', search === undefined ? {} : { search });
    const { facts, metrics, dimensions } = result as Record<string, Record<string, string>[]>;
    return { facts: facts ?? [], metrics: metrics ?? [], dimensions: dimensions ?? [], notes };
  };

  it('are all in a short list, by what is counted', async () => {
    const { facts, metrics, dimensions } = await list();
    expect(facts.flatMap((fact) => fact.metrics?.split(', '))).toEqual(METRICS.map(({ name }) => name));
    expect([metrics, dimensions]).toEqual([[], []]);
    expect(Buffer.byteLength(JSON.stringify(facts))).toBeLessThan(6500);
  });

  it.each([
    ['turnover', 'revenue'],
    ['sales by country', 'revenue'],
    ['average basket', 'average_order_value'],
    ['AOV', 'average_order_value'],
    ['revenue without VAT', 'net_revenue'],
    ['how much VAT', 'tax'],
    ['ROAS', 'return_on_ad_spend'],
    ['what did a new customer cost', 'cost_per_new_customer'],
    ['units sold', 'quantity'],
    ['profit margin', 'gross_profit_margin'],
    ['returned money by the day of refund', 'refunded_revenue_by_refund_date'],
    ['cancelled orders', 'cancelled_orders_count'],
    ['free delivery', 'free_shipping_orders_count'],
    ['robots', 'suspected_bot_sessions_count'],
    ['visits', 'sessions_count'],
    ['conversion of visits', 'conversion_rate'],
    ['how many opened the newsletter', 'email_open_rate'],
    ['who unsubscribed', 'email_unsubscribes_count'],
    ['orders placed within the visit', 'orders_in_session_revenue'],
    ['revenue in euro, own currency', 'revenue_in_own_currency'],
    ['revnue', 'revenue'],
  ])('%s finds %s, with what it is and what cuts it', async (search, name) => {
    const { facts, metrics } = await list(search);
    const found = metrics.find((one) => one.name === name);
    expect(found?.definition, metrics.map((one) => one.name).join()).toBe(definitionOf(metricNamed(name)));
    expect(facts.map(({ fact }) => fact)).toContain(found?.fact);
    expect(metrics.length).toBeLessThanOrEqual(12);
  });

  it('names find themselves, and words that nothing has are told', async () => {
    const { metrics, dimensions } = await list('revenue, tax channel');
    expect([...metrics, ...dimensions].map(({ name }) => name)).toEqual(['revenue', 'tax', 'channel']);
    const none = await list('zzz');
    expect(none.metrics).toEqual([]);
    expect(none.notes).toEqual([
      'Nothing has these words: without search all names are listed, and other tools have other numbers.',
    ]);
  });
});

describe('filters, having and sorting', () => {
  it('a period is chosen by dates, and values that are known beforehand are told', async () => {
    await expect(
      ask({ metrics: ['revenue'], filters: [{ dimension: 'week', in: ['2026-W07'] }] }),
    ).rejects.toThrow('filters[0] is by week; periods are chosen by from_date and to_date');
    await expect(
      ask({ metrics: ['revenue'], filters: [{ dimension: 'weekday', in: ['Monday'] }] }),
    ).rejects.toThrow('filters[0] has the value "Monday"; weekday is one of 1, 2, 3, 4, 5, 6, 7');
  });

  it('a value that nothing has is told', async () => {
    const { rows, notes } = await ask({
      metrics: ['revenue'],
      filters: [{ dimension: 'country', in: ['XX'] }],
    });
    expect(rows).toEqual([[0]]);
    expect(notes).toContain('Unknown in country, so without rows: ["XX"]');
  });

  it('one filter has one of in, not_in and has', async () => {
    for (const filter of [{}, { in: ['CZ'], not_in: ['SK'] }])
      await expect(
        ask({ metrics: ['revenue'], filters: [{ dimension: 'country', ...filter }] }),
      ).rejects.toThrow('filters[0] needs one of in, not_in and has');
  });

  it('having and sort_by are of what is asked for', async () => {
    await expect(ask({ metrics: ['revenue'], having: [{ metric: 'orders_count', min: 1 }] })).rejects.toThrow(
      'having names orders_count, which is not among metrics; add it there',
    );
    await expect(ask({ metrics: ['revenue'], having: [{ metric: 'revenue' }] })).rejects.toThrow(
      'having on revenue needs min or max',
    );
    await expect(ask({ metrics: ['revenue'], sort_by: 'orders_count' })).rejects.toThrow(
      'sort_by is orders_count; it must be one of revenue',
    );
  });
});

describe('the rest and the total', () => {
  it('are counted anew, and an order with two coupons counts once in them', async () => {
    const { rows, notes } = await ask({
      metrics: ['orders_count', 'revenue', 'average_order_value'],
      group_by: ['coupon'],
      from_date: '2026-01-01',
      limit: 1,
      sort_by: 'revenue',
    });
    expect(rows).toEqual([
      ['(not set)', 2, 350, 175],
      ['(rest)', 2, 200, 100],
      ['(total)', 4, 550, 137.5],
    ]);
    expect(notes).toContain('What has several values of coupon is in a row of each: rows do not add up.');
  });

  it('the rest holds what having leaves out', async () => {
    const { rows } = await ask({
      metrics: ['revenue'],
      group_by: ['country'],
      having: [{ metric: 'revenue', max: 100 }],
    });
    expect(rows).toEqual([
      ['SK', 100],
      ['(rest)', 350],
      ['(total)', 450],
    ]);
  });
});

describe('comparisons', () => {
  it('have the value, the change and the change in percent of rows of either range', async () => {
    const { columns, rows } = await ask({
      metrics: ['revenue'],
      group_by: ['country'],
      compare: 'range',
      compare_from_date: '2026-01-01',
      compare_to_date: '2026-01-31',
    });
    expect(columns).toEqual([
      ...['country', 'revenue', 'revenue.compared', 'revenue.change', 'revenue.change_percent'],
    ]);
    expect(rows).toEqual([
      ['CZ', 350, 100, 250, 250],
      ['SK', 100, 0, 100, null],
      ['(total)', 450, 100, 350, 350],
    ]);
  });

  it('say that lengths differ, and that the data begin later', async () => {
    const { notes } = await ask({
      metrics: ['revenue'],
      compare: 'range',
      compare_from_date: '2026-01-01',
      compare_to_date: '2026-01-31',
    });
    expect(notes.join('\n')).toContain('The range has 28 days and the compared one 31');
    expect(notes.join('\n')).toContain(
      'Orders are loaded from 2026-01-10 on, and the compared range begins before',
    );
  });

  it('do not go with periods, and need whole days', async () => {
    await expect(
      ask({ metrics: ['revenue'], group_by: ['month'], compare: 'previous_year' }),
    ).rejects.toThrow('compare does not go with group_by month');
    await expect(
      ask({ metrics: ['revenue'], from_date: '2026-02-01T08:00:00', compare: 'previous_period' }),
    ).rejects.toThrow('compare previous_period needs whole days; from_date has a time');
    await expect(ask({ metrics: ['revenue'], compare: 'range' })).rejects.toThrow(
      'compare range needs compare_from_date and compare_to_date',
    );
    await expect(ask({ metrics: ['revenue'], compare_from_date: '2026-01-01' })).rejects.toThrow(
      'compare_from_date and compare_to_date go with compare range, not none',
    );
  });
});

describe('notes', () => {
  it('counts of few people are null in parts of the store, and the orders are shown', async () => {
    const { rows, notes } = await ask({
      metrics: ['customers_count', 'orders_count'],
      group_by: ['country'],
    });
    expect(rows).toEqual([
      ['CZ', null, 2],
      ['SK', null, 1],
      ['(total)', null, 3],
    ]);
    expect(notes.join('\n')).toContain('Numbers of 1 to 4 people');
  });

  it('a range that cuts a period says so', async () => {
    const of = async (period: string, from_date: string, to_date: string) =>
      (await ask({ metrics: ['revenue'], group_by: [period], from_date, to_date })).notes.filter((note) =>
        note.startsWith('The range cuts'),
      );
    expect(await of('month', '2026-01-01', '2026-02-28')).toEqual([]);
    expect(await of('month', '2026-01-02', '2026-02-28')).toEqual([
      'The range cuts the first month: do not compare it with whole ones.',
    ]);
    expect(await of('quarter', '2026-01-01', '2026-02-28')).toEqual([
      'The range cuts the last quarter: do not compare it with whole ones.',
    ]);
  });
});

describe('several stores', () => {
  it('stand under each other, each with its total', async () => {
    const { columns, rows, notes } = await ask({
      business_ids: [crowns, euros],
      metrics: ['orders_count'],
      group_by: ['country'],
      limit: 1,
    });
    expect(columns[0]).toBe('business');
    expect(rows).toEqual([
      ...[
        ['Czech', 'CZ', 2],
        ['Czech', '(rest)', 1],
        ['Czech', '(total)', 3],
      ],
      ...[
        ['Slovak', 'CZ', 2],
        ['Slovak', '(rest)', 1],
        ['Slovak', '(total)', 3],
      ],
    ]);
    expect(notes).toContain('Each store has its own total: nothing is added up over stores.');
  });

  it('have money of one currency', async () => {
    await expect(ask({ business_ids: [crowns, euros], metrics: ['revenue'] })).rejects.toThrow(
      'revenue is money, and these stores have CZK, EUR',
    );
  });
});
