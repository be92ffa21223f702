import { dayOf, monthOf } from './calendar.ts';
import { type Customer, registeredOnly } from './customers.ts';
import { at, type RandomStream } from './random-stream.ts';
import type { World } from './world.ts';

/** Somebody decides to buy. `customer` is null when nothing tells who it was. */
export type Purchase = { at: number; day: number; customer: Customer | null; is_test: boolean };

/** All purchases in order of time. */
export function makePurchases(world: World, customers: readonly Customer[]): Purchase[] {
  const stream = world.stream('purchases');
  const purchases: Purchase[] = [];
  const lapsing = world.stream('lapsed customers');
  for (const customer of customers) {
    const days = purchaseDays(world, stream, customer);
    const moments = days.map((day, index) =>
      customer.isByTelevision && index === 0
        ? world.rhythm.drawEvening(stream, day)
        : world.rhythm.drawMoment(stream, day),
    );
    const lapse_day =
      couldLapse(days) && lapsing.chance(Math.min(0.85, 0.3 * world.emphasis))
        ? lapsing.int(firstLapse, world.lastDay)
        : null;
    for (const [index, day] of days.entries()) {
      if (lapse_day !== null && day >= lapse_day) continue;
      purchases.push({ at: at(moments, index), day, customer, is_test: false });
    }
  }
  purchases.push(
    ...purchasesOfNobody(world, stream, 75, false),
    ...purchasesOfNobody(world, stream, 60, true),
  );
  return endLate(
    world,
    purchases.sort((a, b) => a.at - b.at),
  );
}

/**
 * The last one is late on the last evening: a day without orders of its evening would be one that is not
 * loaded in full.
 */
function endLate(world: World, purchases: readonly Purchase[]): Purchase[] {
  const last = purchases.findLast(({ customer, day }) => customer !== null && day === world.lastDay);
  const late = world.end - 25 * 60;
  if (last === undefined || last.at >= late) return [...purchases];
  return [...purchases.filter((purchase) => purchase !== last), { ...last, at: late }].sort(
    (a, b) => a.at - b.at,
  );
}

/** The first day, then one day after another by habit; every winter some buy once more. */
function purchaseDays(world: World, stream: RandomStream, customer: Customer): number[] {
  const { habit, first_day } = customer;
  if (habit.name === registeredOnly) return [];
  const days = [first_day];
  const usualGap = stream.int(at(habit.gap_days, 0), at(habit.gap_days, 1));
  while (stream.chance(habit.again)) {
    const due = at(days, days.length - 1) + Math.round(usualGap * (0.75 + 0.5 * stream.next()));
    const slack = Math.max(2, Math.floor(usualGap / 4));
    if (due > world.lastDay) break;
    const day = world.rhythm.drawDay(stream, due - slack, due + slack);
    days.push(day);
    if (monthOf(day) >= 11 && stream.chance(0.25)) days.push(world.rhythm.drawDay(stream, day, day + 20));
  }
  return days;
}

/** The day from which some of those who buy often stay away, one after another. */
const firstLapse = dayOf('2025-06-01');

function couldLapse(days: readonly number[]): boolean {
  return days.filter((day) => day >= firstLapse - 180).length >= 5;
}

/** Orders taken on the phone or at the counter, and orders the shop's staff places to try the checkout. */
function purchasesOfNobody(world: World, stream: RandomStream, count: number, is_test: boolean): Purchase[] {
  return Array.from({ length: world.scaled(count) }, () => {
    const day = world.rhythm.drawDay(stream, world.firstDay, world.lastDay);
    return { at: world.rhythm.drawMoment(stream, day), day, customer: null, is_test };
  });
}
