import { CONSENT_STATES } from '../store/tables/consent-events.ts';
import { momentOf } from './source-cells.ts';

/**
 * SQL: of consents of one person, channel and moment the strictest, since the store has one row for them: who
 * marks a message as spam is unsubscribed in the same second.
 *
 * @param consents SQL of rows with `_row`, `profile_id`, `channel`, `at` and `state`
 */
export function strictestConsents(consents: string): string {
  const states = CONSENT_STATES.map((state) => `'${state}'`).join(', ');
  const moment = momentOf('"at"');
  return `select * from (${consents})
    qualify ${moment} is null or row_number() over (
      partition by profile_id, channel, ${moment} order by list_position([${states}], state) desc, _row desc) = 1
    order by _row`;
}
