import { column, type ObjectOf } from '../../../answers/fields/field.ts';
import { type Query, query } from '../../../answers/fields/query.ts';
import { campaigns, sends } from '../../../model-table/table-names.ts';
import { type Sql, sql } from '../../../sql/sql.ts';

/** Below this share of automated messages, in percent, no note is given. */
const LEAST_PERCENT = 5;

const COLUMNS = [column('messages_count', 'integer'), column('automated_count', 'integer')];
export type AutomatedMessages = ObjectOf<typeof COLUMNS>;

/**
 * How many of the messages are of automations.
 *
 * @param sent a select of `campaign_key` of each message
 */
export function automatedAmong(sent: Sql): Query<AutomatedMessages> {
  const counts = query(
    COLUMNS,
    sql`
    select count(*) as messages_count, count(*) filter (where is_automation) as automated_count
    from (${sent}) as sent
    join (select campaign_key, is_automation from ${campaigns}) as kinds using (campaign_key)`,
  );
  return { ...counts, isAside: true };
}

/** @param sent a condition over `sends` */
export function automatedIn(sent: Sql): Query<AutomatedMessages> {
  return automatedAmong(sql`select campaign_key from ${sends} where ${sent}`);
}

/**
 * Automations go out when people act and are opened more. Mixed with campaigns, rates by time show the mix,
 * not the best time.
 *
 * @param howToLeaveOut what to ask instead
 */
export function automatedTimeNotes([found]: readonly AutomatedMessages[], howToLeaveOut: string): string[] {
  if (found === undefined || found.messages_count === 0) return [];
  const { messages_count: all, automated_count: automated } = found;
  if (automated === all)
    return [
      'All these messages are of automations, which go out when people act: their times are no choice of yours, and tell no best time to send.',
    ];
  const percent = Math.round((100 * automated) / all);
  if (percent < LEAST_PERCENT) return [];
  return [
    `${percent} % of these messages are of automations, which go out when people act and are clicked more: rates by time mix them with campaigns, so no best time follows. ${howToLeaveOut}`,
  ];
}
