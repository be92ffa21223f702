import type { Ga4Event } from './ga4-export.ts';

interface Item {
  readonly item_id?: string | null;
}

/**
 * What an export of Google Analytics 4 says, counted in plain TypeScript over its events: apart from the
 * product, so that one error cannot hide in both.
 */
export function countGa4(events: readonly Ga4Event[]) {
  const once = [
    ...new Map(
      events.map((event) => [
        [event.user_pseudo_id, event.event_timestamp, event.event_name, event.batch_event_index].join(),
        event,
      ]),
    ).values(),
  ];
  const visits = new Set<string>();
  const products = new Map<string, Set<string>>();
  let [pageViews, engagementMs] = [0, 0];
  for (const event of once) {
    const session = paramOf(event, 'ga_session_id');
    const visitor = known(event.user_pseudo_id);
    if (visitor === null) continue;
    for (const { item_id } of (event.items ?? []) as Item[]) {
      const id = known(item_id);
      if (id === null) continue;
      const ofKind = products.get(event.event_name) ?? new Set();
      products.set(event.event_name, ofKind.add([visitor, event.event_timestamp, id].join()));
    }
    if (session === null) continue;
    visits.add(`${visitor}.${session}`);
    if (event.event_name === 'page_view') pageViews += 1;
    engagementMs += Number(paramOf(event, 'engagement_time_msec') ?? 0);
  }
  const purchases = events.filter(({ event_name }) => event_name === 'purchase');
  const earliest = new Map<string, Ga4Event>();
  for (const purchase of purchases) {
    const id = transactionOf(purchase);
    const before = earliest.get(id ?? '');
    if (id === null) continue;
    if (before === undefined || Number(before.event_timestamp) > Number(purchase.event_timestamp))
      earliest.set(id, purchase);
  }
  const cents = (of: Iterable<Ga4Event>) =>
    [...of].reduce((sum, purchase) => sum + Math.round(100 * (amountOf(purchase) ?? 0)), 0);
  return {
    visits: visits.size,
    pageViews,
    engagementMs,
    events: (kind: string) => products.get(kind)?.size ?? 0,
    purchases: purchases.length,
    transactions: [...earliest.keys()],
    withoutId: purchases.filter((purchase) => transactionOf(purchase) === null).length,
    grossCents: cents(purchases),
    revenueCents: cents(earliest.values()),
  };
}

function known(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  const text = String(value).trim();
  return ['', '(not set)', '(data deleted)', '<Other>', '(not provided)'].includes(text) ? null : text;
}

function paramOf({ event_params }: Ga4Event, key: string): string | null {
  const value = event_params.find((param) => param.key === key)?.value ?? {};
  return known(value.string_value ?? value.int_value ?? value.double_value ?? value.float_value);
}

function transactionOf(event: Ga4Event): string | null {
  const { transaction_id } = (event.ecommerce ?? {}) as { transaction_id?: unknown };
  return known(transaction_id) ?? paramOf(event, 'transaction_id');
}

function amountOf(event: Ga4Event): number | null {
  const { purchase_revenue } = (event.ecommerce ?? {}) as { purchase_revenue?: unknown };
  const value = purchase_revenue ?? paramOf(event, 'value');
  return value === null || value === undefined ? null : Number(value);
}
