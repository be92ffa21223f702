import { dateText, dayOf, localDay, momentOf } from '../calendar.ts';
import type { Customer } from '../customers.ts';
import type { Order } from '../orders.ts';
import { planted } from '../planted-products.ts';
import type { Session } from '../sessions.ts';
import type { World } from '../world.ts';
import type { OrdersByCustomer } from './audiences.ts';
import type { Recipient } from './recipients.ts';

/** What the shop knows of its recipients, as triggers see it. */
export type Known = {
  world: World;
  orders: OrdersByCustomer;
  /** The sessions in which something was looked at and nothing was bought. */
  sessions: ReadonlyMap<Customer | null, Session[]>;
  /** Dates of birth by profile. */
  birthdays: ReadonlyMap<string, string>;
};

/** The moments at which somebody meets it, in order of time. */
export type Trigger = (known: Known, recipient: Recipient) => number[];

const days = (count: number) => count * 86_400;

const ordersOf = ({ orders }: Known, { customer }: Recipient): Order[] =>
  customer === null ? [] : (orders.get(customer) ?? []);

const sessionsOf = ({ sessions }: Known, { customer }: Recipient): Session[] =>
  customer === null ? [] : (sessions.get(customer) ?? []);

/** A trigger by each order that is meant. */
function order(isMeant: (order: Order, index: number) => boolean = () => true): Trigger {
  return (known, recipient) =>
    ordersOf(known, recipient)
      .filter(isMeant)
      .map(({ at }) => at);
}

/** The end of each session that left something behind, unless an order follows within some seconds. */
function session(
  kind: 'view' | 'add_to_cart' | 'wishlist' | 'watchdog',
  without: readonly string[],
  wait: number,
): Trigger {
  return (known, recipient) => {
    const orders = ordersOf(known, recipient);
    return sessionsOf(known, recipient)
      .filter(
        ({ at, end, events }) =>
          events.some((event) => event.kind === kind) &&
          !events.some((event) => without.includes(event.kind)) &&
          !orders.some((order) => order.at >= at && order.at <= end + wait),
      )
      .map(({ end }) => end);
  };
}

/** Some time after something else: a parcel arrives, a price falls, a product is in stock again. */
function later(seconds: number, trigger: Trigger): Trigger {
  return (known, recipient) => trigger(known, recipient).map((at) => at + seconds);
}

/** Every year on a day, at eight. */
function yearly(world: World, monthAndDay: string): number[] {
  const years = ['2024', '2025', '2026'].map((year) => dayOf(`${year}-${monthAndDay}`));
  return years
    .filter((day) => day >= world.firstDay && day <= world.lastDay)
    .map((day) => momentOf(day, 8 * 3_600));
}

export const triggers = {
  /** Anew after having left does not count, neither does the address book of the old shop. */
  subscribed: (_known, { consents }) => {
    const first = consents.email.find(({ state }) => state === 'subscribed');
    return first === undefined || first.source === 'import' ? [] : [first.at];
  },
  pending: (_known, { consents }) =>
    consents.email.filter(({ state }) => state === 'pending').map(({ at }) => at),
  cartAbandoned: session('add_to_cart', [], 3_600),
  /** Most who look and buy within days do so without having been told to. */
  browseAbandoned: (known, recipient) => {
    const orders = ordersOf(known, recipient);
    const buysSoon = (at: number) => orders.some((order) => order.at > at && order.at <= at + days(12));
    return session(
      'view',
      ['add_to_cart'],
      days(1),
    )(known, recipient).filter((at) => !buysSoon(at) || at % 12 === 0);
  },
  wished: later(days(9), session('wishlist', [], days(9))),
  watched: later(days(16), session('watchdog', [], days(16))),
  ordered: order(),
  parcelArrived: later(
    days(2) + 5_400,
    order(({ row }) => row.shipping_method === 'pickup-point'),
  ),
  orderedFirst: order(({ is_first }) => is_first),
  orderedMuch: order(({ total, fx_rate }) => total * fx_rate >= 150_000_000),
  orderedCamping: order(({ sold }) =>
    sold.some(({ product }) => product.categories.some((category) => category.startsWith('Camping'))),
  ),
  orderedDrink: order(({ sold }) =>
    sold.some(({ product }) => product.external_product_id === planted.replenished.external_product_id),
  ),
  orderedFifth: order((_order, index) => index === 4),
  halfYearOfSilence: (known, recipient) => {
    const orders = ordersOf(known, recipient);
    return orders
      .filter(({ at }, index) => (orders[index + 1]?.at ?? Number.POSITIVE_INFINITY) > at + days(180))
      .map(({ at }) => at + days(180));
  },
  birthday: ({ world, birthdays }, { profile_id }) => {
    const birthday = birthdays.get(profile_id);
    // Who was born on the 29th of February celebrates in some years only.
    return birthday === undefined ? [] : yearly(world, birthday.slice(5)).filter((at) => isOn(at, birthday));
  },
  nameDay: ({ world }, { customer }) => {
    const nameDay = customer?.country === 'CZ' ? nameDays[customer.email.split('.')[0] ?? ''] : undefined;
    return nameDay === undefined ? [] : yearly(world, nameDay);
  },
} satisfies Record<string, Trigger>;

function isOn(at: number, date: string): boolean {
  return dateText(localDay(at)).slice(5) === date.slice(5);
}

/** Name days of the Czech calendar. */
const nameDays: Readonly<Record<string, string>> = {
  jana: '05-24',
  eva: '12-24',
  hana: '08-15',
  lucie: '12-13',
  petra: '10-13',
  zuzana: '08-11',
  anna: '07-26',
  marie: '09-12',
  lenka: '02-21',
  petr: '06-29',
  jan: '06-24',
  tomas: '03-07',
  pavel: '06-29',
  martin: '11-11',
  jakub: '07-25',
  lukas: '10-18',
  david: '12-30',
  marek: '04-25',
  filip: '05-26',
  stefan: '12-26',
};
