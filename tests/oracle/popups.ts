// Popups after interpretation: who saw and submitted them, and what came of each submission.
import { customersOf } from './customers.ts';
import { amount, round4 } from './decimals.ts';
import { cell, loadedRows } from './loaded-rows.ts';
import { refundsOf } from './messages.ts';
import { argumentRange, importedMoment, isInRange, type Moment } from './moments.ts';
import type { Order } from './orders.ts';
import { shopOf } from './shop.ts';
import type { Store } from './store.ts';
import { compareText } from './text-order.ts';
import { visitorsOf } from './visitors.ts';

type PopupEvent = {
  id: string;
  campaignId: string;
  visitor: string;
  submitter: string;
  moment: Moment;
  kind: string;
  device: string;
  /** The orders that a submission, and no later one of this popup, is credited with. */
  orders: Order[];
};

type Subscription = { channel: string; second: bigint; leftWithinMonth: boolean };

const DAY = 86_400n;
const secondOf = (moment: Moment) => moment / 1_000_000n;
const isWithin = (later: bigint, earlier: bigint, days: bigint) =>
  earlier <= later && later <= earlier + days * DAY;

/** The events of all popups, in the order of time. */
function popupEventsOf(store: Store): PopupEvent[] {
  const shop = shopOf(store);
  const visitors = visitorsOf(store, shop.orders);
  const customers = customersOf(store);
  const popups = store.campaigns.filter(({ campaign_type }) => campaign_type === 'popup');
  const events = loadedRows(store.popup_events, (row) => row.event_id ?? '')
    .filter((row) => popups.some(({ campaign_id }) => campaign_id === row.campaign_id))
    .map((row): PopupEvent => {
      const visitor = visitors.ofVisitorId(row.visitor_id ?? '');
      const moment = importedMoment(row.at ?? '', shop.timezone);
      const device = cell(row.device);
      return {
        ...{ id: row.event_id ?? '', campaignId: row.campaign_id ?? '', kind: row.kind ?? '', orders: [] },
        ...{ visitor, submitter: customers.ofReference(row) ?? visitor },
        moment,
        device:
          device === null ? '(not set)' : ['desktop', 'mobile', 'tablet'].includes(device) ? device : 'other',
      };
    });
  events.sort((a, b) => Number(a.moment - b.moment) || compareText(a.id, b.id));
  for (const order of shop.validOrders) {
    for (const { campaign_id } of popups) {
      const before = events.findLast(
        (event) =>
          event.campaignId === campaign_id &&
          event.kind === 'submit' &&
          event.submitter === (order.customer ?? shop.visitorOfOrder(order)) &&
          isWithin(secondOf(order.moment), secondOf(event.moment), 7n),
      );
      before?.orders.push(order);
    }
  }
  return events;
}

/** The first subscription ever of each person in each channel. */
function subscriptionsOf(store: Store): Map<string, Subscription[]> {
  const customers = customersOf(store);
  const consents = store.consent_events.map((row) => ({
    person: customers.ofReference(row) ?? '',
    channel: row.channel ?? '',
    state: row.state ?? '',
    second: secondOf(importedMoment(row.at ?? '', store.business.timezone ?? 'UTC')),
  }));
  const byPerson = Map.groupBy(consents, ({ person }) => person);
  return new Map(
    [...byPerson].map(([person, own]) => [
      person,
      ['email', 'sms'].flatMap((channel): Subscription[] => {
        const ofChannel = own.filter((consent) => consent.channel === channel);
        const joined = ofChannel
          .filter(({ state }) => state === 'subscribed')
          .map(({ second }) => second)
          .sort((a, b) => Number(a - b));
        const [second] = joined;
        if (second === undefined) return [];
        const leftWithinMonth = ofChannel.some(
          (consent) => consent.state === 'unsubscribed' && isWithin(consent.second, second, 30n),
        );
        return [{ channel, second, leftWithinMonth }];
      }),
    ]),
  );
}

/** PopupActivity of one popup in the range, and what `get_campaign_statistics` has beside it. */
export function popupResults(store: Store, campaignId: string, args: { from_date: string; to_date: string }) {
  const range = argumentRange(args.from_date, args.to_date, store.business.timezone ?? 'UTC');
  const events = popupEventsOf(store).filter(
    (event) => event.campaignId === campaignId && isInRange(event.moment, range),
  );
  const { orders: allOrders, firstOrders } = shopOf(store);
  const refunds = refundsOf(store, allOrders);
  const subscriptions = subscriptionsOf(store);
  const submissions = events.filter(({ kind }) => kind === 'submit');
  const submitters = (isOne: (event: PopupEvent) => boolean) =>
    new Set(submissions.filter(isOne).map(({ submitter }) => submitter)).size;
  const subscribed = ({ submitter, moment }: PopupEvent) =>
    (subscriptions.get(submitter) ?? []).filter(({ second }) => isWithin(second, secondOf(moment), 7n));
  const orders = submissions.flatMap((event) => event.orders);
  const revenue = orders.reduce((sum, order) => sum + order.revenue, 0n);
  const reached = visitorsIn(events);
  const devices = [...Map.groupBy(events, ({ device }) => device)].map(([device, own]) => ({
    device,
    unique_displays_count: visitorsIn(own),
    unique_submissions_count: visitorsIn(own.filter(({ kind }) => kind === 'submit')),
  }));
  const buyers = visitorsIn(submissions.filter((event) => event.orders.length > 0));
  const revenueFields = { attributed_orders_count: orders.length, attributed_revenue: amount(revenue) };
  return {
    activity: {
      displays_count: events.filter(({ kind }) => kind === 'display').length,
      unique_displays_count: reached,
      closes_count: events.filter(({ kind }) => kind === 'close').length,
      submissions_count: submissions.length,
      unique_submissions_count: visitorsIn(submissions),
      submission_rate: reached === 0 ? null : round4((100 * visitorsIn(submissions)) / reached),
      new_subscribers_count: submitters((event) => subscribed(event).length > 0),
      unsubscribed_30d_count: submitters((event) => subscribed(event).some((one) => one.leftWithinMonth)),
      new_customers_count: submitters(({ submitter, moment }) => {
        const first = firstOrders.get(submitter);
        return first !== undefined && isWithin(secondOf(first.moment), secondOf(moment), 30n);
      }),
      ...revenueFields,
      devices: devices.sort(
        (a, b) => b.unique_displays_count - a.unique_displays_count || compareText(a.device, b.device),
      ),
    },
    ...revenueFields,
    conversion_rate: submissions.length === 0 ? null : round4((100 * buyers) / visitorsIn(submissions)),
    refunded_revenue:
      store.refunds.length === 0
        ? null
        : amount(orders.reduce((sum, { orderId }) => sum + (refunds.get(orderId) ?? 0n), 0n)),
  };
}

function visitorsIn(events: PopupEvent[]): number {
  return new Set(events.map(({ visitor }) => visitor)).size;
}
