import type { Session } from '../ingest/session.ts';
import type { SnapshotFacts } from '../model/snapshot.ts';
import type { ModelBusiness } from './build-model.ts';

/** Facts about the snapshot that answers quote. `store` and the model are in the session. */
export async function readFacts(
  session: Session,
  { attribution_windows }: ModelBusiness,
  loadedTables: readonly string[],
): Promise<SnapshotFacts> {
  const { first, last, last_session, last_message, last_popup_event, last_consent, last_list_event, latest } =
    await session.row(
      // DuckDB's least() ignores nulls, so an empty table is asked for itself.
      `select
      (select strftime(min(ordered_at), '${MOMENT}') from orders) as first,
      (select ${untilNow('ordered_at')} from orders) as last,
      (select ${untilNow('started_at')} from sessions) as last_session,
      (select ${untilNow('happened_at')} from (
        select sent_at as happened_at from sends union all select happened_at from message_events)) as last_message,
      (select ${untilNow('happened_at')} from popup_events) as last_popup_event,
      (select ${untilNow('"at"')} from store.consent_events) as last_consent,
      (select ${untilNow('"at"')} from store.interest_list_events) as last_list_event,
      (select coalesce(${untilNow('happened_at')}, ${NOW}) from (
        select ordered_at as happened_at from orders
        union all select started_at from sessions
        union all select happened_at from product_events
        union all select sent_at from sends
        union all select happened_at from message_events
        union all select happened_at from popup_events
        union all select "at" from store.consent_events
        union all select "at" from store.interest_list_events)) as latest`,
    );
  return {
    loaded_tables: loadedTables,
    history_starts_at: first as string | null,
    orders_until: last as string | null,
    sessions_until: last_session as string | null,
    messages_until: last_message as string | null,
    attribution_windows,
    popups_until: last_popup_event as string | null,
    consents_until: last_consent as string | null,
    list_events_until: last_list_event as string | null,
    latest_at: String(latest),
  };
}

const MOMENT = '%Y-%m-%dT%H:%M:%SZ';
const NOW = `strftime(current_timestamp at time zone 'UTC', '${MOMENT}')`;

function untilNow(moment: string): string {
  return `case when count(*) > 0 then
    strftime(least(max(${moment}), current_timestamp at time zone 'UTC'), '${MOMENT}') end`;
}
