import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { adversary, type Known, type Sum } from '../../../../tests/oracle/linear-adversary.ts';
import { runs } from '../../../../tests/support/runs.ts';
import { FollowedPeople } from '../../../answers/small-groups.ts';
import { LOST, RFM_SEGMENTS } from '../../../store/rfm-segments.ts';
import type { RfmProfile } from '../queries/profiles.ts';
import { stateAnswer } from '../queries/segment-statistics.ts';
import { trendRows } from '../queries/segment-trend.ts';
import { transitionAnswer } from '../queries/transitions.ts';

/**
 * Who reads what the RFM tools tell of the same moments must not be able to count 1 to 4 people, by whatever
 * sums and differences. What follows from the numbers of all customers alone is no secret: new customers of a
 * day are in the shop's books.
 */

const KEYS = RFM_SEGMENTS.map(({ key }) => key);
const isFew = (count: number) => count >= 1 && count <= 4;

interface Move {
  readonly from_segment: string | null;
  readonly to_segment: string;
  readonly customers_count: number;
  readonly revenue: number;
}

const nameOf = ({ from_segment, to_segment }: Pick<Move, 'from_segment' | 'to_segment'>) =>
  `${from_segment} ${to_segment}`;

const moves: fc.Arbitrary<Move[]> = fc.uniqueArray(
  fc.record({
    from_segment: fc.constantFrom(null, 'champions', 'new', 'cant_lose', 'at_risk', LOST),
    to_segment: fc.constantFrom('champions', 'new', 'cant_lose', 'at_risk', LOST),
    customers_count: fc.oneof(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 5, max: 90 })),
    revenue: fc.constant(100),
  }),
  { minLength: 1, maxLength: 25, selector: nameOf },
);

const NO_SUMS = {
  ...{ orders_count: 0, revenue: 0, recency_days: 0, reactivated_customers_count: 0 },
  ...{ email_subscribed_count: 0, sms_subscribed_count: 0, email_reachable_count: 0, sms_reachable_count: 0 },
  ...{ suppressed_count: 0, least_days: 1, most_days: 1, least_orders: 1, most_orders: 1 },
  ...{ least_revenue: 1, most_revenue: 1 },
};

const PROFILE: RfmProfile = {
  ...{
    rfm_profile_id: 'default',
    name: 'Default',
    is_default: true,
    window_days: 365,
    scoring: 'thresholds',
  },
  ...{ recency_thresholds_days: [30, 90, 180, 270], frequency_thresholds: [2, 3, 5, 8] },
  ...{
    created_at: '2024-01-01T00:00:00Z',
    monetary_thresholds: null,
    has_monetary_thresholds: false,
    rules: '',
  },
};

const cellOf = (segment: string, recency: number, frequency: number, monetary: number, size: number) => ({
  ...{ segment, recency, frequency, monetary, customers_count: size },
  ...NO_SUMS,
});

/** The sum of the moves, or of what is numbered otherwise. */
const sumOf = (names: readonly string[]): Sum => Object.fromEntries(names.map((name) => [name, 1]));

function known(value: number | null | undefined, names: readonly string[]): Known[] {
  return value == null ? [] : [{ sum: sumOf(names), value }];
}

/** The answer of rfm_segment_statistics at the moment when the moves are in these segments. */
function stateOf(all: readonly Move[], segmentOf: (move: Move) => string | null) {
  const own = (key: string) => all.filter((move) => segmentOf(move) === key);
  const size = (rows: readonly Move[]) => rows.reduce((sum, { customers_count }) => sum + customers_count, 0);
  const cells = KEYS.filter((key) => own(key).length > 0).map((key) =>
    key === LOST ? cellOf(key, 0, 0, 0, size(own(key))) : cellOf(key, 1, 1, 1, size(own(key))),
  );
  const inAny = all.filter((move) => segmentOf(move) !== null);
  const { segments: rows, scored_customers_count } = stateAnswer(cells, PROFILE, new FollowedPeople());
  return {
    rows,
    whole: known(size(inAny), inAny.map(nameOf)),
    told: [
      ...rows.flatMap(({ segment, customers_count }) => known(customers_count, own(segment).map(nameOf))),
      ...known(scored_customers_count, inAny.filter((move) => segmentOf(move) !== LOST).map(nameOf)),
    ],
  };
}

it('moves between segments tell of no few people, also beside the states at both ends', () => {
  fc.assert(
    fc.property(moves, (all) => {
      const start = stateOf(all, ({ from_segment }) => from_segment);
      const end = stateOf(all, ({ to_segment }) => to_segment);
      const { answer, together } = transitionAnswer(all, new FollowedPeople());
      const named = (holds: (move: Move) => boolean) => all.filter(holds).map(nameOf);
      const rank = (key: string | null) => RFM_SEGMENTS.find((one) => one.key === key)?.value_rank ?? 0;
      const { summary } = answer;
      const old = (move: Move) => move.from_segment !== null;
      const sums: readonly (readonly [number | null, string[]])[] = [
        [summary.stayed_count, named((move) => move.from_segment === move.to_segment)],
        [
          summary.upgraded_count,
          named((move) => old(move) && rank(move.to_segment) < rank(move.from_segment)),
        ],
        [
          summary.downgraded_count,
          named((move) => old(move) && rank(move.to_segment) > rank(move.from_segment)),
        ],
        [summary.new_count, named((move) => !old(move))],
        [
          summary.lost_count,
          named((move) => old(move) && move.from_segment !== LOST && move.to_segment === LOST),
        ],
        [summary.reactivated_count, named((move) => move.from_segment === LOST && move.to_segment !== LOST)],
        ...answer.segments.flatMap((row): (readonly [number | null, string[]])[] => [
          [row.customers_at_start_count, named((move) => move.from_segment === row.segment)],
          [row.customers_at_end_count, named((move) => move.to_segment === row.segment)],
          [
            row.left_count,
            named((move) => move.from_segment === row.segment && move.to_segment !== row.segment),
          ],
          [
            row.entered_count,
            named((move) => move.from_segment !== row.segment && move.to_segment === row.segment),
          ],
        ]),
        ...answer.transitions.map((row): readonly [number | null, string[]] => [
          row.customers_count,
          [nameOf(row)],
        ]),
        // The share of a move gives its segment away.
        ...answer.transitions.flatMap((row): (readonly [number | null, string[]])[] =>
          row.share_of_from === null || row.customers_count === null
            ? []
            : [
                [
                  Math.round((100 * row.customers_count) / row.share_of_from),
                  named((move) => move.from_segment === row.from_segment),
                ],
              ],
        ),
      ];
      const moment = [...start.whole, ...start.told, ...end.whole, ...end.told];
      const before = adversary(moment, all.map(nameOf));
      const after = adversary(
        [...moment, ...sums.flatMap(([value, names]) => known(value, names))],
        all.map(nameOf),
      );
      for (const [, names] of sums) {
        const value = all
          .filter((move) => names.includes(nameOf(move)))
          .reduce((sum, { customers_count }) => sum + customers_count, 0);
        if (!isFew(value) || before(sumOf(names)) !== null) continue;
        expect(after(sumOf(names)), names.join(' + ')).toBeNull();
      }
      // What hidden moves are together is the sum of them, and tells of nobody either.
      const sumOfMoves = (names: readonly string[]) =>
        all
          .filter((move) => names.includes(nameOf(move)))
          .reduce((sum, { customers_count }) => sum + customers_count, 0);
      const beside = together.map(({ of, names, customers_count }) => {
        const from = of === 'new customers' ? null : of;
        const moved = names.map((to) => nameOf({ from_segment: from, to_segment: to }));
        expect(customers_count).toBe(sumOfMoves(moved));
        return { sum: sumOf(moved), value: customers_count };
      });
      const told = [...moment, ...sums.flatMap(([value, names]) => known(value, names))];
      const withNote = adversary([...told, ...beside], all.map(nameOf));
      for (const [, names] of sums) {
        if (!isFew(sumOfMoves(names)) || before(sumOf(names)) !== null) continue;
        expect(withNote(sumOf(names)), names.join(' + ')).toBeNull();
      }
      // No number is hidden for the sake of a smaller one: beside those that are told and not smaller, it
      // alone would tell of few.
      const lists = [
        sums.slice(0, 4),
        sums.slice(4, 6),
        answer.segments.map((_, place) => sums[6 + 4 * place] as (typeof sums)[number]),
        answer.segments.map((_, place) => sums[7 + 4 * place] as (typeof sums)[number]),
        answer.segments.map((_, place) => sums[8 + 4 * place] as (typeof sums)[number]),
        answer.segments.map((_, place) => sums[9 + 4 * place] as (typeof sums)[number]),
        answer.transitions.map((row): readonly [number | null, string[]] => [
          row.customers_count,
          [nameOf(row)],
        ]),
      ];
      const wholes = [
        ...sums.map(([, names]) => names),
        ...[old, (move: Move) => old(move) && move.from_segment !== LOST].map(named),
        ...[() => true, (move: Move) => move.to_segment !== LOST].map(named),
      ];
      const secrets = lists.flatMap((list) => {
        const few = list.map(([, names]) => names).filter((names) => isFew(sumOfMoves(names)));
        const within = wholes.map((whole) =>
          few.filter((names) => names.every((name) => whole.includes(name))).flat(),
        );
        return [...few, ...within].filter(
          (names) => isFew(sumOfMoves(names)) && before(sumOf(names)) === null,
        );
      });
      const asked = lists.filter((_, place) => place !== 2 && place !== 3).flat();
      for (const [value, names] of asked) {
        const size = sumOfMoves(names);
        if (value !== null || size === 0 || isFew(size)) continue;
        const larger = asked.filter(([other]) => other !== null && other >= size);
        const ask = adversary(
          [...moment, ...[...larger, [size, names] as const].flatMap(([one, of]) => known(one, of))],
          all.map(nameOf),
        );
        expect(
          secrets.some((secret) => ask(sumOf(secret)) !== null),
          names.join(' + '),
        ).toBe(true);
      }
      // The same people are hidden, wherever the moment comes from.
      const hiddenAt = (rows: readonly { segment: string; customers_count: number | null }[]) =>
        rows.filter(({ customers_count }) => customers_count === null).map(({ segment }) => segment);
      const sides = answer.segments.map((row) => ({ ...row, customers_count: row.customers_at_start_count }));
      expect(hiddenAt(sides)).toEqual(hiddenAt(start.rows));
      expect(
        hiddenAt(answer.segments.map((row) => ({ ...row, customers_count: row.customers_at_end_count }))),
      ).toEqual(hiddenAt(end.rows));
      const sizes = KEYS.map((segment) => ({
        segment,
        place: 0,
        revenue: 1,
        customers_count: all
          .filter((move) => move.to_segment === segment)
          .reduce((sum, { customers_count }) => sum + customers_count, 0),
      }));
      const ends = [
        {
          period: '1',
          period_start: '2024-01-01',
          asOf: { moment: '2024-01-31T22:59:59Z', date: '2024-01-31' },
        },
      ];
      expect(hiddenAt(trendRows(ends, [], sizes, new FollowedPeople()))).toEqual(hiddenAt(end.rows));
    }),
    { numRuns: runs(150) },
  );
});

const scored: fc.Arbitrary<ReturnType<typeof cellOf>[]> = fc
  .uniqueArray(
    fc.record({
      recency: fc.integer({ min: 1, max: 3 }),
      frequency: fc.integer({ min: 3, max: 5 }),
      monetary: fc.integer({ min: 1, max: 2 }),
      size: fc.oneof(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 5, max: 90 })),
    }),
    { maxLength: 18, selector: ({ recency, frequency, monetary }) => `${recency} ${frequency} ${monetary}` },
  )
  .map((all) =>
    all.map(({ recency, frequency, monetary, size }) => {
      const rule = RFM_SEGMENTS.find(({ scores }) =>
        scores.some((one) => one.recency.includes(recency) && one.frequency.includes(frequency)),
      );
      return cellOf(String(rule?.key), recency, frequency, monetary, size);
    }),
  );

it('a state tells of no few people, with its scores and cells', () => {
  fc.assert(
    fc.property(scored, fc.constantFrom(0, 2, 7, 400), (cells, lost) => {
      const all = [...cells, ...(lost === 0 ? [] : [cellOf(LOST, 0, 0, 0, lost)])];
      const name = (cell: (typeof all)[number]) => `${cell.recency} ${cell.frequency} ${cell.monetary}`;
      const named = (holds: (cell: (typeof all)[number]) => boolean) => all.filter(holds).map(name);
      const told = stateAnswer(all, PROFILE, new FollowedPeople());
      const sums: readonly (readonly [number | null, string[]])[] = [
        ...told.segments.map(({ segment, customers_count }) => [
          customers_count,
          named((cell) => cell.segment === segment),
        ]),
        [told.scored_customers_count, named((cell) => cell.recency > 0)],
        ...(['recency', 'frequency', 'monetary'] as const).flatMap((kind) =>
          told[`${kind}_scores`].map(({ score, customers_count }) => [
            customers_count,
            named((cell) => cell[kind] === score),
          ]),
        ),
        ...told.cells.map((cell) => [
          cell.customers_count,
          named(
            (one) =>
              one.recency === cell.recency &&
              one.frequency === cell.frequency &&
              one.monetary === cell.monetary,
          ),
        ]),
      ] as never;
      const size = (names: readonly string[]) =>
        all.filter((cell) => names.includes(name(cell))).reduce((sum, cell) => sum + cell.customers_count, 0);
      // Shares tell how many all are.
      const whole = known(size(all.map(name)), all.map(name));
      const before = adversary(whole, all.map(name));
      const after = adversary(
        [...whole, ...sums.flatMap(([value, names]) => known(value, names))],
        all.map(name),
      );
      for (const [value, names] of sums) {
        if (value !== null) expect(value).toBe(size(names));
        if (!isFew(size(names)) || before(sumOf(names)) !== null) continue;
        expect(after(sumOf(names)), names.join(' + ')).toBeNull();
      }
    }),
    { numRuns: runs(150) },
  );
});
