import { identifier, parameter, type Sql, sql } from '../sql/sql.ts';
import { type Column, type Field, field, HIDDEN } from './fields/field.ts';
import { type Metric, metric } from './metric.ts';
import { worded } from './sentences.ts';
import { LEAST_SHARING } from './shared-values.ts';
import { ShownSums } from './shown-sums.ts';

/**
 * Answers the question whose book it is. What a merchant sold, sent and paid is the shop's, and always shown,
 * by country and coupon too; beside it only the count of its people is null where they are one to four. What
 * people are, have agreed to or do one time after another is theirs: of one to four of them it leaves the
 * server in no answer. Nobody (0) may be shown. See docs/decisions/0184-whose-book-it-is.md.
 */
export function isSmall(people: number): boolean {
  return isUnder(people, LEAST_SHARING);
}

function isUnder(people: number, least: number): boolean {
  return people > 0 && people < least;
}

/** SQL of a number that is about people: null where they are few. */
export function unlessFew(people: Sql, value = people, least = LEAST_SHARING): Sql {
  return sql`case when ${people} > 0 and ${people} < ${parameter.integer(least)} then null else ${value} end`;
}

/** A metric that counts people, beside numbers of the shop. */
export function countedPeople<const Key extends string>(
  unit: 'customers' | 'visitors' | 'profiles',
  key: Key,
  definition: string,
  people: Sql,
): Metric<Key, number | null> {
  return metric({ key, type: 'integer', unit, null: HIDDEN, definition, value: unlessFew(people) });
}

const FEW_NOTE = `Numbers of 1 to ${LEAST_SHARING - 1} people, and what would tell of them, are null, not 0.`;

/** @param keys of counts of people */
export function fewNotes<Key extends string>(
  rows: readonly { readonly [One in Key]: number | null }[],
  ...keys: readonly Key[]
): string[] {
  return rows.some((row) => keys.some((key) => row[key] === null))
    ? [worded(FEW_NOTE, 'note.few-people')]
    : [];
}

function isWithin(places: ReadonlySet<number>, whole: ReadonlySet<number>): boolean {
  return [...places].every((place) => whole.has(place));
}

/** The parts that count in a number. */
type Group<Part> = (part: Part) => boolean;

interface GroupsOf<Part> {
  /** The groups that are told whatever is asked. */
  readonly known: readonly Group<Part>[];
  /** Groups that do not overlap, of which it is decided which ones are told: those that are known. */
  readonly decided?: readonly (readonly Group<Part>[])[];
  /**
   * Lists of groups that do not overlap within a list. The largest is told first, and of equal ones that of
   * an earlier list.
   */
  readonly asked: readonly (readonly Group<Part>[])[];
}

/** What an answer that follows people tells of them, and its note about the rest. */
export class FollowedPeople {
  readonly #least: number;
  #hasHidden = false;

  /** @param least of how many people something is told */
  constructor(least = LEAST_SHARING) {
    this.#least = least;
  }

  /** The value, unless it is of few people by one of the counts. */
  told<Value>(counts: readonly number[], value: Value): Value | null {
    return counts.some((count) => isUnder(count, this.#least)) ? this.hidden() : value;
  }

  hidden(): null {
    this.#hasHidden = true;
    return null;
  }

  /** Whether it is of few people, among whom no more become known. */
  isFew(people: number): boolean {
    return isUnder(people, this.#least);
  }

  /**
   * The parts that are not told, where their sums are known: those of few people, and in each sum in which
   * these are few together the smallest other one, since they would be the rest.
   *
   * @param sumOf in which sum a part counts: parts with one key are added up
   */
  hiddenParts<Part>(
    parts: readonly Part[],
    peopleOf: (part: Part) => number,
    sumOf: (part: Part) => unknown,
  ): ReadonlySet<Part> {
    const hidden = new Set(parts.filter((part) => this.isFew(peopleOf(part))));
    for (const together of Map.groupBy(parts, sumOf).values()) {
      const few = together.filter((part) => hidden.has(part));
      if (!this.isFew(few.reduce((sum, part) => sum + peopleOf(part), 0))) continue;
      const [partner] = together
        .filter((part) => !hidden.has(part) && peopleOf(part) > 0)
        .toSorted((one, other) => peopleOf(one) - peopleOf(other));
      if (partner !== undefined) hidden.add(partner);
    }
    if (hidden.size > 0) this.#hasHidden = true;
    return hidden;
  }

  /**
   * The groups that can be shown when each part counts in several of them. A group of few people is hidden,
   * and so are several groups that are few together, and those whose difference would give them away.
   *
   * @param parts that do not overlap
   */
  toldGroups<Part>(
    parts: readonly Part[],
    peopleOf: (part: Part) => number,
    { known, decided = [], asked }: GroupsOf<Part>,
  ): ReadonlySet<Group<Part>> {
    const some = parts.filter((part) => peopleOf(part) > 0);
    const membersOf = new Map(
      [...known, ...decided.flat(), ...asked.flat()].map((group) => [
        group,
        new Set(some.flatMap((part, place) => (group(part) ? [place] : []))),
      ]),
    );
    const placesOf = (group: Group<Part>) => membersOf.get(group) ?? new Set();
    const sizeOf = (places: Iterable<number>) =>
      [...places].reduce((sum, place) => sum + peopleOf(some[place] as Part), 0);
    const fewOf = (groups: readonly Group<Part>[]) =>
      groups.map(placesOf).filter((places) => this.isFew(sizeOf(places)));
    const secrets = [...decided, ...asked].flatMap((groups) => {
      const few = fewOf(groups);
      const together = [...membersOf.values()].map(
        (whole) => new Set(few.filter((places) => isWithin(places, whole)).flatMap((places) => [...places])),
      );
      return [...few, ...together.filter((places) => this.isFew(sizeOf(places)))];
    });
    const sum = (places: ReadonlySet<number>) => some.map((_, place) => (places.has(place) ? 1 : 0));
    const sums = new ShownSums(
      secrets.map(sum),
      known.map((group) => sum(placesOf(group))),
    );
    const told = new Set<Group<Part>>();
    // The choice covers all lists, so that no large number is hidden for the sake of a smaller one. Where
    // several of a list are equal, the first one is hidden, as where there is one sum.
    const largestFirst = asked
      .flatMap((groups) => groups.toReversed())
      .map((group) => ({ group, places: placesOf(group), size: sizeOf(placesOf(group)) }))
      .toSorted((one, other) => other.size - one.size);
    for (const { group, places, size } of largestFirst) {
      if (!this.isFew(size) && sums.tell(sum(places))) told.add(group);
      else this.#hasHidden = true;
    }
    return told;
  }

  notes(): string[] {
    return this.#hasHidden ? [worded(FEW_NOTE, 'note.few-people')] : [];
  }
}

/** The fields of rows in which small groups are hidden. */
export function hideable<One extends Field>(fields: readonly One[]): readonly Hideable<One>[] {
  return fields.map((one) => ({
    ...one,
    null: one.null === undefined ? HIDDEN : `${one.null}, or ${HIDDEN}`,
  })) as unknown as readonly Hideable<One>[];
}

type Hideable<One extends Field> =
  One extends Column<infer Key, infer Value> ? Field<Key, Value | null> : never;

/** Counts of people by name. */
export type Counts<Name extends string> = Readonly<Record<Name, number>>;

/**
 * When two halves add up to a known count, a single hidden one would be known by subtraction. Then the
 * smallest other one that is not 0 is hidden with it.
 */
export function hideWithPartner<Name extends string>(
  counts: Counts<Name>,
  names: readonly Name[],
): ReadonlySet<Name> {
  const hidden = new Set(names.filter((name) => isSmall(counts[name])));
  if (hidden.size !== 1) return hidden;
  const [partner] = names
    .filter((name) => !hidden.has(name) && counts[name] > 0)
    .toSorted((one, other) => counts[one] - counts[other]);
  return partner === undefined ? hidden : hidden.add(partner);
}

/**
 * The rows that may be shown: no small group is among them, and those left out together are no small group
 * either.
 *
 * @param rows the largest first
 */
export function withoutSmall<One>(
  rows: readonly One[],
  whole: number,
  peopleOf: (row: One) => number,
): readonly One[] {
  const shown = rows.filter((row) => !isSmall(peopleOf(row)));
  const leftOut = whole - shown.reduce((sum, row) => sum + peopleOf(row), 0);
  return isSmall(leftOut) ? shown.slice(0, -1) : shown;
}

/** The row of all groups without a row of their own. */
export const OTHERS = '(other)';

const LEAST = parameter.integer(LEAST_SHARING);

/**
 * SQL of the groups, as `own_key`, that belong in the row `(other)`, so that a table of groups by part tells
 * of no few people and still adds up: those that are few in some part, and of each part in which these would
 * be few together the next smallest (of nobody, where nobody else is in the part). So the others are two
 * groups at least, and nobody or enough people in each part but one in which everybody is few; also beside
 * whatever rows of the table are shown.
 *
 * @param members `own_key`, `part` (such as a period) and `person` of everybody who is counted; none of them
 *   null
 * @param alsoFew `own_key` of groups that are among the others anyway
 */
export function groupsOfFew(members: Sql, alsoFew?: Sql): Sql {
  // TRICKY: ClickHouse mixes up common table expressions of one name where one query is inside another.
  const [all, sizes, few, together, next] = ['members', 'sizes', 'few', 'few_together', 'next_smallest'].map(
    (name) => identifier(alsoFew === undefined ? name : `${name}_or_also`),
  ) as [Sql, Sql, Sql, Sql, Sql];
  return sql`
    with ${all} as (${members}),
    ${sizes} as (select own_key, part, count(distinct person) as people from ${all} group by own_key, part),
    ${few} as (
      select own_key from ${sizes} where people < ${LEAST}
      ${alsoFew === undefined ? sql`` : sql`union distinct select own_key from (${alsoFew}) as also_few`}
    ),
    ${together} as (
      select part from (
        select part, count(distinct person) as people
        from ${all} where own_key in (select own_key from ${few}) group by part
      ) as others
      where people < ${LEAST}
    ),
    ${next} as (
      select own_key from (
        select own_key, row_number() over (partition by part order by people nulls last, own_key) as place
        from (select distinct own_key from ${sizes}) as groups cross join ${together}
        left join ${sizes} using (own_key, part)
        where own_key not in (select own_key from ${few})
      ) as ranked
      where place = 1
    )
    select own_key from (select own_key from ${few} union distinct select own_key from ${next}) as groups`;
}

/**
 * SQL of the parts of a table by whole periods that stands beside rows of an exact range: what of a period
 * lies outside of the range is a part of its own, since it is the difference of both.
 *
 * @param periodStart a date
 * @param isInRange a condition
 */
export function partOf(periodStart: Sql, isInRange: Sql): Sql {
  return sql`2 * date_diff('day', ${parameter.date('1970-01-01')}, ${periodStart}) + case when ${isInRange} then 0 else 1 end`;
}

/**
 * SQL of the rows with `shown_key`: that of their group, or of the others.
 *
 * @param rows with `own_key`
 * @param few `own_key` of the groups of few
 */
export function withShownKey(rows: Sql, few: Sql): Sql {
  return sql`
    select *, case when is_few = 1 then ${parameter.text(OTHERS)} else own_key end as shown_key
    from (${rows}) as keyed
    left join (select own_key, 1 as is_few from (${few}) as groups_of_few) as few using (own_key)`;
}

export const isHiddenField = field({
  key: 'is_hidden',
  type: 'boolean',
  definition: `Some number of the row is null or left out, since it is of ${LEAST_SHARING - 1} people or fewer, or would tell of them.`,
});

/** @param rows with `is_hidden` */
export function hiddenNotes(rows: readonly { readonly is_hidden: boolean }[]): string[] {
  if (!rows.some(({ is_hidden }) => is_hidden)) return [];
  return [
    `Where is_hidden is true, numbers of ${LEAST_SHARING - 1} people or fewer are null, and so are those that such a group could be computed from.`,
  ];
}
