import { type FollowedPeople, isSmall } from '../../../answers/small-groups.ts';
import type { Row } from '../../../sql/row.ts';
import type { Fact } from './fact.ts';
import type { Question } from './question.ts';

export type Values = Readonly<Record<string, number | null>>;

/** The values of one row, now and in the compared range. */
export interface Compared {
  readonly now: Values;
  readonly before: Values | null;
  /** How many people these are of, in both ranges, by the facts that hide rows of few. */
  readonly people: Readonly<Record<string, readonly number[]>>;
}

type Rows<Key> = readonly (readonly [Key, Compared])[];

const PLACES = [0, 1] as const;

function valuesAt({ now, before }: Compared, place: 0 | 1): Values {
  return (place === 0 ? now : before) ?? {};
}

/** How many people a row of the fact is of, where the answer hides rows of few. */
export function peopleOf(fact: Fact, row: Row | undefined): number {
  return Number(row?.[fact.people?.key ?? ''] ?? 0);
}

/**
 * Removes the values of rows that would reveal few customers, alone or by what is left of the total. Among
 * equal rows the order decides which one is hidden, so rows come sorted.
 */
export function withoutFew<Key>(rows: Rows<Key>, followed: FollowedPeople): (readonly [Key, Compared])[] {
  const [now, before] = PLACES.map((place) => {
    const isHidden = ([, values]: (typeof rows)[number]) => isNothing(valuesAt(values, place));
    const countOf = ([, { people }]: (typeof rows)[number]) => people.orders?.[place] ?? 0;
    // Rows that are hidden already, if they have enough people, need no other row to hide them.
    const together = rows.filter(isHidden).reduce((sum, row) => sum + countOf(row), 0);
    const isEnough = !followed.isFew(together);
    return followed.hiddenParts(
      rows,
      (row) => (isEnough && isHidden(row) ? 0 : countOf(row)),
      () => '',
    );
  });
  return rows.map((row) => {
    const [key, values] = row;
    const earlier =
      values.before !== null && before?.has(row) ? nothingOf(Object.keys(values.before)) : values.before;
    return [
      key,
      { ...values, now: now?.has(row) ? nothingOf(Object.keys(values.now)) : values.now, before: earlier },
    ] as const;
  });
}

/**
 * The same of facts whose rows share people, as those who clicked in two campaigns. The total is known to who
 * asks for it alone, so a row is hidden also where all but a few people are in it, and the smallest others as
 * long as the total and the rows shown differ by a few.
 */
export function withoutFewOfOverlapping<Key>(
  rows: Rows<Key>,
  whole: Compared,
  { facts, metrics }: Question,
): Rows<Key> {
  return facts
    .filter(({ overlaps }) => overlaps === true)
    .reduce<Rows<Key>>((left, fact) => {
      const names = metrics.filter((one) => one.fact === fact).map(({ name }) => name);
      const [now, before] = PLACES.map((place) => hiddenOverlapping(left, whole, { fact, names, place }));
      return left.map((row) => {
        const [key, values] = row;
        return [
          key,
          {
            ...values,
            now: now?.has(row) ? { ...values.now, ...nothingOf(names) } : values.now,
            before:
              before?.has(row) && values.before ? { ...values.before, ...nothingOf(names) } : values.before,
          },
        ] as const;
      });
    }, rows);
}

interface Part {
  readonly fact: Fact;
  /** The metrics asked of the fact. */
  readonly names: readonly string[];
  readonly place: 0 | 1;
}

function hiddenOverlapping<One extends readonly [unknown, Compared]>(
  rows: readonly One[],
  { people }: Compared,
  { fact, names, place }: Part,
): ReadonlySet<One> {
  const all = people[fact.name]?.[place] ?? 0;
  const countOf = ([, values]: One) => values.people[fact.name]?.[place] ?? 0;
  const shown = rows
    .filter((row) => countOf(row) > 0 && names.some((name) => valuesAt(row[1], place)[name] !== null))
    .toSorted((one, other) => countOf(other) - countOf(one));
  const hidden = new Set(shown.filter((row) => isSmall(countOf(row)) || isSmall(all - countOf(row))));
  const left = shown.filter((row) => !hidden.has(row));
  const difference = () => Math.abs(all - left.reduce((sum, row) => sum + countOf(row), 0));
  while (left.length > 0 && isSmall(difference())) hidden.add(left.pop() as One);
  return hidden;
}

function isNothing(values: Values): boolean {
  return Object.values(values).every((value) => value === null);
}

function nothingOf(names: readonly string[]): Values {
  return Object.fromEntries(names.map((name) => [name, null]));
}
