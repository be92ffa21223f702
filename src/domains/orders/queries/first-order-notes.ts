import { withNotes } from '../../../answers/answer-in-pieces.ts';
import type { Field } from '../../../answers/fields/field.ts';
import { keptKeys } from '../../../answers/row-formats.ts';
import type { Arguments, Plan, Tool } from '../../../answers/tool.ts';
import type { SnapshotFacts } from '../../../business/snapshot-facts.ts';
import { localDate, readMoment } from '../../../time/moment.ts';
import { BREAKDOWNS, endOfPeriod, startOfPeriod } from '../../../time/periods.ts';
import { type AskedDays, newCustomerNotes, newFrom, olderProfiles } from './start-of-history.ts';

/**
 * The plan, and what is not known of who is new, where the answer has a field that depends on it: every tool
 * says the same, because its fields do.
 */
export function withFirstOrderNotes(
  plan: Plan,
  tool: Pick<Tool, 'fields' | 'rows'>,
  args: Arguments,
  timezone: string,
  facts: SnapshotFacts,
): Plan {
  if (!countsFirstOrders(plan, tool, args)) return plan;
  const asked = askedDays(args, timezone, facts);
  if (asked === null) return plan;
  return {
    ...plan,
    queries: { ...plan.queries, olderProfiles: olderProfiles(asked) },
    answer: ({ olderProfiles: older = [], ...rows }, outcome) =>
      withNotes(plan.answer(rows, outcome), newCustomerNotes(older, asked)),
  };
}

/**
 * The first local day on which who is counted as new is, where the pauses between orders tell it; null:
 * nothing tells it.
 */
export function newKnownFrom(facts: SnapshotFacts): string | null {
  const { usual_pause_days: pause = null, timezone } = facts;
  return pause === null ? null : (newFrom({ timezone: timezone ?? 'UTC', facts })?.toString() ?? null);
}

/** Says whether the answer depends on first orders. */
export function countsFirstOrders(
  { countsFirstOrders }: Plan,
  tool: Pick<Tool, 'fields' | 'rows'>,
  args: Arguments,
): boolean {
  return countsFirstOrders === true || hasSinceFirst(tool, args);
}

/** Whether a field that the answer will have, of the rows those asked for, depends on first orders. */
function hasSinceFirst({ fields, rows }: Pick<Tool, 'fields' | 'rows'>, args: Arguments): boolean {
  const kept = rows === undefined ? [] : keptKeys(rows, fields, args);
  return fields.some((one) =>
    one.key === rows?.list
      ? innerOf(one).some((inner) => kept.includes(inner.key) && isSinceFirst(inner))
      : isSinceFirst(one),
  );
}

function isSinceFirst(field: Field): boolean {
  return field.sinceFirst === true || innerOf(field).some(isSinceFirst);
}

const innerOf = ({ fields = [], either = [] }: Field): readonly Field[] => [...fields, ...either.flat()];

/**
 * The days of the range, in a trend those of its whole periods; of a state those until its moment. Null where
 * nothing is loaded.
 */
export function askedDays(args: Arguments, timezone: string, facts: SnapshotFacts): AskedDays | null {
  const { from_date, to_date, as_of } = args;
  if (typeof from_date !== 'string' || typeof to_date !== 'string') {
    const moment =
      typeof as_of === 'string'
        ? readMoment('as_of', as_of, timezone, 'to').instant.toString()
        : facts.orders_until;
    if (moment === null || facts.history_starts_at === null) return null;
    return {
      firstDate: localDate(moment, timezone),
      lastDate: localDate(moment, timezone),
      timezone,
      facts,
    };
  }
  const day = (name: 'from_date' | 'to_date', end: 'from' | 'to') =>
    readMoment(name, String(args[name]), timezone, end).instant.toZonedDateTimeISO(timezone).toPlainDate();
  const [first, last] = [day('from_date', 'from'), day('to_date', 'to')];
  const breakdown = BREAKDOWNS.find((one) => one === (args.breakdown ?? args.cohort_period));
  if (breakdown === undefined) return { firstDate: first, lastDate: last, timezone, facts };
  return {
    firstDate: startOfPeriod(first, breakdown),
    lastDate: endOfPeriod(startOfPeriod(last, breakdown).toString(), breakdown),
    timezone,
    facts,
  };
}
