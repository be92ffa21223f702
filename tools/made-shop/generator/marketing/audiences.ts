import type { Customer } from '../customers.ts';
import { isValid, type Order } from '../orders.ts';
import { type Membership, membersAt, newsletterList } from './interest-lists.ts';
import type { Recipient } from './recipients.ts';
import type { SegmentQuery, TargetingBlock } from './rows.ts';
import { savedSegments } from './segments.ts';

/** The people to whom a campaign goes, in addition to being subscribed. */
export type AudienceName = keyof typeof queries;

function all(...targetingBlocks: TargetingBlock[]): SegmentQuery {
  return { segments: [{ targetingBlocks }] };
}

function onList(code: string): TargetingBlock {
  return { type: 'interest_list', operator: 'is_subscribed', value: [code] };
}

const queries = {
  everyone: all(onList(newsletterList)),
  hiking: all(onList(newsletterList), onList('turistika')),
  sales: all(onList(newsletterList), onList('vyprodeje')),
  camping: all(onList(newsletterList), {
    type: 'bought',
    of: { category: ['Camping > Tents', 'Camping > Sleeping > Mats', 'Camping > Cooking > Stoves'] },
    period: { last_days: 365 },
  }),
  abroad: all(onList(newsletterList), {
    type: 'attribute',
    operator: 'in',
    value: { name: 'country', value: ['DE', 'AT', 'PL'] },
  }),
  lapsed: all(onList(newsletterList), { type: 'segment', operator: 'in', value: [savedSegments.lapsed] }),
} satisfies Record<string, SegmentQuery>;

export function queryOf(audience: AudienceName): SegmentQuery {
  return queries[audience];
}

/** Orders that count by customer, in order of time. */
export type OrdersByCustomer = ReadonlyMap<Customer | null, Order[]>;

export function ordersByCustomer(orders: readonly Order[]): OrdersByCustomer {
  return Map.groupBy(orders.filter(isValid), ({ customer }) => customer);
}

/** The recipients who are meant at a moment, in their order. */
export function membersOf(
  audience: AudienceName,
  recipients: readonly Recipient[],
  at: number,
  memberships: readonly Membership[],
  orders: OrdersByCustomer,
): Recipient[] {
  const before = ({ customer }: Recipient) =>
    customer === null ? [] : (orders.get(customer) ?? []).filter((order) => order.at <= at);
  switch (audience) {
    case 'everyone':
      return [...recipients];
    case 'hiking':
    case 'sales': {
      const members = membersAt(memberships, audience === 'sales' ? 'vyprodeje' : 'turistika', at);
      return recipients.filter((recipient) => members.has(recipient));
    }
    case 'abroad':
      return recipients.filter(({ country }) => ['DE', 'AT', 'PL'].includes(country));
    case 'camping':
      return recipients.filter((recipient) =>
        before(recipient).some((order) => order.at > at - 365 * 86_400 && hasCamping(order)),
      );
    case 'lapsed':
      return recipients.filter((recipient) => {
        const last = before(recipient).at(-1);
        return last !== undefined && last.at < at - 180 * 86_400;
      });
  }
}

function hasCamping({ sold }: Order): boolean {
  const wanted = ['Camping > Tents', 'Camping > Sleeping > Mats', 'Camping > Cooking > Stoves'];
  return sold.some(({ product }) => product.categories.some((category) => wanted.includes(category)));
}
