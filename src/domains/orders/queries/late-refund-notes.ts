import { Temporal } from 'temporal-polyfill';
import type { HasFields } from '../../../answers/field-names.ts';
import { worded } from '../../../answers/sentences.ts';
import type { Arguments } from '../../../answers/tool.ts';
import type { SnapshotFacts } from '../../../business/snapshot-facts.ts';
import { enumerated } from '../../../text/enumerated.ts';
import { plural } from '../../../text/plural.ts';
import { localDate } from '../../../time/moment.ts';
import { askedDays } from './first-order-notes.ts';
import { ofRefunds } from './refund-fields.ts';

/** Orders of some local days, both included, whose refunds are still to come. */
interface LateRefunds {
  readonly since: Temporal.PlainDate;
  readonly until: Temporal.PlainDate;
  /** The number of days within which 95 % of the refunds come. */
  readonly within: number;
}

/** Null: there are none, or nothing tells. */
export function lateRefunds(facts: SnapshotFacts, timezone: string): LateRefunds | null {
  const { orders_until, refunds_within_days: within = null } = facts;
  if (within === null || within === 0 || orders_until === null) return null;
  const until = localDate(orders_until, timezone);
  return { since: until.subtract({ days: within - 1 }), until, within };
}

/**
 * Says of a range whose newest orders still have refunds to come that they look better than older ones did in
 * the end.
 *
 * @param tool its fields of refunds by the day of the order are named
 */
export function lateRefundNotes(
  tool: HasFields,
  args: Arguments,
  timezone: string,
  facts: SnapshotFacts,
): string[] {
  const late = lateRefunds(facts, timezone);
  if (typeof args.from_date !== 'string' || late === null) return [];
  const names = ofRefunds(tool, args);
  const days = askedDays(args, timezone, facts);
  if (names.length === 0 || days === null) return [];
  const { since, until, within } = late;
  const first = Temporal.PlainDate.from(days.firstDate.toString());
  const last = Temporal.PlainDate.from(days.lastDate.toString());
  const holdsSuch =
    Temporal.PlainDate.compare(first, until) <= 0 && Temporal.PlainDate.compare(last, since) >= 0;
  if (!holdsSuch) return [];
  return [
    worded(
      `Orders since ${since} will have more refunds (95 % come within ${plural(within, 'day', 'days')}): their ${enumerated(names)} ${names.length === 1 ? 'looks' : 'look'} too good so far, so do not compare with older orders.`,
      'note.late-refunds',
      { day: { day: since.toString() }, count: within },
    ),
  ];
}
