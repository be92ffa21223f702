import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Business, PERMISSIONS } from '../../src/business/business.ts';
import { COUNTS_A_DAY } from '../../src/business/counts-a-day.ts';
import { createAccount, grantAccess } from '../../src/control/people/accounts.ts';
import { accountCaller, type Caller } from '../../src/control/people/callers.ts';
import { TYPICAL_ERROR } from '../../src/domains/segments/queries/blurred-counts.ts';
import { noiseUnder } from '../../src/statistics/noise.ts';
import type { Block } from '../oracle/segment-query.ts';
import { emptyStore, type Row, type Store } from '../oracle/store.ts';
import { deviationOf, leastDeviation, mostRight } from '../support/chance-bounds.ts';
import { exactEstimate } from '../support/exact-estimate.ts';
import { exactPerformance } from '../support/exact-performance.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { report } from './report.ts';

/**
 * An attacker who knows enough of one person to single them out, and wants to know one thing more: is a tag
 * theirs, have they spent more than 500, did they order first in spring, are they in one half of a random
 * split? For each person a new account, which spends a whole day's budget on one question. A coin is right in
 * half of the cases, docs/decisions/0036 allows 64 of 100; the same attack on true counts is always right,
 * which shows that it is one.
 */
const PEOPLE = 1500;
const TARGETS = 10;
/**
 * What an attacker who does not know everybody else reaches at most: the normal distribution at √200 / 40.
 */
const BOUND = 0.638;
/** Decision 0036 promises this, whatever the code says now. */
const PROMISED = { deviation: 10, counts: 200 } as const;

/** Even draws, the same in each run. */
function randomFrom(seed: number): () => number {
  const noise = noiseUnder(`attack ${seed}`);
  let place = 0;
  return () => {
    place += 1;
    return (((noise(String(place)) * 1e6) % 1) + 1) % 1;
  };
}

const random = randomFrom(1);
const upTo = (most: number) => Math.floor(random() * most);

interface Target {
  readonly marks: readonly string[];
  readonly truth: Readonly<Record<string, boolean>>;
}

const has = (value: string, negate = false): Block => ({ type: 'tag', operator: 'has', value, negate });
const within = (seed: string, from: number, to: number): Block => ({
  type: 'random_split',
  operator: 'in',
  value: { from, to, seed },
});

const SECRETS: Readonly<Record<string, Block>> = {
  tag: has('secret'),
  amount: { type: 'order_value_total', operator: 'gte', value: 500 },
  time: { type: 'first_order_at', operator: 'in_period', period: { from: '2024-03-01', to: '2024-05-31' } },
  split: within('position', 0, 50),
};

let test: TestInstance;
let shop: Business;
const targets: Target[] = [];
/** A free text of each person. */
const notes: string[] = [];
const LETTERS = 'abcdefgh';

beforeAll(async () => {
  test = await createTestInstance({ isOneEngineEnough: true });
  shop = await test.createBusiness({ currency: 'CZK' });
  await test.importStore(shop, madeStore());
  for (const target of targets) {
    const segment_query = {
      segments: [{ targetingBlocks: [...target.marks.map((mark) => has(mark)), SECRETS.split] }],
    };
    const { profiles_count } = (await ask(segment_query)) as Counts;
    Object.assign(target.truth, { split: profiles_count === 1 });
  }
});

afterAll(() => test[Symbol.asyncDispose]());

/** Each person has one of 13 tags of three kinds; the three of a target are together nobody else's. */
function madeStore(): Store {
  const store = emptyStore({ timezone: 'UTC', primary_currency: 'CZK' });
  const reserved = new Set(Array.from({ length: TARGETS }, (_, number) => marksOf(number).join()));
  for (let number = 0; number < PEOPLE; number += 1) {
    const isTarget = number < TARGETS;
    let marks = marksOf(number);
    while (!isTarget && reserved.has(marks.join()))
      marks = ['a', 'b', 'c'].map((kind) => `${kind}${upTo(13)}`);
    // Half of the targets have each secret, so that who says the same of all is right in half of the cases.
    const truth = isTarget
      ? { tag: number % 2 === 0, amount: number % 2 === 1, time: number < TARGETS / 2 }
      : { tag: random() < 0.5, amount: random() < 0.5, time: random() < 0.5 };
    if (isTarget) targets.push({ marks, truth });
    const profile_id = `person-${number}`;
    const note = Array.from({ length: 8 }, () => LETTERS[upTo(8)]).join('');
    notes.push(note);
    const tags = [...marks, ...(truth.tag ? ['secret'] : [])].join('|');
    store.profiles.push({ profile_id, tags, attributes: JSON.stringify({ note }) });
    const own: Row<'orders'> = {
      ...{ order_id: `O${number}`, profile_id, total: truth.amount ? '800' : '300' },
      ordered_at: truth.time ? '2024-04-01T12:00:00' : '2024-07-01T12:00:00',
    };
    if (isTarget || random() < 0.6) store.orders.push(own);
    for (const channel of ['email', 'sms']) {
      const consent = { profile_id, channel, state: 'subscribed', at: '2024-01-01T12:00:00' };
      if (isTarget || random() < 0.5) store.consent_events.push(consent);
    }
  }
  return store;
}

function marksOf(number: number): string[] {
  return [`a${number % 13}`, `b${(number * 5) % 13}`, `c${(number * 7 + 3) % 13}`];
}

interface Counts {
  readonly profiles_count: number | null;
  readonly email_reachable_count: number | null;
  readonly sms_reachable_count: number | null;
  readonly customers_count: number | null;
}

type Ask = (segment_query: object) => Promise<Counts>;

/** True counts, without end. */
async function ask(segment_query: object): Promise<Counts> {
  return (await test.ask(exactEstimate, { business_id: shop.business_id, segment_query })) as Counts;
}

let calls = 0;

/** What an account gets in one day. @throws at its end */
async function newAccount(): Promise<Ask> {
  const caller = await newCaller(shop);
  return async (segment_query) => {
    calls += 1;
    const args = { business_id: shop.business_id, segment_query };
    return (await test.ask('estimate_segment_query', args, caller)) as Counts;
  };
}

async function newCaller({ business_id }: Business): Promise<Caller> {
  const { control } = test.instance;
  const { account_id } = await createAccount(control, {
    email: `${randomUUID()}@example.com`,
    password: null,
  });
  await grantAccess(control, account_id, business_id, PERMISSIONS);
  return accountCaller(control, account_id);
}

/**
 * Noise that is fixed for the set of people: equal counts are equal sets here, as one is part of the other.
 */
function fixedForTheSet(): Ask {
  const noise = noiseUnder(String(random()));
  return async (segment_query) => {
    const exact = await ask(segment_query);
    const blurred = Object.entries(exact).map(([name, count]) => {
      const set = JSON.stringify([
        exact.profiles_count,
        exact.email_reachable_count,
        exact.customers_count,
        name,
      ]);
      return [name, Math.round((Number(count) + TYPICAL_ERROR * noise(set)) / 10) * 10];
    });
    return Object.fromEntries(blurred) as Counts;
  };
}

interface Pair {
  readonly withTarget: object;
  readonly without: object;
}

const any = (...segments: (readonly Block[])[]) => ({
  segments: segments.map((targetingBlocks) => ({ targetingBlocks })),
});

/**
 * Two groups that differ by the target when the secret is true of them, and are equal when not; others for
 * each number.
 */
const ATTACKS: Readonly<Record<string, (target: Target, secret: Block, number: number) => Pair>> = {
  // A group that is disjoint, which lifts the one person above what is hidden.
  'a disjoint group': ({ marks }, secret, number) => {
    const others = [within(`group ${number}`, 0, 20 + 2 * (number % 20)), has(marks[0] ?? '', true)];
    const target = [...marks.map((mark) => has(mark)), secret];
    return { withTarget: any(others, target), without: any(others) };
  },
  // The person is left out of those with the secret by saying who else they are not.
  'negated blocks': ({ marks }, secret, number) => {
    const others = [within(`beside ${number}`, 0, 20 + 2 * (number % 20)), has(marks[0] ?? '', true)];
    const lacking = marks.map((mark) => [secret, has(mark, true)]);
    return { withTarget: any(others, [secret]), without: any(others, ...lacking) };
  },
};

interface Guesses {
  /** How far each difference was from the true one. */
  readonly errors: readonly number[];
  /** How far their mean was. */
  readonly error: number;
  /** Whether the guess by the mean of the differences is right. */
  readonly byMean: boolean;
  /** Whether the guess by the equality of all pairs is right. */
  readonly byEquality: boolean;
}

async function spendOn(
  asked: Ask,
  pairOf: (number: number) => Pair,
  { truth, most }: { readonly truth: boolean; readonly most: number },
): Promise<Guesses> {
  const differences: number[] = [];
  try {
    for (let number = 0; number < most; number += 1) {
      const { withTarget, without } = pairOf(number);
      const [upper, lower] = [await asked(withTarget), await asked(without)];
      for (const name of [
        'profiles_count',
        'email_reachable_count',
        'sms_reachable_count',
        'customers_count',
      ] as const) {
        const [more, less] = [upper[name], lower[name]];
        if (more !== null && less !== null) differences.push(more - less);
      }
    }
  } catch (error) {
    if (!String(error).includes('the budget for estimates is used up')) throw error;
  }
  const mean = differences.reduce((sum, one) => sum + one, 0) / differences.length;
  const equal = differences.filter((one) => one === 0).length;
  const errors = differences.map((difference) => difference - (truth ? 1 : 0));
  return {
    ...{ byMean: mean > 0.5, byEquality: equal < differences.length },
    ...{ errors, error: mean - (truth ? 1 : 0) },
  };
}

interface Success {
  readonly tries: number;
  readonly byMean: number;
  readonly byEquality: number;
  readonly guesses: readonly Guesses[];
}

/**
 * How often guesses are right: of all targets and secrets, each with groups of its own, so that none shares
 * noise with another.
 */
async function successOf(attack: string, newAsk: () => Ask | Promise<Ask>, pairs: number): Promise<Success> {
  const pairOf = ATTACKS[attack];
  if (pairOf === undefined) throw new Error(`no attack ${attack}`);
  const right = { byMean: 0, byEquality: 0 };
  const guesses: Guesses[] = [];
  for (const target of targets) {
    for (const [name, secret] of Object.entries(SECRETS)) {
      const truth = target.truth[name] === true;
      const first = MOST_PAIRS * guesses.length;
      const guess = await spendOn(await newAsk(), (number) => pairOf(target, secret, first + number), {
        ...{ truth, most: pairs },
      });
      guesses.push(guess);
      right.byMean += guess.byMean === truth ? 1 : 0;
      right.byEquality += guess.byEquality === truth ? 1 : 0;
    }
  }
  const tries = guesses.length;
  return { tries, byMean: right.byMean / tries, byEquality: right.byEquality / tries, guesses };
}

/** More than a budget pays for. */
const MOST_PAIRS = 100;

/**
 * What is promised, each part of it by what fails in one of 10,000 runs at most while it holds. How many
 * guesses are right says little: 30 of 40 or more come by chance in 9 of 100 runs where 64 of 100 are
 * promised. So what makes the promise is looked at itself: the noise of each difference, its mean over a day,
 * and how many differences a budget pays for. With half of the noise, the first falls short in every run, and
 * so does the last with twice the budget.
 */
function expectPromise({ tries, byMean, byEquality, guesses }: Success): void {
  for (const right of [byMean, byEquality])
    expect(Math.round(right * tries)).toBeLessThanOrEqual(mostRight(tries, BOUND));
  const errors = guesses.flatMap((guess) => guess.errors);
  const promised = Math.SQRT2 * PROMISED.deviation;
  expect(deviationOf(errors)).toBeGreaterThan(promised * leastDeviation(errors.length));
  // A difference is two counts.
  const most = PROMISED.counts / 2;
  for (const guess of guesses) expect(guess.errors.length).toBeLessThanOrEqual(most);
  const ofMeans = deviationOf(guesses.map(({ error }) => error));
  expect(ofMeans).toBeGreaterThan((promised / Math.sqrt(most)) * leastDeviation(tries));
}

it.each(Object.keys(ATTACKS))('one person by %s', async (attack) => {
  const exact = await successOf(attack, () => ask, 1);
  expect(exact.byMean).toBe(1);
  const fixed = await successOf(attack, fixedForTheSet, 1);
  expect(fixed.byEquality).toBeGreaterThan(0.85);
  calls = 0;
  const found = await successOf(attack, newAccount, MOST_PAIRS);
  report(`estimates: one person by ${attack}`, {
    counts: { people: found.tries, 'calls for each': Math.round(calls / found.tries) },
    worst: {
      'right, of true counts (2 calls)': percent(exact.byMean),
      'right, of noise fixed for sets (2 calls)': percent(fixed.byEquality),
      'right, by means': percent(found.byMean),
      'right, by equality': percent(found.byEquality),
      'a coin / bound': `50 % / ${percent(BOUND)}`,
      'deviation of a difference': deviationOf(found.guesses.flatMap(({ errors }) => errors)).toFixed(1),
      'deviation of a mean': deviationOf(found.guesses.map(({ error }) => error)).toFixed(2),
    },
  });
  expectPromise(found);
});

it('a free text letter by letter', async () => {
  let told = 0;
  const contains = (value: string): Block => ({
    type: 'attribute',
    operator: 'contains',
    value: { name: 'note', value },
  });
  // True counts of anybody are compared: the values of few are not there to be compared.
  for (const letter of LETTERS) told += Number((await ask(any([contains(letter)]))).profiles_count);
  for (const note of notes.slice(0, TARGETS))
    told += Number((await ask(any([contains(note)]))).profiles_count);
  report('estimates: a free text letter by letter', {
    counts: { asked: LETTERS.length + TARGETS },
    worst: { 'profiles found': told },
  });
  expect(told).toBe(0);
});

it('a day of counts about many bits at once, by least squares', () => {
  const [bits, days] = [20, 100];
  const [many, one] = [
    { right: 0, tries: 0 },
    { right: 0, tries: 0 },
  ];
  for (let day = 0; day < days; day += 1) {
    const noise = noiseUnder(`day ${day}`);
    const shown = (count: number, question: number) =>
      Math.round((count + TYPICAL_ERROR * noise(String(question))) / 10) * 10;
    const truth = Array.from({ length: bits }, () => upTo(2));
    // Groups by chance, of which the attacker knows everything but these bits.
    const rows = Array.from({ length: COUNTS_A_DAY }, () => truth.map(() => upTo(2)));
    const counted = rows.map((row, question) => {
      const others = 500 + upTo(100);
      const sum = row.reduce((total, isIn, bit) => total + isIn * (truth[bit] ?? 0), 0);
      return shown(others + sum, question) - others;
    });
    const solved = leastSquares(rows, counted);
    many.tries += bits;
    many.right += truth.filter((bit, index) => (solved[index] ?? 0) > 0.5 === (bit === 1)).length;
    // One bit, by a day of groups that differ in what is known.
    const mean =
      Array.from({ length: COUNTS_A_DAY }, (_, question) => {
        const others = 500 + upTo(1000);
        return shown(others + (truth[0] ?? 0), 1e6 + question) - others;
      }).reduce((sum, difference) => sum + difference, 0) / COUNTS_A_DAY;
    one.tries += 1;
    one.right += mean > 0.5 === (truth[0] === 1) ? 1 : 0;
  }
  report('estimates: who knows everything else', {
    counts: { days, bits: many.tries },
    worst: {
      'right, of 20 bits by least squares': percent(many.right / many.tries),
      'right, of one bit by 200 counts': percent(one.right / one.tries),
      bound: percent(0.76),
    },
  });
  expect(many.right / many.tries).toBeLessThan(0.76);
  expect(one.right / one.tries).toBeLessThan(0.76 + 3 * Math.sqrt(0.25 / one.tries));
});

it('how much one person bought, by the sums of by_consent, for who knows everybody else', async () => {
  const [people, tries, unit] = [900, 80, 100];
  const buyers = await test.createBusiness({ currency: 'CZK' });
  // One of the two targets bought once, the other as much as a person counts with. Some of the others have no
  // consent or bought nothing: otherwise the sums are hidden, since the buyers were all of something.
  const store = emptyStore({ timezone: 'UTC', primary_currency: 'CZK' });
  // Each tag is of many, two together are of a target alone.
  const marks = ['y', 'z'];
  const targetOf = (number: number) => [has('x'), has(marks[number] ?? '')];
  const ordersOf = (number: number) => (number < 2 ? [1, 20][number] : number % 3 === 0 ? 0 : 1) ?? 0;
  for (let number = 0; number < people; number += 1) {
    const profile_id = `buyer-${number}`;
    store.profiles.push({
      profile_id,
      tags: number < 2 ? `x|${marks[number]}` : `other|${['x', ...marks][number % 3]}`,
    });
    const consent = { profile_id, channel: 'email', state: 'subscribed', at: '2024-01-01T12:00:00' };
    if (number < 2 || number % 4 !== 0) store.consent_events.push(consent);
    for (let order = 0; order < ordersOf(number); order += 1)
      store.orders.push({
        ...{ order_id: `${number}-${order}`, profile_id, total: String(unit) },
        ordered_at: '2024-04-01T12:00:00',
      });
  }
  await test.importStore(buyers, store);

  interface Sums {
    readonly by_consent: readonly { readonly orders_count: number | null; readonly revenue: number | null }[];
  }
  const argumentsOf = (...segments: (readonly Block[])[]) => ({
    business_id: buyers.business_id,
    segment_query: any(...segments),
    by_consent: 'email',
  });
  // Another group each time, so that the noise is another.
  const others = (number: number) => [has('other'), within(`buyers ${number}`, 0, 60)];
  const boughtBy = ({ by_consent: [subscribed] }: Sums) =>
    (Number(subscribed?.orders_count) + Number(subscribed?.revenue) / unit) / 2;
  let [exact, right, secondCalls] = [0, 0, 0];
  const errors: number[] = [];
  for (let number = 0; number < tries; number += 1) {
    const target = number % 2;
    const args = argumentsOf(others(number), targetOf(target));
    const known = boughtBy((await test.ask(exactEstimate, argumentsOf(others(number)))) as Sums);
    const isRight = (sums: Sums) => boughtBy(sums) - known > (1 + 20) / 2 === (target === 1);
    const exactly = (await test.ask(exactEstimate, args)) as Sums;
    exact += isRight(exactly) ? 1 : 0;
    const caller = await newCaller(buyers);
    const shown = (await test.ask('estimate_segment_query', args, caller)) as Sums;
    expect(shown.by_consent[0]?.orders_count).not.toBeNull();
    right += isRight(shown) ? 1 : 0;
    errors.push(boughtBy(shown) - boughtBy(exactly));
    const more = argumentsOf(others(number + tries), targetOf(target));
    secondCalls += await test.ask('estimate_segment_query', more, caller).then(
      () => 1,
      (error: unknown) => (String(error).includes('the budget for estimates is used up') ? 0 : 1),
    );
  }
  report('estimates: how much one person bought, by sums', {
    counts: { tries, 'second calls of a day': secondCalls },
    worst: {
      'right, of true sums': percent(exact / tries),
      'right, of what is shown': percent(right / tries),
      bound: percent(0.76),
    },
  });
  expect(exact).toBe(tries);
  expect(secondCalls).toBe(0);
  expect(right).toBeLessThanOrEqual(mostRight(tries, 0.76));
  // Who is right in 76 of 100 tries knows what one bought but for this deviation: half of the distance
  // between 1 and 20 orders by the normal quantile of 0.76.
  expect(deviationOf(errors)).toBeGreaterThan((9.5 / 0.7063) * leastDeviation(tries));
});

it('how much one person bought, by segment_performance and estimates together, for who knows everybody else', async () => {
  const [people, tries, unit] = [900, 60, 100];
  const buyers = await test.createBusiness({ currency: 'CZK' });
  // One of the two targets bought nothing in the days, the other as much as a person counts with.
  const store = emptyStore({ timezone: 'UTC', primary_currency: 'CZK' });
  const marks = ['y', 'z'];
  for (let number = 0; number < people; number += 1) {
    const profile_id = `buyer-${number}`;
    const tags = number < 2 ? `x|${marks[number]}` : `other|${['x', ...marks][number % 3]}`;
    store.profiles.push({ profile_id, tags });
    const orders = number < 2 ? [0, 5][number] : number % 3;
    for (let order = 0; order < (orders ?? 0); order += 1)
      store.orders.push({
        ...{ order_id: `${number}-${order}`, profile_id, total: String(unit) },
        ordered_at: '2024-04-01T12:00:00',
      });
  }
  await test.importStore(buyers, store);
  const about = { business_id: buyers.business_id };
  // What each number moves by where the target bought, and the deviation of its noise.
  const moved = { buyers_count: [1, 10], orders_count: [5, 25], revenue: [5 * unit, 25 * unit] } as const;
  const target = (number: number) => [has('x'), has(marks[number % 2] ?? '')];
  const boughtInDays: Block = { type: 'order_count', operator: 'gte', value: 1, period: { last_days: 90 } };
  let [exact, right, answers] = [0, 0, 0];
  const errors: number[] = [];
  for (let number = 0; number < tries; number += 1) {
    const isBuyer = number % 2 === 1;
    const caller = await newCaller(buyers);
    const group = (place: number) => [has('other'), within(`many ${number} ${place}`, 0, 60)];
    // The logarithm of how much likelier the answers are if the target bought, by all who are known beside
    // them.
    let evidence = 0;
    try {
      for (let place = 0; ; place += 1) {
        const segment_query = any(group(place), target(number));
        const known = (await test.ask(exactPerformance, { ...about, segment_query })) as Performance;
        const shown = (await test.ask(
          'segment_performance',
          { ...about, segment_query },
          caller,
        )) as Performance;
        answers += 1;
        for (const [name, [step, deviation]] of Object.entries(moved)) {
          const truth = known.exact[`segment_${name}`] ?? 0;
          const value = shown.metrics.find(({ metric }) => metric === name)?.segment;
          expect(value, name).not.toBeNull();
          const others = truth - (isBuyer ? step : 0);
          evidence += ((Number(value) - others - step / 2) * step) / deviation ** 2;
          errors.push((Number(value) - truth) / deviation);
          if (place === 0 && name === 'orders_count') exact += truth - others > step / 2 === isBuyer ? 1 : 0;
        }
      }
    } catch (error) {
      if (!String(error).includes('the budget for estimates is used up')) throw error;
    }
    // What is left of the day goes to an estimate of who bought.
    const left = any([...group(100), boughtInDays], [...target(number), boughtInDays]);
    await test
      .ask('estimate_segment_query', { ...about, segment_query: left }, caller)
      .catch((error: unknown) => {
        if (!String(error).includes('the budget for estimates is used up')) throw error;
      });
    right += evidence > 0 === isBuyer ? 1 : 0;
  }
  report('estimates: how much one person bought, by segment_performance', {
    counts: { tries, 'answers of a day': answers / tries },
    worst: {
      'right, of true sums': percent(exact / tries),
      'right, of what is shown': percent(right / tries),
      bound: percent(0.76),
      'deviation of the noise, of that promised': deviationOf(errors).toFixed(2),
    },
  });
  expect(exact).toBe(tries);
  expect(right).toBeLessThanOrEqual(mostRight(tries, 0.76));
  expect(deviationOf(errors)).toBeGreaterThan(leastDeviation(errors.length));
  // The segment costs 16 counts, and once the whole: VAT is not known here, so that net revenue is not
  // measured, and 12.
  expect(answers / tries).toBeLessThanOrEqual((PROMISED.counts - 12) / 12);
});

interface Performance {
  readonly metrics: readonly { readonly metric: string; readonly segment: number | null }[];
  readonly exact: Readonly<Record<string, number>>;
}

/** The solution of the normal equations, by Gauss and Jordan. */
function leastSquares(rows: readonly (readonly number[])[], values: readonly number[]): number[] {
  const size = rows[0]?.length ?? 0;
  const at = (row: readonly number[], column: number) => row[column] ?? 0;
  const system = Array.from({ length: size }, (_, first) => [
    ...Array.from({ length: size }, (__, second) =>
      rows.reduce((sum, row) => sum + at(row, first) * at(row, second), 0),
    ),
    rows.reduce((sum, row, index) => sum + at(row, first) * (values[index] ?? 0), 0),
  ]);
  for (let pivot = 0; pivot < size; pivot += 1) {
    const own = (system[pivot] ?? []).map((value) => value / at(system[pivot] ?? [], pivot));
    system[pivot] = own;
    for (const [index, row] of system.entries()) {
      if (index === pivot) continue;
      const factor = at(row, pivot);
      system[index] = row.map((value, column) => value - factor * at(own, column));
    }
  }
  return system.map((row) => at(row, size));
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
