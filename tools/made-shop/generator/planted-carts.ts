import { dayOf } from './calendar.ts';
import type { CartLine, Shelf } from './carts.ts';
import type { Customer } from './customers.ts';
import { planted } from './planted-products.ts';
import type { Purchase } from './purchases.ts';
import { at, type RandomStream } from './random-stream.ts';
import type { World } from './world.ts';

/** What a purchase takes beside the cart that was drawn, because a truth is planted on it. */
export type PlantedCarts = (purchase: Purchase) => CartLine[];

/**
 * The planted carts, to be asked once per purchase in order of time. Its random streams are its own, so it
 * moves nobody else's numbers.
 */
export function plantedCarts(world: World, purchases: readonly Purchase[], shelf: Shelf): PlantedCarts {
  const pairs = world.stream('bought together');
  const refills = world.stream('replenishment');
  const replenishers = findReplenishers(purchases);
  const launch = hammockLaunch(shelf);
  const vouchers = world.stream('gift vouchers');
  return ({ day, customer }) => {
    const lines = drawPair(pairs, shelf, world.emphasis);
    // Others try it once.
    if (customer !== null && refills.chance(replenishers.has(customer) ? 0.9 : 0.024)) {
      lines.push({ product: shelf.byId(planted.replenished.external_product_id), quantity: 1 });
    }
    if (vouchers.chance(0.012))
      lines.push({ product: shelf.byId(planted.voucher.external_product_id), quantity: 1 });
    return [...lines, ...launch(day)];
  };
}

/** A fifth of those who take one of the two take the other, many more than of anybody else. */
function drawPair(stream: RandomStream, shelf: Shelf, emphasis: number): CartLine[] {
  const [filter, bottle] = planted.pair.external_product_ids;
  const chance = stream.next();
  const both = 0.012 * emphasis;
  const ids =
    chance < both
      ? [filter, bottle]
      : chance < both + 0.042
        ? [filter]
        : chance < both + 0.092
          ? [bottle]
          : [];
  return ids.map((id) => ({ product: shelf.byId(id), quantity: 1 }));
}

/** Customers who come about every 45 days anyway: nothing else about their orders changes. */
function findReplenishers(purchases: readonly Purchase[]): Set<Customer> {
  const days = new Map<Customer, number[]>();
  for (const { customer, day } of purchases) {
    if (customer !== null) days.set(customer, [...(days.get(customer) ?? []), day]);
  }
  const replenishers = new Set<Customer>();
  for (const [customer, ofCustomer] of days) {
    const gaps = ofCustomer.slice(1).map((day, index) => day - at(ofCustomer, index));
    gaps.sort((a, b) => a - b);
    const median = gaps[Math.floor(gaps.length / 2)] ?? 0;
    if (gaps.length >= 3 && median >= 40 && median <= 50) replenishers.add(customer);
  }
  return replenishers;
}

/** Every tenth purchase from the launch on takes a hammock. */
function hammockLaunch(shelf: Shelf): (day: number) => CartLine[] {
  const { month, external_product_ids } = planted.newCategory;
  const launch_day = dayOf(`${month}-01`);
  let purchases = 0;
  return (day) => {
    if (day < launch_day) return [];
    purchases++;
    const ids = purchases % 10 === 0 ? [at(external_product_ids, (purchases / 10) % 2)] : [];
    return ids.map((id) => ({ product: shelf.byId(id), quantity: 1 }));
  };
}
