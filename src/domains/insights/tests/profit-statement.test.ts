import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emptyStore, type Store } from '../../../../tests/oracle/store.ts';
import { createTestInstance, type TestInstance } from '../../../../tests/support/test-instance.ts';
import type { Tool } from '../../../answers/tool.ts';
import { KeptAnswers } from '../../../asking/kept-answers.ts';
import { runTool } from '../../../asking/run-tool.ts';
import type { Business } from '../../../business/business.ts';
import { EXTENSION_TOOLS } from '../../../catalogue.ts';
import {
  addAssumption,
  type NewAssumption,
  removeAssumption,
} from '../../../control/businesses/assumptions.ts';
import { operatorCaller } from '../../../control/people/callers.ts';
import { toolEnvironment } from '../../../server/tool-environment.ts';

/** A store of some orders, whose statement is added up by hand in the comments. */
let test: TestInstance;
let shop: Business;
let bare: Business;

const MARCH = { from_date: '2024-03-01', to_date: '2024-03-31' };
const APRIL = { from_date: '2024-04-01', to_date: '2024-04-30' };
const CZ = { country: 'CZ', payment_method: 'card', shipping_method: 'DPD', status: 'paid' };

const at = (day: string) => `${day}T12:00:00`;

function handWritten(): Store {
  const store = emptyStore({ timezone: 'Europe/Prague', primary_currency: 'CZK' });
  store.products.push(
    { external_product_id: 'p1', name: 'Shirt', brand: 'Soft', price: '121', purchase_price: '40' },
    { external_product_id: 'p2', name: 'Socks', price: '100' },
  );
  store.orders.push(
    { ...CZ, order_id: 'old', ordered_at: at('2024-02-10'), total: '0', tax: '0', shipping: '0' },
    // Goods 242 with 42 of VAT, shipping 60.50 with 10.50.
    { ...CZ, order_id: 'a', ordered_at: at('2024-03-05'), total: '302.5', tax: '52.5', shipping: '60.5' },
    // Goods 121 less 12.10: 108.90 with 18.90 of VAT.
    {
      ...{ order_id: 'b', ordered_at: at('2024-03-20'), total: '108.9', tax: '18.9', shipping: '0' },
      ...{ discount: '12.1', country: 'SK', payment_method: 'cash', shipping_method: 'PPL', status: 'paid' },
    },
    // Goods 100 and shipping 20 without VAT, of which 25.20 are on top.
    {
      ...{ ...CZ, order_id: 'c', ordered_at: at('2024-03-25'), total: '145.2', tax: '25.2', shipping: '20' },
      taxes_included: 'false',
    },
    { ...CZ, order_id: 'd', ordered_at: at('2024-03-07'), total: '121', tax: '21', status: 'cancelled' },
    // Goods 121 with 21 of VAT, shipping 0, and a fee of 12.10 with 2.10.
    {
      ...{ ...CZ, order_id: 'e', ordered_at: at('2024-04-10'), total: '133.1', tax: '23.1', shipping: '0' },
      payment_fee: '12.1',
    },
    { ...CZ, order_id: 'f', ordered_at: at('2024-04-30'), total: '121', tax: '21', shipping: '0' },
  );
  const line = (order_id: string, external_product_id: string, quantity: string, unit_price: string) => ({
    ...{ order_id, external_product_id, quantity, unit_price },
    ...{ kind: 'product', line_no: '1' },
  });
  store.order_items.push(
    line('a', 'p1', '2', '121'),
    line('b', 'p1', '1', '121'),
    line('c', 'p2', '1', '100'),
    line('d', 'p1', '1', '121'),
    line('e', 'p1', '1', '121'),
    line('f', 'p1', '1', '121'),
  );
  store.refunds.push(
    // 302.50 had 52.50 of VAT, so 121 have 21.
    { refund_id: 'r1', order_id: 'a', refunded_at: at('2024-04-02'), amount: '121' },
    { refund_id: 'r2', order_id: 'd', refunded_at: at('2024-03-10'), amount: '121' },
  );
  store.refund_lines.push({
    ...{ refund_id: 'r1', order_id: 'a', line_no: '1', external_product_id: 'p1', quantity: '1' },
    amount: '60.5',
  });
  for (let day = 1; day <= 31; day += 1)
    store.ad_costs.push({
      ...{ day: `2024-03-${String(day).padStart(2, '0')}`, source: 'google', medium: 'cpc' },
      cost: day === 9 ? '15' : '0',
    });
  return store;
}

const assume = (asked: NewAssumption, business = shop) =>
  addAssumption(test.instance.control, business, asked);

beforeAll(async () => {
  test = await createTestInstance();
  shop = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
  await test.importStore(shop, handWritten());
  bare = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
  const store = handWritten();
  await test.importStore(bare, {
    ...{ ...store, refunds: [], refund_lines: [], ad_costs: [], products: [] },
    orders: store.orders.map(({ tax: _, ...row }) => row),
  });
  await assume({ kind: 'payment_fee', from: '2024-03-01', percent: '2', amount: '3', paymentMethod: 'card' });
  await assume({ kind: 'payment_fee', from: '2024-03-21', percent: '1', paymentMethod: 'card' });
  await assume({ kind: 'shipping_cost', from: '2024-01-01', amount: '80' });
  await assume({ kind: 'shipping_cost', from: '2024-03-10', amount: '70', shippingMethod: 'DPD' });
  await assume({ kind: 'shipping_cost', from: '2024-03-15', amount: '100', country: 'SK' });
  await assume({ kind: 'packaging', from: '2024-03-10', amount: '10' });
  await assume({ kind: 'email_cost', from: '2024-03-16', amount: '310', per: 'month' });
});

afterAll(() => test[Symbol.asyncDispose]());

interface Line {
  readonly group: string | null;
  readonly line: string;
  readonly amount: number | null;
  readonly known_share: number | null;
  readonly at_most: boolean;
  readonly compared_amount: number | null;
  readonly change: number | null;
}
interface Statement {
  readonly lines: readonly Line[];
  readonly orders_count: number;
  readonly orders_revenues: number | null;
  readonly assumptions: readonly Record<string, unknown>[];
}

async function ask(more: object = {}, business = shop) {
  const { result, notes = [] } = await test.run('profit_statement', {
    ...{ business_id: business.business_id, format: 'objects' },
    ...MARCH,
    ...more,
  });
  return { ...(result as Statement), notes };
}

const amounts = (lines: readonly Line[], group: string | null = null) =>
  Object.fromEntries(lines.flatMap((one) => (one.group === group ? [[one.line, one.amount]] : [])));

describe('a statement checked by hand', () => {
  it('is what the orders of March add up to', async () => {
    const { lines, orders_count, orders_revenues, assumptions, notes } = await ask();
    expect([orders_count, orders_revenues]).toEqual([3, 556.6]);
    expect(
      lines.map(({ line, amount, known_share, at_most }) => [line, amount, known_share, at_most]),
    ).toEqual([
      ['goods_at_list_price', null, 0, false],
      ['line_discounts', null, 0, false],
      ['goods', 463, 100, false],
      ['order_discounts', -12.1, 33.3333, false],
      ['vat_on_top', 21, null, false],
      ['sold', 471.9, null, false],
      // The money that was paid back for a cancelled order was in no revenue.
      ['refunds', 0, 100, false],
      ['net_sales', 471.9, null, false],
      ['vat', -81.9, 100, false],
      ['net_revenue', 390, null, false],
      // Three shirts at 40; of the socks, 100 of 463, nobody knows.
      ['cost_of_goods', -120, 78.4017, false],
      ['margin_1', 270, null, true],
      ['shipping_charged', 70, 100, false],
      ['other_charged', 0, null, false],
      // 80 by the rate for all, 100 of Slovakia, 70 of DPD since the 10th.
      ['shipping_paid', -250, 100, false],
      // 2 % of 302.50 and 3, 1 % of 145.20; of cash nothing is said.
      ['payment_fees', -10.502, 66.6667, false],
      ['packaging', -20, 66.6667, false],
      ['margin_2', 59.498, null, true],
      ['advertising', -15, 100, false],
      // 16 of 31 days of 310 a month.
      ['email_costs', -160, 51.6129, false],
      ['sms_costs', null, 0, false],
      ['contribution', -115.502, null, true],
      // The shirt of the cancelled order was not sold.
      ['cost_of_returned_goods', 0, null, false],
    ]);
    expect(assumptions).toContainEqual({
      ...{ kind: 'payment_fee', from_day: '2024-03-01', rate: '2 % and 3 CZK of an order', of: 'card' },
      cost: 9.05,
    });
    expect(
      assumptions.filter(({ kind }) => kind === 'shipping_cost').map(({ of, cost }) => [of, cost]),
    ).toEqual(
      expect.arrayContaining([
        [null, 80],
        ['SK', 100],
        ['DPD', 70],
      ]),
    );
    expect(notes).toContain(
      'Not known, and not taken off: sms_costs. Known in part alone: payment_fees, packaging, email_costs. margin_2 and contribution are at most what is said. Whoever runs the store can say what they cost: storesight business assumptions add <id> sms_cost … (0: nothing).',
    );
  });

  it('takes a refund off in the month in which it was made, with the VAT that its order had', async () => {
    expect(amounts((await ask(APRIL)).lines)).toMatchObject({
      ...{ goods: 242, sold: 242, refunds: -121, net_sales: 121, vat: -21, net_revenue: 100 },
      ...{ cost_of_goods: -80, margin_1: 20, shipping_charged: 0, other_charged: 10, shipping_paid: -140 },
      // 1 % of 133.10 and of 121.
      ...{ payment_fees: -2.541, packaging: -20, margin_2: -132.541 },
      // Advertising is loaded of March alone.
      ...{ advertising: null, email_costs: -310, sms_costs: null, contribution: -442.541 },
      // One of the two shirts of March, at 40 each, came back.
      cost_of_returned_goods: 40,
    });
  });

  it('has the months apart, which add up to all of it', async () => {
    const both = { from_date: MARCH.from_date, to_date: APRIL.to_date };
    const { lines } = await ask({ ...both, by: 'month' });
    const [march, april, all] = ['2024-03', '2024-04', '(total)'].map((group) => amounts(lines, group));
    expect(march).toEqual(amounts((await ask()).lines));
    expect(april).toEqual(amounts((await ask(APRIL)).lines));
    expect(all).toEqual(amounts((await ask(both)).lines));
    for (const [line, amount] of Object.entries(all ?? {})) {
      if (amount === null) continue;
      expect((march?.[line] ?? 0) + (april?.[line] ?? 0), line).toBeCloseTo(amount, 4);
    }
  });

  it('ties to order_statistics, its refunds and the profit of products', async () => {
    for (const range of [MARCH, APRIL]) {
      const { lines, orders_revenues } = await ask(range);
      const of = amounts(lines);
      const about = { business_id: shop.business_id, ...range };
      const orders = (await test.ask('order_statistics', about)) as Record<string, number>;
      expect(orders_revenues).toBe(orders.orders_revenues);
      expect(0 - (of.refunds ?? 0)).toBe(
        (orders.refunded_revenue_by_refund_date ?? 0) - (orders.refunded_revenue_of_cancelled_orders ?? 0),
      );
      const metrics = ['product_revenue', 'product_discount', 'net_revenue', 'gross_profit', 'ad_cost'];
      const { business_id, ...days } = about;
      const { columns, rows } = (await test.ask('query_metrics', {
        business_ids: [business_id],
        ...days,
        metrics,
      })) as {
        columns: string[];
        rows: number[][];
      };
      const value = (name: string) => rows[0]?.[columns.indexOf(name)] ?? 0;
      expect(of.goods).toBe(value('product_revenue'));
      expect(of.order_discounts).toBeCloseTo(-value('product_discount'), 4);
      const backNet = range === APRIL ? 100 : 0;
      expect(of.net_revenue).toBeCloseTo(value('net_revenue') - backNet, 4);
      expect(of.advertising ?? 0).toBe(range === APRIL ? 0 : -value('ad_cost'));
      // All costs of April are known.
      if (range === APRIL) expect(of.margin_1).toBeCloseTo(value('gross_profit') - backNet, 4);
    }
  });
});

describe('an assumption', () => {
  it('moves what it is of and the sums below, at once, and nothing else', async () => {
    const before = (await ask()).lines;
    const { assumption_id } = await assume({ kind: 'packaging', from: '2024-03-21', amount: '25' });
    const after = (await ask()).lines;
    const moved = after.flatMap(({ line, amount }, index) => {
      const was = before[index]?.amount ?? null;
      return amount === was ? [] : [[line, Math.round(((amount ?? 0) - (was ?? 0)) * 10_000) / 10_000]];
    });
    expect(moved).toEqual([
      ['packaging', -15],
      ['margin_2', -15],
      ['contribution', -15],
    ]);
    await removeAssumption(test.instance.control, shop.business_id, assumption_id);
    expect((await ask()).lines).toEqual(before);
  });

  it('moves answers that were kept', async () => {
    const environment = toolEnvironment(test.instance, test.warehouse, { kept: new KeptAnswers(1024 ** 2) });
    const packaging = async () => {
      const tool = EXTENSION_TOOLS.find(({ name }) => name === 'profit_statement') as Tool;
      const args = { business_id: shop.business_id, ...MARCH };
      const { result } = await runTool(environment, tool, args, operatorCaller(test.instance.control));
      return amounts((result as Statement).lines).packaging;
    };
    expect([await packaging(), await packaging()]).toEqual([-20, -20]);
    expect(environment.kept?.state).toMatchObject({ found: 1, missed: 1 });
    const { assumption_id } = await assume({ kind: 'packaging', from: '2024-03-21', amount: '25' });
    expect(await packaging()).toBe(-35);
    await removeAssumption(test.instance.control, shop.business_id, assumption_id);
    expect(await packaging()).toBe(-20);
    expect(environment.kept?.state).toMatchObject({ found: 2, missed: 2 });
  });

  it('is of no order whose cost a file tells, so that another assumption moves the others alone', async () => {
    const store = handWritten();
    const recorded = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
    const costs = { shipping_cost: '50', payment_cost: '0' };
    const orders = store.orders.map((row) => (row.order_id === 'a' ? { ...row, ...costs } : row));
    await test.importStore(recorded, { ...store, orders });
    const told = async () => (await ask({}, recorded)).lines.find(({ line }) => line === 'shipping_paid');
    // One of three orders has its cost. Nobody knows that of the others.
    expect(await told()).toMatchObject({ amount: -50, known_share: 33.3333 });
    const { lines, notes } = await ask({}, recorded);
    // Nothing is known, and not unknown.
    expect(lines.find(({ line }) => line === 'payment_fees')).toMatchObject({
      amount: 0,
      known_share: 33.3333,
    });
    expect(notes).toContain(
      'As files tell it, and not as assumed: shipping_paid of 1 of 3 orders, payment_fees of 1 of 3 orders.',
    );
    const { control } = test.instance;
    const first = await addAssumption(control, recorded, {
      kind: 'shipping_cost',
      from: '2024-01-01',
      amount: '80',
    });
    expect(await told()).toMatchObject({ amount: -50 - 2 * 80, known_share: 100 });
    await removeAssumption(control, recorded.business_id, first.assumption_id);
    await addAssumption(control, recorded, { kind: 'shipping_cost', from: '2024-01-01', amount: '90' });
    expect(await told()).toMatchObject({ amount: -50 - 2 * 90, known_share: 100 });
  });

  it('is known when it is 0, and then nothing is at most', async () => {
    const added = [
      await assume({ kind: 'sms_cost', from: '2024-01-01', amount: '0' }),
      await assume({ kind: 'payment_fee', from: '2024-01-01', percent: '0' }),
      await assume({ kind: 'ad_cost', from: '2024-04-01', amount: '60' }),
    ];
    const { lines } = await ask(APRIL);
    expect(lines.filter(({ at_most }) => at_most)).toEqual([]);
    expect(amounts(lines)).toMatchObject({ sms_costs: 0, advertising: -60, contribution: -502.541 });
    // Costs of advertising are loaded for March: nothing is assumed beside them.
    expect(amounts((await ask()).lines).advertising).toBe(-15);
    for (const { assumption_id } of added)
      await removeAssumption(test.instance.control, shop.business_id, assumption_id);
  });
});

describe('an unknown number', () => {
  it('is null where there is no VAT, and no margin is made up', async () => {
    const { lines, notes } = await ask({}, bare);
    expect(amounts(lines)).toMatchObject({
      ...{ goods: 463, order_discounts: -12.1, sold: 450.9, refunds: null, net_sales: 450.9 },
      ...{ vat: null, net_revenue: null, cost_of_goods: null, margin_1: null, margin_2: null },
      ...{ shipping_paid: null, payment_fees: null, advertising: null, contribution: null },
    });
    // That of order c is known, as its prices are without VAT.
    expect(notes[0]).toMatch(/^The VAT of goods of some orders is not known: vat, net_revenue and all sums/);
    expect((await ask(APRIL, bare)).notes[0]).toMatch(/^The VAT of goods is not known: vat, net_revenue/);
    // A null is no upper limit.
    expect(notes.filter((note) => /margin_2|came back/.test(note))).toEqual([]);
    expect(notes).toContain(
      'No purchase price of what was sold is known: the margins and contribution are null, not 0.',
    );
    expect(lines.find(({ line }) => line === 'net_sales')?.at_most).toBe(true);
  });

  it('is the cost of orders whose lines are none of goods', async () => {
    const store = handWritten();
    const other = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
    await test.importStore(other, {
      ...store,
      order_items: store.order_items.map((row) =>
        row.order_id === 'a' ? { ...row, kind: 'shipping', unit_price: '151.25' } : row,
      ),
    });
    expect((await ask({}, other)).notes).toContain(
      '1 order has no lines of goods, of 3: their goods are what was paid without shipping, at unknown cost.',
    );
  });

  it('is nothing of an empty store', async () => {
    const empty = await test.createBusiness();
    const { lines, orders_count } = await ask({}, empty);
    expect(orders_count).toBe(0);
    expect(amounts(lines)).toMatchObject({ goods: 0, margin_1: 0, advertising: null });
  });
});

describe('cuts and comparisons', () => {
  it('costs of orders are known by country, and advertising for all alone', async () => {
    const { lines, notes } = await ask({ by: 'country' });
    expect([...new Set(lines.map(({ group }) => group))]).toEqual(['CZ', 'SK', '(total)']);
    expect(amounts(lines, 'SK')).toMatchObject({
      ...{ goods: 121, sold: 108.9, vat: -18.9, net_revenue: 90, cost_of_goods: -40, margin_1: 50 },
      ...{ shipping_paid: -100, payment_fees: null, packaging: -10, margin_2: -60 },
      ...{ advertising: null, contribution: null },
    });
    expect(notes).toContain(
      'Advertising, e-mail and SMS costs are not told apart by country: contribution is that of (total) alone.',
    );
    const { lines: one } = await ask({ by: 'country', limit: 1 });
    expect(amounts(one, '(rest)')).toEqual(amounts(lines, 'SK'));
  });

  it('the statement by product, brand and category ends with the first margin, and has what came back of it', async () => {
    const { lines, notes } = await ask({ ...APRIL, by: 'product' });
    expect(lines[0]).toMatchObject({ group: 'p1', name: 'Shirt' });
    expect(amounts(lines, 'p1')).toMatchObject({
      // Two shirts of 121 with 21 of VAT, and 60.50 with 10.50 paid back for one.
      ...{ goods: 242, sold: 242, refunds: -60.5, net_sales: 181.5, vat: -31.5, net_revenue: 150 },
      ...{ cost_of_goods: -80, margin_1: 70, cost_of_returned_goods: 40 },
    });
    // Numbers of whole orders stand with all of them alone.
    expect(lines.filter(({ group }) => group === 'p1').map(({ line }) => line)).toEqual(
      lines
        .filter(({ group }) => group === '(total)')
        .map(({ line }) => line)
        .filter((line, place) => place < 12 || line === 'cost_of_returned_goods'),
    );
    expect(notes.slice(0, 1)).toEqual([
      'cost_of_goods is of all that was sold, also of what came back. Goods that came back in the range cost 40 (cost_of_returned_goods): as far as they can be sold again, so much more is left.',
    ]);
    expect(notes).toContain(
      'refunds are those made in the range, also of orders before it, and none of cancelled orders: of a product they can be more than it sold in the range.',
    );
    expect(notes).toContainEqual(
      expect.stringMatching(/is at most what is said, but for goods that came back\. Whoever runs/),
    );
    expect(notes).toContainEqual(
      expect.stringMatching(/not told apart by product: a statement ends with margin_1/),
    );
    const march = (await ask({ by: 'brand' })).lines;
    expect([...new Set(march.map(({ group }) => group))]).toEqual(['Soft', '(not set)', '(total)']);
    expect(amounts(march, 'Soft')).toMatchObject({
      goods: 363,
      order_discounts: -12.1,
      vat: -60.9,
      margin_1: 170,
    });
    const { lines: one } = await ask({ by: 'category', limit: 1 });
    expect(amounts(one, '(total)')).toEqual(amounts((await ask()).lines));
  });

  it('amounts of many billions add up to the last ten-thousandth, and so does the total over countries', async () => {
    const large = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'IDR' });
    const store = emptyStore({ timezone: 'Europe/Prague', primary_currency: 'IDR' });
    const amountsOfOrders = ['90000000000.0001', '100000000000.0003', '-90000000000.0002', '0.0004'];
    // On both sides of where the narrow way ends; they add up to nothing.
    for (const amount of ['9999999999', '9999999999.0001', '10000000000', '50000000000.0001'])
      amountsOfOrders.push(amount, `-${amount}`);
    for (const [place, total] of amountsOfOrders.entries())
      store.orders.push({
        ...{ ...CZ, order_id: `large-${place}`, ordered_at: at('2024-03-05'), total, shipping: '0' },
        country: place === 1 ? 'SK' : 'CZ',
      });
    await test.importStore(large, store);
    // 100000000000.0003 by itself, then 90000000000.0001 - 90000000000.0002 + 0.0004 beside it.
    const { lines } = await ask({ by: 'country' }, large);
    expect(amounts(lines, 'SK').goods).toBe(100_000_000_000.0003);
    expect(amounts(lines, 'CZ').goods).toBe(0.0003);
    expect(amounts(lines, '(total)').goods).toBe(100_000_000_000.0006);
    expect(amounts((await ask({}, large)).lines)).toEqual(amounts(lines, '(total)'));
  });

  it('the advertising of a channel is its own in the statement by channel', async () => {
    const { lines, notes } = await ask({ by: 'channel' });
    expect(amounts(lines, 'Paid Search')).toMatchObject({ goods: 0, advertising: -15 });
    expect(amounts(lines, '(untracked)')).toMatchObject({ goods: 463, advertising: 0 });
    // 302.50, 108.90 and 145.20.
    const note =
      '100 % of orders_revenues (557) are at (untracked), by no known visit: a channel has its whole advertising and not its part of these, so its contribution is too low.';
    expect(notes[0]).toBe(note);
    expect((await ask({ ...APRIL, by: 'channel' })).notes).not.toContain(note);
    expect((await ask({ by: 'country' })).notes).not.toContain(note);
  });

  it('is compared line by line', async () => {
    const { lines, notes } = await ask({
      ...APRIL,
      compare: 'range',
      compare_from_date: '2024-03-01',
      compare_to_date: '2024-03-31',
    });
    expect(notes).toContain(
      'Of cost_of_goods, payment_fees, packaging, advertising, email_costs not as much is known in both ranges: changes of the sums below are also changes of what is known. Before refunds, goods of known cost have a margin of 60.0 %, and had 58.6 %.',
    );
    // Shirts without VAT: 200 less their cost of 80 in April; 200 and 90 less 120 in March, of 363 of goods
    // of 463.
    expect([(200 - 80) / 200, (200 + 90 - 120) / 290]).toEqual([0.6, expect.closeTo(0.586, 3)]);
    expect(lines.find(({ line }) => line === 'cost_of_goods')).toMatchObject({
      known_share: 100,
      compared_known_share: 78.4017,
    });
    const goods = lines.find(({ line }) => line === 'goods');
    expect(goods).toMatchObject({ amount: 242, compared_amount: 463, change: -221 });
    expect(lines.find(({ line }) => line === 'advertising')).toMatchObject({
      compared_amount: -15,
      change: null,
    });
  });

  it.each([
    [{ by: 'weather' }, 'by must be one of none, day, week, month, quarter, year, country,'],
    [
      { by: 'month', compare: 'previous_year' },
      'compare does not go with by month: the periods of two ranges',
    ],
    [{ compare: 'range' }, 'compare range needs compare_from_date and compare_to_date'],
    [{ limit: 51 }, 'limit must be between 1 and 50'],
  ])('refuses %j', async (more, message) => {
    await expect(ask(more)).rejects.toThrow(message);
  });
});
