import { dayOf, momentOf } from './calendar.ts';
import { plantedTraffic } from './planted-traffic.ts';
import { at, cumulative, type RandomStream } from './random-stream.ts';
import type { Device } from './tables.ts';
import type { World } from './world.ts';

/** Somebody who buys (or only registered). Guests have no profile. */
export type Customer = {
  email: string;
  /** A second address the customer sometimes orders with; known to the shop as the same profile. */
  other_email: string | null;
  profile_id: string | null;
  external_customer_id: string | null;
  country: 'CZ' | 'SK' | 'DE' | 'AT' | 'PL';
  gender: 'female' | 'male';
  /** The local day of the first order in the history; those who were customers before come back early. */
  first_day: number;
  registered_at: number;
  habit: Habit;
  /** Buys for many. */
  isCompany: boolean;
  /** Buys for the first time because the shop was on television. */
  isByTelevision: boolean;
  browsers: Browser[];
};

/** A browser the shop has given a visitor id; `next` is the one it gets on a later day, its cookie lost. */
export type Browser = {
  visitor_id: string;
  device: Device;
  next: { day: number; visitor_id: string; is_known: boolean } | null;
};

/** How somebody buys: the days between orders, and how likely another order follows each. */
type Habit = { name: string; gap_days: readonly [number, number]; again: number };

export function makeCustomers(world: World): Customer[] {
  const stream = world.stream('customers');
  const customers = Array.from({ length: world.scaled(6_300) }, (_, number) =>
    makeCustomer(world, stream, number + 1),
  );
  makeCompanies(world, customers);
  makeViewers(world, customers);
  loseCookies(world, customers);
  return customers;
}

function makeCustomer(world: World, stream: RandomStream, number: number): Customer {
  const gender = stream.chance(0.56) ? 'female' : 'male';
  const name = `${stream.pick(gender === 'female' ? femaleNames : maleNames)}.${stream.pick(gender === 'female' ? femaleSurnames : maleSurnames)}`;
  const isGuest = stream.chance(0.12);
  const isOld = stream.chance(0.16);
  const first_day = isOld ? drawReturnOfOld(world, stream) : drawFirstDay(world, stream);
  const registered_days_before = isOld ? stream.int(130, 900) : stream.int(0, 2);
  return {
    email: `${name}${number}@example.${stream.chance(0.7) ? 'com' : 'org'}`,
    other_email: !isGuest && stream.chance(0.05) ? `${name}.${number}@example.org` : null,
    profile_id: isGuest ? null : `C${String(number).padStart(7, '0')}`,
    external_customer_id: !isGuest && stream.chance(0.9) ? String(200_000 + number) : null,
    country: at(countries, stream.index(countryWeights)),
    gender,
    first_day,
    registered_at: momentOf(first_day - registered_days_before, 0) - stream.int(120, 6 * 3_600),
    ...{ isCompany: false, isByTelevision: false },
    habit: isGuest ? guest : at(habits, stream.index(habitWeights)),
    browsers: Array.from({ length: stream.chance(0.4) ? 2 : 1 }, () => makeBrowser(stream)),
  };
}

/** One in three thousand is a mountain school or a scout troop, which orders every few weeks for all. */
function makeCompanies(world: World, customers: readonly Customer[]): void {
  const stream = world.stream('companies');
  const candidates = customers.filter(({ profile_id, country }) => profile_id !== null && country === 'CZ');
  for (let wanted = world.scaled(2); wanted > 0; wanted--) {
    const customer = stream.pick(candidates);
    customer.isCompany = true;
    customer.habit = company;
    customer.first_day = world.firstDay + stream.int(20, 60);
    customer.registered_at = momentOf(customer.first_day - 2, 36_000);
  }
}

/** A few of those who saw the shop on television buy on the same evening. */
function makeViewers(world: World, customers: readonly Customer[]): void {
  const stream = world.stream('viewers who buy');
  const day = dayOf(plantedTraffic.anomaly.date);
  const candidates = customers.filter(({ isCompany, habit }) => !isCompany && habit.name === 'once');
  for (let wanted = world.scaled(14); wanted > 0; wanted--) {
    const customer = stream.pick(candidates);
    customer.isByTelevision = true;
    customer.first_day = day;
    customer.registered_at = momentOf(day, 20 * 3_600) - stream.int(0, 600);
  }
}

/** Draws when those who were customers before the history come back: over its first months. */
function drawReturnOfOld(world: World, stream: RandomStream): number {
  const due = world.firstDay + stream.int(0, 120);
  return world.rhythm.drawDay(stream, due - 3, due + 3);
}

/** Busy days bring more first orders. */
function drawFirstDay(world: World, stream: RandomStream): number {
  const middle = Math.floor((world.firstDay + world.lastDay) / 2);
  if (stream.chance(0.5)) return world.rhythm.drawDay(stream, world.firstDay, middle);
  return world.rhythm.drawDay(stream, middle + 1, world.lastDay);
}

export function makeBrowser(stream: RandomStream): Browser {
  const visitor_id = `v${stream.hex(15)}`;
  return { visitor_id, device: at(devices, stream.index(deviceWeights)), next: null };
}

/**
 * Draws the browser of somebody who only looks: more do so on the telephone, so that fewer visits of
 * telephones end in an order.
 */
export function makeStrangersBrowser(stream: RandomStream, visitor_id = `v${stream.hex(15)}`): Browser {
  return { visitor_id, device: at(devices, stream.index(strangersDeviceWeights)), next: null };
}

/** Some browsers lose their cookie; half of those are known again, because the customer signs in. */
function loseCookies(world: World, customers: readonly Customer[]): void {
  const stream = world.stream('lost cookies');
  for (const { browsers } of customers) {
    for (const browser of browsers) {
      if (!stream.chance(0.3)) continue;
      browser.next = {
        day: stream.int(world.firstDay + 1, world.lastDay),
        visitor_id: `v${stream.hex(15)}`,
        is_known: stream.chance(0.5),
      };
    }
  }
}

/** The visitor ids that the customer's profile is known by. */
export function knownVisitors({ profile_id, browsers }: Customer): string[] {
  if (profile_id === null) return [];
  return browsers.flatMap(({ visitor_id, next }) =>
    next?.is_known ? [visitor_id, next.visitor_id] : [visitor_id],
  );
}

/** The visitor id that a browser has on a local day. */
export function visitorOn({ visitor_id, next }: Browser, day: number): string {
  return next !== null && day >= next.day ? next.visitor_id : visitor_id;
}

const devices: readonly Device[] = ['mobile', 'desktop', 'tablet'];
const deviceWeights = cumulative([58, 37, 5]);
const strangersDeviceWeights = cumulative([67, 29, 4]);
const countries = ['CZ', 'SK', 'DE', 'AT', 'PL'] as const;
const countryWeights = cumulative([70, 15, 6, 5, 4]);

const habits: readonly Habit[] = [
  { name: 'once', gap_days: [60, 200], again: 0.08 },
  { name: 'occasional', gap_days: [90, 240], again: 0.8 },
  { name: 'regular', gap_days: [35, 90], again: 0.88 },
  { name: 'loyal', gap_days: [18, 36], again: 0.95 },
  { name: 'registered only', gap_days: [0, 0], again: 0 },
];
const habitWeights = cumulative([44, 27, 19, 5, 5]);
const company: Habit = { name: 'company', gap_days: [28, 40], again: 1 };
const guest: Habit = { name: 'guest', gap_days: [60, 200], again: 0.12 };

export const registeredOnly = 'registered only';

const femaleNames = [
  'jana',
  'eva',
  'hana',
  'lucie',
  'petra',
  'katka',
  'zuzana',
  'anna',
  'marie',
  'lenka',
  'julia',
];
const maleNames = [
  'petr',
  'jan',
  'tomas',
  'pavel',
  'martin',
  'jakub',
  'lukas',
  'david',
  'marek',
  'filip',
  'stefan',
];
const femaleSurnames = [
  'novakova',
  'svobodova',
  'dvorakova',
  'kralova',
  'horakova',
  'nemcova',
  'mala',
  'vesela',
  'kovacova',
];
const maleSurnames = [
  'novak',
  'svoboda',
  'dvorak',
  'kral',
  'horak',
  'nemec',
  'maly',
  'vesely',
  'kovac',
  'huber',
];
