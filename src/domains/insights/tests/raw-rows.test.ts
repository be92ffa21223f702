import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emptyStore, type Store, writeCsv } from '../../../../tests/oracle/store.ts';
import { randomNumbers } from '../../../../tests/support/seeded.ts';
import { createTestInstance, type TestInstance } from '../../../../tests/support/test-instance.ts';

/**
 * Answers of query_metrics beside SQL that was written by hand over the imported rows, and knows nothing of
 * ours.
 */
let test: TestInstance;
let business_id: string;
/** The rows of a statement over the files that were imported. */
let byHand: (sql: string) => Promise<unknown[][]>;

const PEOPLE = 90;
const CURRENCIES = [
  { currency: 'CZK', fx_rate: '' },
  { currency: 'EUR', fx_rate: '25' },
  { currency: 'PLN', fx_rate: '5.5' },
];
const SOURCES = [
  { source: 'google', medium: 'cpc', campaign: 'brand' },
  { source: 'facebook', medium: 'paid_social', campaign: 'prospecting' },
  { source: 'newsletter', medium: 'email', campaign: 'spring' },
];

/**
 * Most orders name their visit. Of the others some were placed while it was open, and some by telephone while
 * nobody was in the shop.
 */
function placed(chance: number, session_id: string, visitor_id: string, hour: string) {
  if (chance < 0.7) return { session_id, visitor_id };
  return chance < 0.85 ? {} : { ordered_at: `${hour}:59:59` };
}

/** People of whom each came several times in the first half of 2026, and ordered in some of these visits. */
function madeShop(): Store {
  const random = randomNumbers(2026);
  const upTo = (most: number) => Math.floor(random() * most);
  const pick = <T>(from: readonly T[]): T => from[upTo(from.length)] as T;
  const store = emptyStore({ timezone: 'UTC', primary_currency: 'CZK' });
  const two = (number: number) => String(number).padStart(2, '0');
  for (let person = 0; person < PEOPLE; person++) {
    const email = `p${person}@example.com`;
    const money = pick(CURRENCIES);
    for (let visit = 1 + upTo(4); visit > 0; visit--) {
      const id = `${person}-${visit}`;
      const hour = `2026-0${1 + upTo(6)}-${two(1 + upTo(28))}T${two(upTo(23))}`;
      store.sessions.push({
        ...{ session_id: id, visitor_id: `v${person}`, email, started_at: `${hour}:00:00` },
        ...{
          ...pick(SOURCES),
          device: pick(['mobile', 'desktop']),
          page_views: '3',
          cart: 'true',
          checkout: 'true',
        },
        suspected_bot: random() < 0.1 ? 'true' : 'false',
      });
      if (random() < 0.3) continue;
      store.orders.push({
        ...{ order_id: `o${id}`, email, ordered_at: `${hour}:10:00`, ...money },
        ...{ total: `${100 + upTo(900)}.${two(upTo(100))}`, country: pick(['CZ', 'SK']) },
        status: random() < 0.1 ? 'cancelled' : 'fulfilled',
        is_test: random() < 0.05 ? 'true' : 'false',
        ...placed(random(), id, `v${person}`, hour),
      });
    }
  }
  for (const channel of ['email', 'sms'])
    for (const campaign_id of [`${channel}-a`, `${channel}-b`]) {
      store.campaigns.push({
        ...{ campaign_id, name: campaign_id, state: 'sent', created_at: '2026-01-01T08:00:00' },
        campaign_type: channel === 'email' ? 'targeted-emailing' : 'targeted-sms',
      });
      store.messages.push({ message_id: campaign_id, campaign_id, channel, subject: 'Now' });
      for (let person = 0; person < PEOPLE; person++) {
        const [send_id, day] = [`${campaign_id}-${person}`, `2026-0${2 + upTo(4)}-${two(1 + upTo(28))}`];
        const sent_at = `${day}T08:00:00`;
        store.sends.push({
          ...{ send_id, message_id: campaign_id, email: `p${person}@example.com`, sent_at },
          ...{ outcome: 'delivered', delivered_at: sent_at },
        });
        for (let click = upTo(3); click > 0; click--)
          store.message_events.push({
            ...{ event_id: `${send_id}-${click}`, send_id, kind: 'click', url: 'https://shop.cz/a' },
            at: `${day}T${two(9 + 4 * click)}:00:00`,
            is_bot: random() < 0.2 ? 'true' : 'false',
          });
      }
    }
  return store;
}

beforeAll(async () => {
  test = await createTestInstance();
  const store = madeShop();
  const shop = await test.createBusiness({ timezone: 'UTC', currency: 'CZK' });
  business_id = shop.business_id;
  await test.importStore(shop, store);
  const folder = join(test.folder, 'raw');
  writeCsv(store, folder);
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  for (const name of ['orders', 'sessions', 'sends', 'message_events'])
    await connection.run(
      `create view raw_${name} as select * from read_csv('${join(folder, `${name}.csv`)}', header = true, all_varchar = true)`,
    );
  await connection.run(
    `create view counted as select *, total::double * coalesce(fx_rate::double, 1) as crowns
     from raw_orders where status = 'fulfilled' and is_test = 'false'`,
  );
  // A visit that has no end is open for 30 minutes.
  await connection.run(
    `create view placed as
     select order_id, crowns, session_id, true as is_named from counted where session_id is not null
     union all
     select order_id, crowns, s.session_id, false
     from counted as o
     join raw_sessions as s on s.email = o.email
       and o.ordered_at::timestamp between s.started_at::timestamp and s.started_at::timestamp + interval 30 minute
     where o.session_id is null
     qualify row_number() over (partition by order_id order by suspected_bot, s.started_at desc) = 1`,
  );
  byHand = async (sql) => {
    const rows = (await connection.runAndReadAll(sql)).getRows();
    return rows.map((row) => row.map((cell) => (typeof cell === 'bigint' ? Number(cell) : cell)));
  };
});

afterAll(() => test[Symbol.asyncDispose]());

const RANGE = { from_date: '2026-02-01', to_date: '2026-04-30' };

async function rowsOf(args: object) {
  const { result } = await test.run('query_metrics', { business_ids: [business_id], ...RANGE, ...args });
  return (result as { rows: unknown[][] }).rows;
}

/** The rows without the total, by their first cells. */
const sorted = (rows: readonly unknown[][]) =>
  rows.filter(([key]) => key !== '(total)').toSorted((one, other) => (String(one) < String(other) ? -1 : 1));

describe('orders placed within visits', () => {
  const BY_TIME = ['orders_in_session_by_time', 'orders_in_session_by_time_revenue'] as const;

  it('are those of the visits of the range, whatever the last click', async () => {
    const rows = await rowsOf({
      metrics: ['orders_in_session', 'orders_in_session_revenue', ...BY_TIME],
      group_by: ['campaign', 'device'],
    });
    const hand = await byHand(`
      select s.campaign, s.device, count(order_id) filter (where is_named), round(coalesce(sum(crowns) filter (where is_named), 0), 4),
        count(order_id) filter (where not is_named), round(coalesce(sum(crowns) filter (where not is_named), 0), 4)
      from raw_sessions as s left join placed using (session_id)
      where s.started_at >= '2026-02-01' and s.started_at < '2026-05-01'
      group by all`);
    expect(hand.some((row) => Number(row[4]) > 0)).toBe(true);
    expect(sorted(rows)).toEqual(sorted(hand));
    const lastClick = await rowsOf({ metrics: ['last_click_revenue'] });
    expect(rows.at(-1)?.[3]).not.toBe(lastClick[0]?.[0]);
  });

  const CONVERTING = ['converting_sessions_count', 'converting_sessions_by_time_count', 'conversion_rate'];

  it('make the conversion of visits that they name, and session_statistics adds those by time', async () => {
    const rows = await rowsOf({ metrics: CONVERTING, group_by: ['source'] });
    const hand = await byHand(`
      with visits as (
        select source, session_id, suspected_bot = 'true' and count(order_id) = 0 as is_bot,
          count(order_id) filter (where is_named) as named, count(order_id) as all_orders
        from raw_sessions as s left join placed using (session_id)
        where s.started_at >= '2026-02-01' and s.started_at < '2026-05-01'
        group by source, session_id, suspected_bot
      )
      select source, count(*) filter (where named > 0), count(*) filter (where named = 0 and all_orders > 0),
        round(100.0 * count(*) filter (where named > 0) / count(*), 4)
      from visits where not is_bot group by source`);
    expect(sorted(rows)).toEqual(sorted(hand));
    const [total] = await rowsOf({ metrics: [...CONVERTING.slice(0, 2), 'orders_in_session', BY_TIME[0]] });
    const [named, timed, orders, ordersByTime] = (total ?? []).map(Number) as [
      number,
      number,
      number,
      number,
    ];
    const { totals } = (await test.ask('session_statistics', {
      ...{ business_id, ...RANGE, group_by: 'source' },
    })) as { totals: Record<string, number> };
    expect([named + timed, orders + ordersByTime]).toEqual([
      totals.converting_sessions_count,
      totals.orders_in_session,
    ]);
  });

  it('are said beside conversion and beside what changed, with the orders that are in none', async () => {
    const [counts] = await byHand(`
      select count(*), count(*) filter (where is_named), count(*) filter (where not is_named), count(*) filter (where is_named is null)
      from counted left join placed using (order_id)
      where ordered_at >= '2026-02-01' and ordered_at < '2026-05-01'`);
    const [all, named, timed, none] = counts as number[];
    const note = `Of ${all} orders ${named} name a visit, ${timed} only by their time (…_by_time), and ${none} are in no visit: conversion is of visits, and too low by what was not tracked.`;
    const ask = async (tool: string, args: object) =>
      (await test.run(tool, { ...RANGE, ...args })).notes ?? [];
    const asked = { business_ids: [business_id], metrics: ['conversion_rate'] };
    expect(await ask('query_metrics', asked)).toContain(note);
    expect((await ask('query_metrics', { ...asked, metrics: ['revenue'] })).join()).not.toContain(
      'in no visit',
    );
    const explained = await ask('explain_change', {
      business_id,
      metric: 'revenue',
      from_date: '2026-03-01',
    });
    const told = explained.filter((text) => text.includes('name a visit'));
    expect(told).toHaveLength(2);
    expect(told[0]).toMatch(/^Of \d+ orders \d+ name a visit/);
    expect(told[1]).toMatch(/^In the compared range: Of \d+ orders \d+ name a visit/);
  });

  it('are the funnel of explain_change: no more visits with an order than with a checkout', async () => {
    const { result } = await test.run('explain_change', {
      ...{ business_id, metric: 'orders_count', from_date: '2026-04-01', to_date: '2026-05-31' },
      ...{ compare: 'range', compare_from_date: '2026-02-01', compare_to_date: '2026-03-31' },
    });
    const { bridges } = result as { bridges: { name: string; parts: Record<string, unknown>[] }[] };
    const funnel = bridges.find(({ name }) => name === 'funnel');
    const hand = await byHand(`
      select count(distinct session_id) filter (where is_named) / count(distinct session_id) filter (where checkout = 'true')
      from (
        select s.session_id, checkout, is_named, started_at >= '2026-04-01' as is_later,
          suspected_bot = 'true' and order_id is null as is_bot
        from raw_sessions as s left join placed using (session_id)
        where started_at >= '2026-02-01' and started_at < '2026-06-01'
      )
      where not is_bot
      group by is_later order by is_later`);
    const step = funnel?.parts.find(({ name }) => name === 'visits with an order per visit with a checkout');
    expect([step?.from, step?.to]).toEqual(hand.map(([rate]) => expect.closeTo(Number(rate), 4)));
    expect(Number(step?.change_percent)).toBeCloseTo(
      (100 * (Number(step?.to) - Number(step?.from))) / Number(step?.from),
      1,
    );
  });
});

describe('money in the currency of the orders', () => {
  const metrics = ['revenue_in_own_currency', 'average_order_value_in_own_currency', 'revenue'];
  const ofRange = `counted where ordered_at >= '2026-02-01' and ordered_at < '2026-05-01'`;

  it('is what stands on them, by currency and country', async () => {
    const rows = await rowsOf({ metrics, group_by: ['currency', 'country'] });
    const hand = await byHand(`
      select currency, country, sum(total::decimal(18,2))::double,
        round(sum(total::decimal(18,2))::double / count(*), 4), round(sum(crowns), 4)
      from ${ofRange} group by all`);
    expect(hand).toHaveLength(6);
    expect(sorted(rows)).toEqual(sorted(hand));
  });

  it('is null where a row holds several currencies, which are not added', async () => {
    const { result, notes } = await test.run('query_metrics', {
      ...{ business_ids: [business_id], ...RANGE, metrics, group_by: ['currency'], limit: 1 },
    });
    const { rows } = result as { rows: unknown[][] };
    expect(rows.map(([key]) => key)).toEqual([expect.any(String), '(rest)', '(total)']);
    for (const row of rows.slice(1)) expect(row).toEqual([row[0], null, null, expect.any(Number)]);
    expect(notes).toContain(
      'revenue_in_own_currency, average_order_value_in_own_currency: in the currency of the row; null in rows of several, which are not added.',
    );
    expect(notes).toContain('revenue: in CZK in every row.');
  });

  it('has a total where a filter leaves one currency', async () => {
    const filters = [{ dimension: 'currency', in: ['PLN'] }];
    const rows = await rowsOf({ metrics: ['revenue_in_own_currency'], filters });
    const hand = await byHand(
      `select sum(total::decimal(18,2))::double from ${ofRange} and currency = 'PLN'`,
    );
    expect(rows).toEqual(hand);
    const none = [{ dimension: 'currency', in: ['USD'] }];
    expect(await rowsOf({ metrics: ['revenue_in_own_currency'], filters: none })).toEqual([[0]]);
  });

  it('is refused where neither the rows nor a filter have the currency', async () => {
    for (const filters of [[], [{ dimension: 'currency', in: ['PLN', 'EUR'] }]])
      await expect(rowsOf({ metrics, group_by: ['country'], filters })).rejects.toThrow(
        'revenue_in_own_currency never adds two currencies: it needs group_by currency, or a filter on one',
      );
  });
});

describe('customers by how often and how lately they ordered', () => {
  const HALF = { from_date: '2026-01-01', to_date: '2026-06-30' };
  const OFTEN = `case when orders >= 10 then '10+' when orders >= 6 then '6-9' else orders::varchar end`;
  const LATELY = `case when silent < 30 then '0-29' when silent < 60 then '30-59' when silent < 90 then '60-89'
    when silent < 180 then '90-179' else '180-364' end`;
  /** People with what they did; each ordered by one e-mail. */
  const people = (until: string) => `
    select email, count(*) as orders, sum(crowns) as crowns, date_diff('day', max(ordered_at)::date, date '${until}') as silent
    from counted where ordered_at::date between date '2026-01-01' and date '${until}' group by email`;

  /** What the rule of hiding leaves of rows whose second cell counts people. */
  function shown(rows: unknown[][]): unknown[][] {
    const isFew = (row: unknown[]) => Number(row[1]) < 5;
    const few = rows.filter(isFew).reduce((sum, row) => sum + Number(row[1]), 0);
    const [partner] = sorted(rows)
      .filter((row) => !isFew(row))
      .toSorted((one, other) => Number(one[1]) - Number(other[1]));
    const hidden = new Set([...rows.filter(isFew), ...(few > 0 && few < 5 ? [partner] : [])]);
    return rows.map((row) => (hidden.has(row) ? [row[0], ...row.slice(1).map(() => null)] : row));
  }

  const metrics = ['customers_count', 'orders_count', 'revenue'];
  const measured = 'count(*), sum(orders)::int, round(sum(crowns), 4)';

  it.each([
    ['customer_orders', OFTEN],
    ['days_since_last_order', LATELY],
  ])('are counted once in each row of %s, and few of them are hidden', async (dimension, sql) => {
    const rows = await rowsOf({ ...HALF, metrics, group_by: [dimension], sort_by: dimension });
    const hand = await byHand(`select ${sql} as key, ${measured} from (${people('2026-06-30')}) group by 1`);
    expect(sorted(rows)).toEqual(sorted(shown(hand)));
    expect(rows.slice(0, -1).filter(([, count]) => count !== null).length).toBeGreaterThan(1);
    const [total] = await byHand(`select '(total)', ${measured} from (${people('2026-06-30')})`);
    expect(rows.at(-1)).toEqual(total);
  });

  it('can be filtered by both, also of a part of the orders', async () => {
    const filters = [
      { dimension: 'customer_orders', in: ['2', '3', '4', '5'] },
      { dimension: 'days_since_last_order', not_in: ['0-29', '30-59'] },
    ];
    const asked = await rowsOf({ ...HALF, metrics, filters });
    expect(asked).toEqual(
      await byHand(
        `select ${measured} from (${people('2026-06-30')}) where orders between 2 and 5 and silent >= 60`,
      ),
    );
    const inCountry = [...filters, { dimension: 'country', in: ['CZ'] }];
    const part = await rowsOf({ ...HALF, metrics: ['orders_count'], filters: inCountry });
    expect(part).toEqual(
      await byHand(`select count(*) from counted join (${people('2026-06-30')}) using (email)
        where orders between 2 and 5 and silent >= 60 and country = 'CZ'`),
    );
  });

  it.each([['customer_orders'], ['days_since_last_order'], ['customer_orders', 'days_since_last_order']])(
    'hide one to four of them, also from the rest of the total: by %s %s',
    async (...group_by) => {
      const hand =
        await byHand(`select concat_ws(', ', ${group_by.includes('customer_orders') ? OFTEN : 'null'},
      ${group_by.includes('days_since_last_order') ? LATELY : 'null'}), ${measured} from (${people('2026-06-30')}) group by 1`);
      const counts = new Map(hand.map(([key, count]) => [key, Number(count)]));
      for (const limit of [1, 3, 50])
        for (const having of [
          [],
          [{ metric: 'customers_count', min: 6 }],
          [{ metric: 'orders_count', max: 20 }],
        ]) {
          const asked = { ...HALF, metrics, group_by, limit, having };
          const { result, notes = [] } = await test.run('query_metrics', {
            business_ids: [business_id],
            ...asked,
          });
          const { rows } = result as { rows: (string | number | null)[][] };
          const [parts, total] = [rows.slice(0, -1), rows.at(-1)?.[group_by.length]];
          const told = parts.filter((row) => row[group_by.length] !== null);
          for (const row of told) {
            const key = row.slice(0, group_by.length).join(', ');
            expect(row[group_by.length], key).toBeGreaterThanOrEqual(5);
            if (row[0] !== '(rest)') expect(row[group_by.length], key).toBe(counts.get(key));
          }
          for (const row of parts)
            if (!told.includes(row)) expect(row.slice(group_by.length)).toEqual([null, null, null]);
          const left = told.reduce((all, row) => all - Number(row[group_by.length]), Number(total));
          expect(left === 0 || left >= 5, JSON.stringify(asked)).toBe(true);
          expect(notes.filter((note) => note.startsWith('Do not add up'))).toEqual([]);
        }
    },
  );

  it('are told by whole days, and beside no other dimension', async () => {
    await expect(rowsOf({ metrics, group_by: ['customer_orders', 'country'] })).rejects.toThrow(
      'customer_orders follows customers, so group_by cannot have country beside it',
    );
    await expect(
      rowsOf({ metrics, group_by: ['customer_orders'], to_date: '2026-04-30T10:00:00' }),
    ).rejects.toThrow(
      'customer_orders follows customers, whose days are whole; 2026-04-30T10:00:00 has a time',
    );
    await expect(rowsOf({ metrics: ['quantity'], group_by: ['customer_orders'] })).rejects.toThrow(
      'quantity cannot be cut by customer_orders',
    );
  });
});

const isFew = (people: number) => people > 0 && people < 5;

/**
 * What is told of two rows by their people, since who is in only one of them, or in both, follows from them
 * and the total.
 */
function shownClicks(rows: unknown[][], all: number): unknown[][] {
  const told = new Set(
    rows.filter(([, , , people]) => !isFew(Number(people)) && !isFew(all - Number(people))),
  );
  const fewest = () => [...told].toSorted((one, other) => Number(one[3]) - Number(other[3]))[0];
  for (;;) {
    const together = [...told].reduce((sum, [, , , people]) => sum + Number(people), 0);
    const next = fewest();
    if (next === undefined || !isFew(Math.abs(all - together))) break;
    told.delete(next);
  }
  return rows.map((row) => [row[0], ...(told.has(row) ? row.slice(1, 3) : [null, null])]);
}

describe('orders after clicks in messages', () => {
  const YEAR = { from_date: '2026-01-01', to_date: '2026-12-31' };

  it.each([
    ['email', 3],
    ['email', 7],
    ['email', 30],
    ['sms', 14],
  ])('are those of people who clicked, each once: %s within %i days', async (channel, days) => {
    const metrics = [`orders_after_${channel}_click_count`, `revenue_after_${channel}_click`];
    const asked = { ...YEAR, metrics, click_window_days: days };
    const orders = (by: string) => `
      select ${by} as key, count(*), round(sum(crowns), 4) as money, count(distinct email) as people
      from (
        select distinct ${by}, order_id, o.email, crowns
        from counted as o join raw_sends as s using (email) join raw_message_events as e using (send_id)
        where kind = 'click' and is_bot = 'false' and message_id like '${channel}%'
          and ordered_at::timestamp between "at"::timestamp and "at"::timestamp + interval (${days}) day
      ) group by ${by}`;
    const [whole] = await byHand(orders(`'(total)'`));
    const hand = shownClicks(await byHand(orders('message_id')), Number(whole?.[3]));
    const rows = await rowsOf({ ...asked, group_by: ['email_campaign'] });
    expect(sorted(rows.map(([key, , ...cells]) => [key, ...cells]))).toEqual(sorted(hand));
    const [total] = shownClicks(whole === undefined ? [] : [whole], Number(whole?.[3]));
    expect(rows.at(-1)).toEqual(['(total)', null, ...(total as unknown[]).slice(1)]);
    const isHidden = [...hand, total].some((row) => row?.[1] === null);
    const { notes = [] } = await test.run('query_metrics', {
      ...{ business_ids: [business_id], ...asked, group_by: ['email_campaign'] },
    });
    expect(notes.some((note) => note.startsWith('Numbers of 1 to 4 people'))).toBe(isHidden);
  });

  it('need a window and whole days, and say when it is not over', async () => {
    const metrics = ['orders_after_email_click_count'];
    await expect(rowsOf({ metrics })).rejects.toThrow(
      'orders_after_email_click_count needs click_window_days: within how many days after a click',
    );
    await expect(rowsOf({ metrics: ['revenue'], click_window_days: 3 })).rejects.toThrow(
      'click_window_days goes with orders_after_email_click_count',
    );
    await expect(rowsOf({ metrics, click_window_days: 3, from_date: '2026-02-01T10:00:00' })).rejects.toThrow(
      'orders_after_email_click_count follows people, whose days are whole',
    );
    const asked = { business_ids: [business_id], metrics, click_window_days: 90 };
    const { notes = [] } = await test.run('query_metrics', { ...asked, ...RANGE });
    expect(notes.join()).toMatch(
      /Of messages sent from 2026-03-\d\d on, the 90 days after a click are not all loaded/,
    );
    const early = await test.run('query_metrics', { ...asked, click_window_days: 3, ...RANGE });
    expect((early.notes ?? []).join()).not.toContain('not all loaded');
  });
});
