import { consentChanges } from '../../../model-table/table-names.ts';
import { parameter, type Sql, sql } from '../../../sql/sql.ts';

/** Channels that consents are given for. */
export const CONSENT_CHANNELS = ['email', 'sms'] as const;
export type ConsentChannel = (typeof CONSENT_CHANNELS)[number];

/** Rows of `consent_changes` of the channel. */
export function consentsOf(channel: ConsentChannel): Sql {
  return sql`${consentChanges} where channel = ${parameter.text(channel)}`;
}

/**
 * The condition over rows that hold from `changed_at` to before `ends_at` that they hold just before a
 * moment. So it is the state at the start of a range before anything of the range happened, and at its end
 * after all of it did.
 */
export function holdsBefore(moment: string): Sql {
  const bound = parameter.timestamp(moment);
  return sql`changed_at < ${bound} and (ends_at is null or ends_at >= ${bound})`;
}
