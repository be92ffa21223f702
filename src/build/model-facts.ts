import type { Session } from '../ingest/session.ts';
import type { SnapshotFacts } from '../model/snapshot.ts';
import type { ModelBusiness } from './build-model.ts';
import { messageEvents } from './marketing/message-events.ts';
import { popupEvents } from './marketing/popups.ts';
import { sends } from './marketing/sends.ts';
import type { BuildTable } from './model-table.ts';
import { orders } from './orders.ts';
import { productEvents } from './product-events.ts';
import { sessions } from './sessions.ts';
import { stored } from './stored-tables.ts';

/** Facts about the snapshot that answers quote. `store` and the model are in the session. */
export async function readFacts(
  session: Session,
  { attribution_windows }: ModelBusiness,
  loadedTables: readonly string[],
  isEmpty: (table: BuildTable) => boolean,
): Promise<SnapshotFacts> {
  const filled = HAPPENINGS.filter(([table]) => !isEmpty(table));
  const spans = await session.rows([NOW, ...filled.map(spanOf)].join(' union all '));
  const latestOf = (...tables: readonly BuildTable[]) => {
    const names = tables.map(({ name }) => name);
    const moments = spans.flatMap(({ name, latest }) =>
      names.includes(String(name)) ? [String(latest)] : [],
    );
    return moments.sort().at(-1) ?? null;
  };
  const first = spans.find(({ name }) => name === orders.name)?.first ?? null;
  const now = String(spans.find(({ name }) => name === 'now')?.latest);
  return {
    loaded_tables: loadedTables,
    history_starts_at: first as string | null,
    orders_until: latestOf(orders),
    sessions_until: latestOf(sessions),
    messages_until: latestOf(sends, messageEvents),
    attribution_windows,
    popups_until: latestOf(popupEvents),
    consents_until: latestOf(stored.consentEvents),
    list_events_until: latestOf(stored.interestListEvents),
    latest_at: latestOf(...HAPPENINGS.map(([table]) => table)) ?? now,
  };
}

/** Tables of what happened, and when it did. */
const HAPPENINGS: readonly (readonly [table: BuildTable, moment: string])[] = [
  [orders, 'ordered_at'],
  [sessions, 'started_at'],
  [productEvents, 'happened_at'],
  [sends, 'sent_at'],
  [messageEvents, 'happened_at'],
  [popupEvents, 'happened_at'],
  [stored.consentEvents, '"at"'],
  [stored.interestListEvents, '"at"'],
];

/** Sorts by time. */
const asText = (moment: string) => `strftime(${moment}, '%Y-%m-%dT%H:%M:%SZ')`;
const CURRENT = `current_timestamp at time zone 'UTC'`;
const NOW = `select 'now' as name, null as first, ${asText(CURRENT)} as latest`;

/** What is dated in the future has not happened yet. */
function spanOf([{ name }, moment]: (typeof HAPPENINGS)[number]): string {
  return `select '${name}', ${asText(`min(${moment})`)}, ${asText(`least(max(${moment}), ${CURRENT})`)} from ${name}`;
}
