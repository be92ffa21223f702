import type { Call } from './segment-calls.ts';

const KINDS: Readonly<Record<string, string>> = {
  'Product Viewed': 'view',
  'Product Added': 'add_to_cart',
  'Product Removed': 'remove_from_cart',
  'Product Added to Wishlist': 'wishlist',
};

/**
 * What calls tell, in plain TypeScript: each call once; a visit ends with half an hour in which nothing
 * comes.
 */
export function countSegment(all: readonly Call[]) {
  const calls = [...new Map(all.toReversed().map((call) => [call.messageId, call])).values()];
  const at = (call: Call) => Date.parse(String(call.timestamp));
  const context = (call: Call) => (call.context ?? {}) as { page?: unknown };
  const isPage = (call: Call) => call.type === 'page' || call.type === 'screen';
  const ofVisitors = new Map<unknown, Call[]>();
  for (const call of calls)
    if (call.anonymousId && (isPage(call) || context(call).page !== undefined))
      ofVisitors.set(call.anonymousId, [...(ofVisitors.get(call.anonymousId) ?? []), call]);
  const visits = [...ofVisitors.values()].flatMap((each) => {
    const moments = each.map(at).sort((one, other) => one - other);
    return moments.filter((moment, index) => index === 0 || moment - (moments[index - 1] ?? 0) > 1_800_000);
  }).length;
  const properties = (call: Call) => (call.properties ?? {}) as Record<string, unknown>;
  const products = calls.filter(
    (call) =>
      call.type === 'track' &&
      call.anonymousId &&
      String(call.event) in KINDS &&
      (properties(call).product_id || properties(call).sku),
  );
  const orders = calls.filter(
    (call) =>
      call.type === 'track' &&
      call.event === 'Order Completed' &&
      call.anonymousId &&
      properties(call).order_id,
  );
  return {
    visits,
    pageViews: [...ofVisitors.values()].flat().filter(isPage).length,
    products: (kind: string) => products.filter((call) => KINDS[String(call.event)] === kind).length,
    orders: new Set(orders.map((call) => properties(call).order_id)).size,
  };
}
