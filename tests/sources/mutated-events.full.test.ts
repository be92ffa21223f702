import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../support/runs.ts';
import { countGa4 } from './count-ga4.ts';
import { countSegment } from './count-segment.ts';
import { type Ga4Event, ga4Event } from './ga4-export.ts';
import { type Call, call } from './segment-calls.ts';
import { translateFiles } from './translated.ts';

const item = fc.record({
  item_id: fc.constantFrom('A', 'B', 'C', '(not set)', null),
  item_name: fc.constantFrom('Čaj', 'Mug'),
  price: fc.constantFrom(10, 2.5),
  quantity: fc.constantFrom(1, 3, null),
});

const event = fc
  .record({
    name: fc.constantFrom('session_start', 'page_view', 'page_view', 'view_item', 'add_to_cart', 'purchase'),
    visitor: fc.constantFrom('11111111.22222222', '33333333.44444444', '(not set)', null),
    session: fc.constantFrom(1, 2),
    second: fc.nat(9),
    items: fc.array(item, { maxLength: 3 }),
    transaction: fc.constantFrom('T1', 4711, '(not set)'),
    value: fc.integer({ min: 0, max: 99_999 }),
    isInEcommerce: fc.boolean(),
  })
  .map(({ name, visitor, session, second, items, transaction, value, isInEcommerce }) => {
    const isPurchase = name === 'purchase';
    const amount = value / 100;
    return ga4Event(
      name,
      second,
      {
        ga_session_id: session,
        engagement_time_msec: second * 100,
        ...(isPurchase ? { currency: 'CZK' } : {}),
        ...(isPurchase && !isInEcommerce ? { transaction_id: transaction, value: amount } : {}),
      },
      {
        user_pseudo_id: visitor,
        items,
        ecommerce:
          isPurchase && isInEcommerce
            ? { transaction_id: String(transaction), purchase_revenue: amount }
            : { transaction_id: '(not set)' },
      },
    );
  });

const events = fc.uniqueArray(event, {
  minLength: 1,
  maxLength: 15,
  selector: ({ user_pseudo_id, event_timestamp, event_name }) =>
    [user_pseudo_id, event_timestamp, event_name].join(),
});

const FIELDS = ['event_name', 'event_timestamp', 'event_params', 'user_pseudo_id', 'items', 'ecommerce'];

/** Each changes the events, of which the truth is told then; or what they are called, of which it is not. */
const mutation = fc.oneof(
  fc.constantFrom(...FIELDS).map((field) => ({
    ...{ name: `without ${field}`, isTruthChanged: false },
    change: (all: readonly Ga4Event[]) =>
      all.map((one) => Object.fromEntries(Object.entries(one).filter(([name]) => name !== field))),
  })),
  fc.constantFrom(...FIELDS).map((field) => ({
    ...{ name: `with ${field} in other letters`, isTruthChanged: false },
    change: (all: readonly Ga4Event[]) =>
      all.map((one) =>
        Object.fromEntries(
          Object.entries(one).map(([name, value]) => [name === field ? name.toUpperCase() : name, value]),
        ),
      ),
  })),
  fc.nat(20).map((place) => ({
    ...{ name: `without row ${place}`, isTruthChanged: true },
    change: (all: readonly Ga4Event[]) => all.filter((_, index) => index !== place),
  })),
  fc.constant({
    ...{ name: 'backwards, with its fields too', isTruthChanged: true },
    change: (all: readonly Ga4Event[]) =>
      all.toReversed().map((one) => Object.fromEntries(Object.entries(one).toReversed())),
  }),
  fc.constant({
    ...{ name: 'each twice', isTruthChanged: false },
    change: (all: readonly Ga4Event[]) => [...all, ...all],
  }),
);

const encoding = fc.constantFrom('utf8', 'utf16le', 'mark', 'CRLF');
const cut = fc.option(fc.nat(300), { nil: 0, freq: 2 });

it('mutated events give the right numbers, are refused, or the report says what is missing', async () => {
  await fc.assert(
    fc.asyncProperty(
      events,
      mutation,
      encoding,
      cut,
      async (all, { change, isTruthChanged }, way, missing) => {
        const mutated = change(all) as Ga4Event[];
        const text = mutated.map((one) => `${JSON.stringify(one)}${way === 'CRLF' ? '\r\n' : '\n'}`).join('');
        const whole =
          way === 'utf16le'
            ? Buffer.from(`\uFEFF${text}`, 'utf16le')
            : Buffer.from(`${way === 'mark' ? '\uFEFF' : ''}${text}`);
        const bytes = whole.subarray(0, whole.length - missing);
        const truth = countGa4(isTruthChanged ? mutated : all);
        try {
          await translateFiles(
            { 'events.json': bytes },
            async ({ rows, rejects, sources }) => {
              // Nobody can know of a cut between two rows.
              if (rejects.length > 0 || missing > 0) return;
              const said = (sources[0]?.assumptions ?? []).join('; ');
              const [sessions = []] = await rows(
                'sessions',
                'count(*), coalesce(cast(sum(page_views) as bigint), 0)',
              );
              const [products = []] = await rows(
                'product_events',
                "count(*) filter (kind = 'view'), count(*) filter (kind = 'add_to_cart')",
              );
              const [orders = []] = await rows('orders', 'count(*), coalesce(round(sum(total) * 100), 0)');
              const found = [...sessions, ...products, ...orders].map(Number);
              const expected = [
                ...[truth.visits, truth.pageViews, truth.events('view_item'), truth.events('add_to_cart')],
                ...[truth.transactions.length, truth.revenueCents],
              ];
              if (JSON.stringify(found) !== JSON.stringify(expected))
                expect(said, `${found} instead of ${expected}`).toMatch(/no column "|have no /);
              // Whatever is lost is lost for a reason; nothing comes from nowhere.
              for (const [place, count] of found.entries())
                expect(count).toBeLessThanOrEqual(expected[place] ?? 0);
            },
            { 'orders-from': 'ga4' },
          );
        } catch (error) {
          if ((error as Error).name !== 'ImportError') throw error;
        }
      },
    ),
    { numRuns: runs(10) },
  );
});

const segmentCall = fc
  .record({
    event: fc.constantFrom(
      null,
      null,
      'Product Viewed',
      'Product Added',
      'Product Removed',
      'Order Completed',
      'Order Refunded',
    ),
    anonymousId: fc.constantFrom('anna-1', 'bob-2', null),
    second: fc.integer({ min: 0, max: 20_000 }),
    product_id: fc.constantFrom('A', 'B', null),
    order_id: fc.constantFrom('1001', '1002', null),
    isOfServer: fc.boolean(),
  })
  .map(({ event, anonymousId, second, product_id, order_id, isOfServer }) =>
    call(event === null ? 'page' : 'track', second, {
      ...{ anonymousId, messageId: `m-${second}`, userId: '7' },
      ...(event === null ? {} : { event, properties: { product_id, order_id } }),
      ...(isOfServer && event !== null ? { context: { library: { name: 'analytics-node' } } } : {}),
    }),
  );

const segmentCalls = fc.uniqueArray(segmentCall, {
  minLength: 1,
  maxLength: 15,
  selector: ({ messageId }) => messageId,
});

const CALL_FIELDS = ['type', 'anonymousId', 'timestamp', 'context', 'properties', 'event', 'messageId'];

const ofCalls = fc.oneof(
  fc.constantFrom(...CALL_FIELDS).map((field) => ({
    isTruthChanged: false,
    change: (all: readonly Call[]) =>
      all.map((one) => Object.fromEntries(Object.entries(one).filter(([name]) => name !== field))),
  })),
  fc.nat(20).map((place) => ({
    isTruthChanged: true,
    change: (all: readonly Call[]) => all.filter((_, index) => index !== place),
  })),
  fc.constantFrom('backwards', 'twice').map((way) => ({
    isTruthChanged: true,
    change: (all: readonly Call[]) =>
      way === 'twice'
        ? [...all, ...all]
        : all.toReversed().map((one) => Object.fromEntries(Object.entries(one).toReversed())),
  })),
);

it('mutated calls of Segment give the right numbers, are refused, or lose only what their field told', async () => {
  await fc.assert(
    fc.asyncProperty(segmentCalls, ofCalls, fc.boolean(), async (all, { change, isTruthChanged }, isList) => {
      const mutated = change(all);
      const truth = countSegment(isTruthChanged ? mutated : all);
      const text = isList
        ? JSON.stringify(mutated)
        : mutated.map((one) => `${JSON.stringify(one)}\n`).join('');
      try {
        await translateFiles({ 'calls.json': text }, async ({ rows, rejects }) => {
          if (rejects.length > 0) return;
          const number = async (table: string, sql: string) => Number((await rows(table, sql))[0]?.[0]);
          const ofKind = (kind: string) => number('product_events', `count(*) filter (kind = '${kind}')`);
          const found = [
            await number('sessions', 'count(*)'),
            await number('sessions', 'coalesce(cast(sum(page_views) as bigint), 0)'),
            ...[await ofKind('view'), await ofKind('add_to_cart'), await ofKind('remove_from_cart')],
            await number('order_visits', 'count(*)'),
          ];
          const expected = [
            ...[truth.visits, truth.pageViews],
            ...[truth.products('view'), truth.products('add_to_cart'), truth.products('remove_from_cart')],
            truth.orders,
          ];
          if (isTruthChanged) expect(found).toEqual(expected);
          // A visit may fall into two when there are fewer calls; nothing else comes from nowhere.
          for (const [place, count] of found.entries())
            if (place > 0) expect(count).toBeLessThanOrEqual(expected[place] ?? 0);
        });
      } catch (error) {
        if ((error as Error).name !== 'ImportError') throw error;
      }
    }),
    { numRuns: runs(10) },
  );
});
