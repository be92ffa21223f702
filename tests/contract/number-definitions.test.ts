import { expect, it } from 'vitest';
import { AS_NAMED, type Field } from '../../src/answers/fields/field.ts';
import type { Unit } from '../../src/answers/fields/units.ts';
import { CATALOGUE } from '../../src/catalogue.ts';

/**
 * A number whose definition is of something else misleads: a definition serves one key, a key has one unit
 * and one base wherever it stands, and where it has several each definition says which.
 */

interface Declared {
  readonly key: string;
  readonly unit: Unit;
  readonly definition: string;
}

/** The numbers stand by key and definition, which may be in many answers. */
const NUMBERS: readonly Declared[] = [
  ...new Map(
    CATALOGUE.flatMap(({ fields }) => numbersIn(fields)).map((one) => [JSON.stringify(one), one]),
  ).values(),
];

function numbersIn(fields: readonly Field[]): Declared[] {
  return fields.flatMap(({ key, unit, definition, fields: inner = [], either = [] }) => [
    ...(unit === undefined ? [] : [{ key, unit, definition }]),
    ...numbersIn([inner, ...either].flat()),
  ]);
}

const byKey = Map.groupBy(NUMBERS, ({ key }) => key);

/** They say that there is nothing to say. */
const SAYS_NOTHING = [AS_NAMED, 'As asked.'];

/** The series of `p25_days` and `p75_days` is `pN_days`. */
const seriesOf = (key: string) => key.replace(/\d+/g, 'N');

it('a definition serves one key, or a series whose number it calls N', () => {
  const shared = [...Map.groupBy(NUMBERS, ({ definition }) => definition)]
    .filter(([definition]) => !SAYS_NOTHING.includes(definition))
    .filter(([definition, numbers]) => {
      const keys = new Set(numbers.map(({ key }) => (/N\b/.test(definition) ? seriesOf(key) : key)));
      return keys.size > 1;
    })
    .map(([definition, numbers]) => `${numbers.map(({ key }) => key).join(', ')}: ${definition}`);
  expect(shared).toEqual([]);
});

/** A word of the definition by which one sees which unit it is. */
const WORD_OF: Partial<Record<Unit, RegExp>> = {
  customers: /\b(customers?|buyers|who|submitters)\b/i,
  profiles: /\b(profiles?|people)\b/i,
  journeys: /\bjourneys\b/i,
};

/** Keys that the contract gives to several units, and why. */
const SEVERAL_UNITS: Readonly<Record<string, string>> = {
  customers_count: 'buyers among profiles where profiles are the matter, else customers',
  new_customers_count: 'of paths it counts journeys, two of which may be of one customer',
  suppressed_count: 'of RFM segments only customers are there, elsewhere profiles',
  email_reachable_count: 'of RFM segments only customers are there, of estimates profiles',
  sms_reachable_count: 'of RFM segments only customers are there, of estimates profiles',
  entered_count: 'customers enter a segment, profiles an automation',
  from_value: 'the end of a bin, a score or an interval: a column of rows of any kind',
  to_value: 'the end of a bin, a score or an interval: a column of rows of any kind',
};

it('a key has one unit, or each definition says which', () => {
  const several = [...byKey].filter(([, numbers]) => new Set(numbers.map(({ unit }) => unit)).size > 1);
  expect(several.map(([key]) => key).toSorted()).toEqual(Object.keys(SEVERAL_UNITS).toSorted());
  const silent = several
    .flatMap(([, numbers]) => numbers)
    .filter(({ unit, definition }) => WORD_OF[unit]?.test(definition) === false);
  expect(silent).toEqual([]);
});

/**
 * What a rate, share or mean divides by, as its definition says; null: it names another number that says it.
 */
function baseOf({ definition }: Declared): string | null {
  const divisor = / \/ ([^.,:;]+)/.exec(definition)?.[1];
  return divisor?.replace(/_count\b/, '') ?? null;
}

const isDivision = ({ key, unit }: Declared) =>
  ['percent', 'ratio'].includes(unit) ||
  /^(avg|average)_|_per_/.test(key) ||
  key.endsWith('_average_order_value');

/** They name the number that they are of, or are of no other number. */
const NO_DIVISION = [
  /\b(mean|error) of\b/i,
  /^(Mean|Median) /,
  /^(Low|High) end of the \d+ % interval of /,
  // `conversion_rate of mature messages`: the same division of others.
  /^[a-z]+(_[a-zN]+)+ of /,
];

it('a rate, a share or a mean says what it divides by', () => {
  const silent = NUMBERS.filter(isDivision)
    .filter((one) => baseOf(one) === null)
    .filter(({ key, definition }) => !(key in PLAIN) && !NO_DIVISION.some((words) => words.test(definition)));
  expect(silent).toEqual([]);
});

/** What only looks like a division, and why. */
const PLAIN: Readonly<Record<string, string>> = {
  allocation: 'somebody has set it',
  needed_per_variant: 'so many messages are needed of each variant',
  needed_per_variant_10_percent: 'so many messages are needed of each variant',
};

interface Bases {
  readonly bases: readonly string[];
  readonly why: string;
}

/** Keys that the contract gives to several divisions. */
const SEVERAL_BASES: Readonly<Record<string, Bases>> = {
  average_order_value: {
    bases: ['orders', 'attributed_orders'],
    why: 'of messages only credited orders are counted',
  },
  avg_engagement_time_s: { bases: ['impressions', 'sessions'], why: 'products have views, traffic sessions' },
  bounce_rate: { bases: ['sessions', 'sent'], why: 'visits and e-mails bounce, each in its own sense' },
  conversion_rate: {
    bases: ['reach', 'sessions', 'journeys', 'delivered'],
    why: 'each tool tells what became an order of what it counts',
  },
  customers_share: {
    bases: ['all subscribed at to_date', 'customers of all segments', 'profiles'],
    why: 'buyers among profiles, or customers among segments',
  },
  discount_share: {
    bases: ['estimated_revenue', '(revenue + discount) where known'],
    why: 'products have a part of the discount of orders, which are paid less it',
  },
  open_rate: {
    bases: ['delivered', 'delivered of e-mails', 'e-mails delivered'],
    why: 'beside SMS only e-mails are its base',
  },
  return_rate: { bases: ['total_quantity', 'eligible'], why: 'pieces come back, and customers do' },
  revenue_share: {
    bases: [
      ...['revenue of all rows', 'revenue of all orders'],
      ...['attributed_revenue of all rows', 'revenue of all segments'],
    ],
    why: 'each tool tells the part of a row in its own whole',
  },
  share: {
    bases: ['returned_customers', 'that of all reasons'],
    why: 'the one share of a row of a histogram and of a reason',
  },
};

it('a key has one base, or is one of those that the contract gives to several', () => {
  const several = [...byKey].flatMap(([key, numbers]) => {
    const bases = [...new Set(numbers.map(baseOf).filter((base) => base !== null))];
    return bases.length > 1 ? [[key, bases.toSorted()] as const] : [];
  });
  expect(Object.fromEntries(several)).toEqual(
    Object.fromEntries(Object.entries(SEVERAL_BASES).map(([key, { bases }]) => [key, bases.toSorted()])),
  );
});

it('an end of an interval says which end, of what, and by which method', () => {
  const ends = NUMBERS.filter(({ key }) => /(^|_)(low|high)$/.test(key));
  expect(ends.length).toBeGreaterThan(10);
  const silent = ends.filter(({ key, definition }) => {
    const end = key.endsWith('low') ? 'Low' : 'High';
    return !new RegExp(`^${end} end of the \\d+ % interval.* \\([^()]+\\)\\.$`).test(definition);
  });
  expect(silent).toEqual([]);
});

it('a percentile, a median and a mean say what they are', () => {
  const silent = NUMBERS.filter(({ key, definition }) => {
    if (/^p\d+(_|$)/.test(key)) return !/\bpN: N %/.test(definition);
    if (/(^|_)median(_|$)/.test(key)) return !/\b(median|half)\b/i.test(definition);
    return /^(mean|avg_days_.*)$/.test(key) && !/\bmean\b| \/ /i.test(definition);
  });
  expect(silent).toEqual([]);
});

/** Words that every definition has. */
const EMPTY = /^(of|the|a|an|and|with|by|in|that|to|from|is|was|were|then|at)$/;
const stem = (word: string) => word.toLowerCase().replace(/(ed|s)$/, '');

it('a definition says more than the name of its field, or is one of those that need not', () => {
  const padded = NUMBERS.filter(({ definition }) => !SAYS_NOTHING.includes(definition)).filter(
    ({ key, definition }) => {
      const name = new Set(key.split('_').map(stem));
      const words = definition.match(/[\w%]+/g) ?? [];
      return words.every((word) => EMPTY.test(word.toLowerCase()) || name.has(stem(word)));
    },
  );
  expect(padded).toEqual([]);
});
