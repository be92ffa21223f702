import { isOneOf } from '../../../../answers/existing-names.ts';
import { profiles, sessions } from '../../../../model-table/table-names.ts';
import { sql } from '../../../../sql/sql.ts';
import { inPeriod } from '../condition-periods.ts';
import { boundsOf, byNumber, whole } from './by-number.ts';
import { type MatchingOf, those } from './matching.ts';

/** Sessions by how they are labelled in session_statistics; landing pages are without query there. */
export const session: MatchingOf<'session'> = (
  { operator, value, channel, source, landing_page, period },
  at,
) => {
  const pages = landing_page?.map((page) => page.replace(/[?#].*$/su, ''));
  const visits = sql`
    select visitor_key as customer_key from ${sessions}
    where not is_suspected_bot and ${isOneOf(sql`channel`, channel)} and ${isOneOf(sql`source`, source)}
      and ${isOneOf(sql`landing_path`, pages)} and ${inPeriod(sql`started_at`, period, at)}
    group by visitor_key`;
  return byNumber(visits, sql`count(*)`, boundsOf(operator, value), whole);
};

export const lastActivity: MatchingOf<'last_activity'> = ({ period }, at) =>
  those(sql`select customer_key from ${profiles} where ${inPeriod(sql`last_active_at`, period, at)}`);
