import { createHash } from 'node:crypto';
import { InputError } from '../../../../errors.ts';
import { profileAttributes, profiles, profileTags } from '../../../../model-table/table-names.ts';
import { hasPart } from '../../../../sql/search.ts';
import { parameter, type Sql, sql } from '../../../../sql/sql.ts';
import { localDate } from '../../../../time/moment.ts';
import { type MatchingOf, those, thoseIf } from './matching.ts';

/**
 * Values are compared as texts: the number 5 is the text 5. A list is not equal to what is in it, but
 * contains it.
 */
export const attribute: MatchingOf<'attribute'> = ({ operator, value: { name, value } }) => {
  const texts = [value].flat().map(String);
  const conditions: Readonly<Record<typeof operator, Sql>> = {
    exists: sql`true`,
    eq: isOneOfTexts(texts),
    in: isOneOfTexts(texts),
    contains: hasPart(texts[0] ?? '', sql`search_text`),
  };
  return those(sql`
    select distinct customer_key from ${profileAttributes}
    where name = ${parameter.text(name)} and ${conditions[operator]}`);
};

function isOneOfTexts(texts: readonly string[]): Sql {
  return sql`not is_element and value in (${parameter.texts(texts)})`;
}

/** @throws InputError for data of tags: no source has any */
export const tag: MatchingOf<'tag'> = ({ operator, value }) => {
  if (operator === 'value_eq') {
    throw new InputError('operator: not evaluable: tags are loaded without data');
  }
  return thoseIf(
    operator === 'has',
    sql`select customer_key from ${profileTags} where tag = ${parameter.text(value.name)}`,
  );
};

/** Today or in the days to come. Who was born on 29 February has their day on the 28th in other years. */
export const birthday: MatchingOf<'birthday'> = ({ value: days }, { moment, timezone }) => {
  const today = localDate(moment, timezone);
  const last = today.add({ days: Math.min(days, 365) });
  const isLastOfFebruary = last.month === 2 && last.day === 28 && !last.inLeapYear;
  const from = sql`birth_day >= ${parameter.integer(today.month * 100 + today.day)}`;
  const to = sql`birth_day <= ${parameter.integer(isLastOfFebruary ? 229 : last.month * 100 + last.day)}`;
  const isInSpan = last.year === today.year ? sql`${from} and ${to}` : sql`(${from} or ${to})`;
  return those(sql`select customer_key from ${profiles} where ${isInSpan}`);
};

/** @throws InputError always: names are not kept, so nobody's day is known */
export const nameDay: MatchingOf<'name_day'> = () => {
  throw new InputError('type: not evaluable: names of people are not kept, so nor are their days');
};

/** The numbers of profiles are below this prime. */
const PRIME = 2_147_483_647;

/**
 * Matches profiles from the first percentage to before the second. Each seed shuffles the numbers of the
 * profiles in another way.
 */
export const randomSplit: MatchingOf<'random_split'> = ({ value: { from, to, seed } }) => {
  const hash = createHash('sha256').update(String(seed).toWellFormed()).digest();
  const factor = sql`${parameter.integer((hash.readUInt32BE(0) % (PRIME - 1)) + 1)}`;
  const shift = sql`${parameter.integer(hash.readUInt32BE(4) % PRIME)}`;
  const place = sql`(split_number * ${factor} + ${shift}) % ${parameter.integer(PRIME)}`;
  const [first, end] = [from, to].map(
    (percent) => sql`${parameter.integer(Math.ceil((percent * PRIME) / 100))}`,
  ) as [Sql, Sql];
  return those(sql`select customer_key from ${profiles} where ${place} >= ${first} and ${place} < ${end}`);
};
