import type { Queries } from '../../../answers/fields/query.ts';
import { wordedAround } from '../../../answers/sentences.ts';
import type { SnapshotFacts } from '../../../business/snapshot-facts.ts';
import type { Row } from '../../../sql/row.ts';
import {
  type LargeOrder,
  largeOrderNotes,
  largeOrderRowNotes,
  largeOrders,
} from '../../orders/queries/large-orders.ts';
import { habitsOf } from './customer-habits.ts';
import { type Fact, SEPARATOR } from './fact.ts';
import { isOrderInOneRow } from './order-facts.ts';
import type { Question } from './question.ts';

/** The facts that are asked for money, and of whose orders one may make much of it. */
function factsOfMoney({ facts, metrics, ...cut }: Question): Fact[] {
  // A note on one order would tell of its customer.
  if (habitsOf(cut).length > 0) return [];
  return facts.filter(
    (fact) =>
      fact.large !== undefined && metrics.some((one) => one.fact === fact && one.metric.unit === 'money'),
  );
}

/** Whether rows of the fact are asked for how large the largest order in each is. */
export function looksForLargest(question: Question, fact: Fact): boolean {
  return fact.large?.besideRows === true && factsOfMoney(question).includes(fact);
}

/**
 * Finds orders that make a large part of a number of the answer: of all and of each row, in the range and the
 * compared one.
 *
 * @param isAsked whether orders of the fact are looked at; place 1 is the compared range
 */
export function largeOrderQueries(
  question: Question,
  facts: SnapshotFacts,
  isAsked: (fact: Fact, place: number) => boolean = () => true,
): Queries {
  const { range, compared, dimensions, conditions } = question;
  const ranges = compared === null ? [range] : [range, compared.range];
  const withTotal = isOrderInOneRow(dimensions);
  const cuts = dimensions.length === 0 ? [[]] : withTotal ? [dimensions] : [[], dimensions];
  return Object.fromEntries(
    factsOfMoney(question).flatMap((fact) =>
      ranges.flatMap((one, place) =>
        cuts.flatMap((cut) => {
          const asked = { range: one, facts, dimensions: cut, conditions, rest: null };
          return fact.large === undefined || !isAsked(fact, place)
            ? []
            : [[nameOf(fact.name, place, cut.length > 0), largeOrders(fact.large.orders(asked), withTotal)]];
        }),
      ),
    ),
  );
}

function nameOf(fact: string, place: number, isCut: boolean): string {
  return `large_${isCut ? 'rows' : 'total'}_${place}_${fact}`;
}

/** @param keys of the rows that are shown */
export function largeOrdersNotes(
  question: Question,
  asked: Readonly<Record<string, readonly Row[]>>,
  keys: readonly string[],
): string[] {
  const mean = question.metrics.find(({ name }) => name === 'average_order_value')?.name;
  return factsOfMoney(question).flatMap(({ name, large }) =>
    [0, 1].flatMap((place) => {
      const [all, rows] = [false, true].map(
        (isCut) => (asked[nameOf(name, place, isCut)] ?? []) as unknown as readonly LargeOrder[],
      ) as [readonly LargeOrder[], readonly LargeOrder[]];
      const total = [...all, ...rows.filter(({ row_key }) => row_key === null)];
      const sum = large?.sum ?? '';
      const notes = [
        ...largeOrderNotes(total, sum, name === 'orders' ? mean : undefined),
        ...largeOrderRowNotes(rows, keys, sum, shownKey),
      ];
      return place === 0 ? notes : notes.map((note) => wordedAround(`In the compared range: ${note}`, note));
    }),
  );
}

/** The values that a key is made of, as a reader knows them. */
export function shownKey(key: string): string {
  return key.split(SEPARATOR).join(', ');
}
