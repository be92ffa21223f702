import { literal } from '../store/duckdb-session.ts';
import { ORDER_STATUSES } from '../store/tables/orders.ts';
import type { Question, RawRows } from './source.ts';

/** What orders of a shop's statuses are to us, by their name in lower case. */
export type Statuses = Readonly<Record<string, string>>;

/** What may be said of statuses: `Bezahlt=paid`, several of them parted by a line end. */
export const MAPPED_STATUS = new RegExp(`^([^=]+)=(${ORDER_STATUSES.join('|')})$`);

/** The statuses that the software of the shop has, and the shop's own that were told. */
export function withMappedStatuses(known: Statuses, { settings }: RawRows): Statuses {
  const told = (settings.status ?? '').split('\n').flatMap((pair) => {
    const [, theirs, ours] = MAPPED_STATUS.exec(pair) ?? [];
    return theirs === undefined || ours === undefined ? [] : [[theirs.trim().toLowerCase(), ours]];
  });
  return { ...known, ...Object.fromEntries(told) };
}

/** SQL: our status for one of theirs, in lower case; null where it is not known. */
export function ourStatus(theirs: string, statuses: Statuses): string {
  const cases = Object.entries(statuses).map(([name, ours]) => `when ${literal(name)} then ${literal(ours)}`);
  return `case ${theirs} ${cases.join(' ')} end`;
}

/**
 * What must be asked where a status is not known.
 *
 * @param values SQL over a raw row: the list of its statuses that are not known
 */
export function statusQuestion(
  condition: string,
  problem: string,
  example: string,
  values: string,
): Question {
  return {
    values,
    setting: 'status',
    condition,
    problem,
    example: `--status "${example}", with one of ${ORDER_STATUSES.join(', ')}`,
  };
}

/** SQL: names of statuses, to look for one among them. */
export function namesOf(statuses: Statuses): string {
  return Object.keys(statuses).map(literal).join(', ');
}
