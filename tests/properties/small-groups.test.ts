import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { shownPeople } from '../../src/domains/campaigns/queries/targeted-campaigns.ts';
import type { FlowRow } from '../../src/domains/subscribers/queries/flow.ts';
import { withoutSmallGroups } from '../../src/domains/subscribers/queries/hidden-lists.ts';
import { withoutSmallNumbers } from '../../src/domains/subscribers/queries/hidden-rows.ts';
import { adversary, type Known, minus, type Sum } from '../oracle/linear-adversary.ts';
import { runs } from '../support/runs.ts';

/**
 * A reader of one answer must not be able to count 1 to 4 people, whether from one number or by adding and
 * subtracting what stands beside it. The adversary knows how the numbers of a row hang together, and tries
 * every sum and difference.
 */

/** So many people of whom the same is true. */
interface Alike {
  readonly isThere: boolean;
  readonly leaves: boolean;
  readonly facts: readonly string[];
  readonly source: string;
  readonly size: number;
}

const members: fc.Arbitrary<Alike[]> = fc.array(
  fc.record({
    isThere: fc.boolean(),
    leaves: fc.boolean(),
    facts: fc.subarray(['consented', 'suppressed', 'customer']),
    source: fc.constantFrom('popup', 'checkout', 'form'),
    size: fc.constantFrom(1, 2, 3, 4, 5, 6, 12, 60),
  }),
  { maxLength: 7 },
);

type Numbers = Readonly<Record<string, number | null>>;

/** What is known of a row: that these sums are 0. */
type Equations = readonly Readonly<Record<string, 1 | -1>>[];

/** All that follows: an equation with one unknown tells it. */
function derived(shown: Numbers, equations: Equations): Map<string, number> {
  const known = new Map(
    Object.entries(shown).filter((entry): entry is [string, number] => entry[1] !== null),
  );
  for (let before = -1; before !== known.size; ) {
    before = known.size;
    for (const equation of equations) {
      const unknown = Object.keys(equation).filter((name) => !known.has(name));
      const [only] = unknown;
      if (only === undefined || unknown.length > 1) continue;
      const rest = Object.entries(equation).filter(([name]) => name !== only);
      const sum = rest.reduce((total, [name, sign]) => total + sign * (known.get(name) ?? 0), 0);
      known.set(only, -sum * (equation[only] ?? 1));
    }
  }
  return known;
}

const isSmall = (count: number) => count >= 1 && count <= 4;
const sizeOf = (people: readonly Alike[]) => people.reduce((sum, { size }) => sum + size, 0);

it('a list tells of no small group, also not by subtraction', () => {
  fc.assert(
    fc.property(members, (all) => {
      const count = (holds: (one: Alike) => boolean) => sizeOf(all.filter(holds));
      const atEnd = (one: Alike) => !one.leaves;
      const truth = {
        subscribed_at_start_count: count(({ isThere }) => isThere),
        subscribed_count: count(({ isThere }) => !isThere),
        unsubscribed_count: count(({ leaves }) => leaves),
        subscribed_at_end_count: count(atEnd),
        consented_count: count((one) => atEnd(one) && one.facts.includes('consented')),
        reachable_count: count(
          (one) => atEnd(one) && one.facts.includes('consented') && !one.facts.includes('suppressed'),
        ),
        suppressed_count: count((one) => atEnd(one) && one.facts.includes('suppressed')),
        customers_count: count((one) => atEnd(one) && one.facts.includes('customer')),
        churned_count: count(({ isThere, leaves }) => isThere && leaves),
      };
      const [start, joined] = [truth.subscribed_at_start_count, truth.subscribed_count];
      const sources = [
        ...Map.groupBy(
          all.filter(({ isThere }) => !isThere),
          ({ source }) => source,
        ),
      ]
        .map(([source, own]) => ({ source, subscribed_count: sizeOf(own), people_count: sizeOf(own) }))
        .sort((a, b) => b.subscribed_count - a.subscribed_count);
      const row = {
        ...truth,
        net_growth: joined - truth.unsubscribed_count,
        churn_rate: start === 0 ? null : (100 * truth.churned_count) / start,
        ...{ orders_count: 0, orders_revenue: 0, delivered_count: 0, open_rate: null, click_rate: null },
        ...{ unsubscribe_rate: null, attributed_revenue: 0 },
      };
      const answer = withoutSmallGroups(row, sources, []);
      const { churn_rate, orders_count, orders_revenue, delivered_count, attributed_revenue, ...counts } =
        answer.numbers;
      const shown: Numbers = {
        ...counts,
        // The rate of a known start is a count.
        churned:
          churn_rate === null || counts.subscribed_at_start_count === null ? null : truth.churned_count,
        ...Object.fromEntries(sources.map(({ source }) => [source, null])),
        ...Object.fromEntries(answer.sources.map((one) => [one.source, one.subscribed_count])),
        hidden_sources: null,
      };
      const hiddenSources = sources.filter((one) => !answer.sources.includes(one));
      const equations: Equations = [
        {
          subscribed_at_start_count: 1,
          subscribed_count: 1,
          unsubscribed_count: -1,
          subscribed_at_end_count: -1,
        },
        { net_growth: 1, subscribed_count: -1, unsubscribed_count: 1 },
        { net_growth: 1, subscribed_at_end_count: -1, subscribed_at_start_count: 1 },
        {
          ...{ subscribed_count: 1, hidden_sources: -1 },
          ...Object.fromEntries(answer.sources.map(({ source }) => [source, -1 as const])),
        },
        ...(hiddenSources.length === 1
          ? [{ hidden_sources: 1, [String(hiddenSources[0]?.source)]: -1 } as const]
          : []),
        ...(
          [
            ['consented_count', 'subscribed_at_end_count'],
            ['reachable_count', 'consented_count'],
            ['reachable_count', 'subscribed_at_end_count'],
            ['suppressed_count', 'subscribed_at_end_count'],
            ['consented_count without reachable_count', 'suppressed_count'],
            ['customers_count', 'subscribed_at_end_count'],
            ['churned', 'subscribed_at_start_count'],
            ['churned', 'unsubscribed_count'],
          ] as const
        ).map(([part, whole]) => ({ [whole]: 1, [part]: -1, [`${whole} without ${part}`]: -1 }) as const),
      ];
      for (const [name, value] of derived(shown, equations)) {
        // How many more or fewer there are is no group of people.
        if (name !== 'net_growth') expect(isSmall(value), `${name} ${value}`).toBe(false);
      }
      for (const [name, value] of Object.entries(counts)) {
        if (value !== null) expect(value, name).toBe({ ...row }[name as 'net_growth']);
      }
      const isWhole = !Object.values(shown).includes(null) && hiddenSources.length === 0;
      if (isWhole) expect(answer.is_hidden).toBe(false);
    }),
    { numRuns: runs(500), endOnFailure: true },
  );
});

it('an audience tells of no small group, also not by subtraction of those who got the message', () => {
  const size = fc.constantFrom(0, 1, 2, 3, 4, 5, 9, 100);
  fc.assert(
    fc.property(size, size, size, (recipients, control, others) => {
      const skipped = control + others;
      const people = {
        audience_count: recipients + skipped,
        skipped_count: skipped,
        control_group_count: control,
      };
      // What was sent is in the answer, and is of each person one.
      const known = derived({ ...shownPeople(people).people, sent: recipients, others: null }, [
        { audience_count: 1, skipped_count: -1, sent: -1 },
        { skipped_count: 1, control_group_count: -1, others: -1 },
      ]);
      known.delete('sent');
      for (const [name, value] of known) expect(isSmall(value), `${name} ${value}`).toBe(false);
    }),
    { numRuns: runs(200), endOnFailure: true },
  );
});

/** So many people of one row, by how they came to be there and what became of them. */
const CAME = ['there', 'first', 'again'] as const;
const WENT = ['stays', 'unsubscribed', 'bounced', 'complained', 'removed'] as const;
const flowRow = fc.array(
  fc.record({
    came: fc.constantFrom(...CAME),
    went: fc.constantFrom('stays', 'stays', ...WENT),
    size: fc.constantFrom(1, 2, 3, 4, 5, 6, 7, 20, 300),
  }),
  { maxLength: 8 },
);
type Moved = typeof flowRow extends fc.Arbitrary<(infer One)[]> ? One : never;

/** What the numbers of a row of subscribers count: which of its people. */
const FLOW: Readonly<Record<string, (one: Pick<Moved, 'came' | 'went'>) => boolean>> = {
  subscribed_at_start_count: ({ came }) => came === 'there',
  subscribed_count: ({ came }) => came === 'first',
  resubscribed_count: ({ came }) => came === 'again',
  unsubscribed_count: ({ went }) => went === 'unsubscribed',
  bounced_out_count: ({ went }) => went === 'bounced',
  complained_count: ({ went }) => went === 'complained',
  removed_count: ({ went }) => went === 'removed',
  subscribed_at_end_count: ({ went }) => went === 'stays',
  churned_count: ({ came, went }) => came === 'there' && went !== 'stays',
  early_exit_count: ({ came, went }) => came !== 'there' && went !== 'stays',
};
const STAYED = ({ came, went }: Pick<Moved, 'came' | 'went'>) => came === 'there' && went === 'stays';

const whoStayed = fc.array(
  fc.record({
    came: fc.constantFrom(...CAME),
    went: fc.constant('stays' as const),
    size: fc.constantFrom(1, 2, 3, 4, 5, 6, 20, 300),
  }),
  { minLength: 1, maxLength: 4 },
);
const leavers = flowRow.map((people) =>
  people.map((one) => (one.went === 'stays' ? { ...one, went: 'unsubscribed' as const } : one)),
);
const anyGroups = fc.array(flowRow, { minLength: 2, maxLength: 6 });
/** Those who stayed, and rows of those who left, who are nowhere at the end: the adversary knows both. */
const groupsByExit = fc
  .tuple(whoStayed, fc.array(leavers, { minLength: 1, maxLength: 5 }))
  .map(([stayed, left]) => [stayed, ...left]);

it.each([
  ['of any kind', anyGroups, false],
  ['by exit', groupsByExit, true],
] as const)(
  'rows of subscribers %s tell of no small group, also not by subtraction from the whole and from each other',
  (_, arbitrary, areByExit) => {
    fc.assert(
      fc.property(arbitrary, (groups) => {
        const count = (people: readonly Moved[], isMeant: (one: Moved) => boolean) =>
          people.filter(isMeant).reduce((sum, { size }) => sum + size, 0);
        const numbersOf = (people: readonly Moved[]) =>
          Object.fromEntries(Object.entries(FLOW).map(([name, isMeant]) => [name, count(people, isMeant)]));
        const rows = groups.map((people, index) => {
          const numbers = numbersOf(people);
          const { subscribed_at_start_count: start = 0, subscribed_at_end_count: end = 0 } = numbers;
          return {
            ...{
              key: areByExit && index === 0 ? '(stayed)' : `row ${index}`,
              campaign_name: null,
              groups_count: 1,
              ...numbers,
              net_growth: end - start,
            },
            churn_rate: start === 0 ? null : (100 * Number(numbers.churned_count)) / start,
            ...{ confirmation_rate: null, requested_count: 0, confirmed_count: 0 },
          } as unknown as FlowRow;
        });
        const shown = withoutSmallNumbers(rows, areByExit) as readonly Readonly<
          Record<string, number | null | boolean>
        >[];
        const sum = (isMeant: (one: Pick<Moved, 'came' | 'went'>) => boolean, index: number): Sum =>
          Object.fromEntries(
            CAME.flatMap((came) => WENT.map((went) => ({ came, went })))
              .filter(isMeant)
              .filter(({ went }) => !areByExit || (went === 'stays') === (index === 0))
              .map(({ came, went }) => [`${index} ${came} ${went}`, 1]),
          );
        const inAll = (isMeant: (one: Pick<Moved, 'came' | 'went'>) => boolean): Sum =>
          Object.assign({}, ...groups.map((_, index) => sum(isMeant, index)));
        const whole = numbersOf(groups.flat());
        const knownOfWhole: Known[] = Object.entries(FLOW).map(([name, isMeant]) => ({
          sum: inAll(isMeant),
          value: Number(whole[name]),
        }));
        const known: Known[] = [
          ...knownOfWhole,
          ...shown.flatMap((row, index) => [
            ...Object.entries(FLOW).flatMap(([name, isMeant]): Known[] => {
              const value = name === 'churned_count' ? churnedOf(row, rows[index]) : row[name];
              if (typeof value !== 'number') return [];
              expect(value, name).toBe({ ...rows[index] }[name as 'churned_count']);
              return [{ sum: sum(isMeant, index), value }];
            }),
            ...(typeof row.net_growth === 'number'
              ? [
                  {
                    sum: minus(
                      sum(({ went }) => went === 'stays', index),
                      sum(({ came }) => came === 'there', index),
                    ),
                    value: row.net_growth,
                  },
                ]
              : []),
          ]),
        ];
        const tells = adversary(known);
        const wholeTells = adversary(knownOfWhole);
        const told = JSON.stringify({ groups, shown });
        for (const [index, people] of groups.entries()) {
          for (const [name, isMeant] of [...Object.entries(FLOW), ['stayed', STAYED] as const]) {
            // A row of which the others have nothing is the whole of its kind, which is told.
            if (count(people, isMeant) === count(groups.flat(), isMeant)) continue;
            if (areByExit && wholeTells(sum(isMeant, index)) !== null) continue;
            const value = tells(sum(isMeant, index));
            expect(isSmall(value ?? 0), `${name} of row ${index}: ${told}`).toBe(false);
          }
        }
        const isAnySmall = groups.some((people) =>
          [...Object.values(FLOW), STAYED].some((isMeant) => isSmall(count(people, isMeant))),
        );
        if (!isAnySmall) expect(shown.some(({ is_hidden }) => is_hidden)).toBe(false);
      }),
      { numRuns: runs(300), endOnFailure: true },
    );
  },
);

/** The rate of a known start is a count. */
function churnedOf(row: Readonly<Record<string, unknown>>, truth: FlowRow | undefined): number | null {
  if (row.churn_rate === null || row.subscribed_at_start_count === null) return null;
  return truth?.churned_count ?? null;
}
