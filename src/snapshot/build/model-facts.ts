import type { DividingSource, SnapshotFacts } from '../../business/snapshot-facts.ts';
import type { BuildTable } from '../../model-table/model-table.ts';
import type { Session } from '../../store/duckdb-session.ts';
import { adCostFacts } from './ad-cost-facts.ts';
import { automationPauses } from './automation-pauses.ts';
import type { ModelBusiness } from './build-model.ts';
import { heldOutCampaigns } from './held-out-campaigns.ts';
import { loadedDays } from './loaded-days.ts';
import { ordersInSessions } from './orders-in-sessions.ts';
import { refundsWithinDays } from './refund-delay.ts';
import { usualPauseDays } from './usual-pause.ts';

/** Facts about the snapshot that answers quote. `store` and the model are in the session. */
export async function readFacts(
  session: Session,
  { timezone, primary_currency, attribution_windows, vat_rate }: ModelBusiness,
  loadedTables: readonly string[],
  isEmpty: (table: Pick<BuildTable, 'name'>) => boolean,
): Promise<SnapshotFacts> {
  const filled = HAPPENINGS.filter(([name]) => !isEmpty({ name }));
  const spans = await session.rows([NOW, ...filled.map(spanOf)].join(' union all '));
  const latestOf = (...names: readonly string[]) => {
    const moments = spans.flatMap(({ name, latest }) =>
      names.includes(String(name)) ? [String(latest)] : [],
    );
    return moments.sort().at(-1) ?? null;
  };
  const first = spans.find(({ name }) => name === 'orders')?.first ?? null;
  const now = String(spans.find(({ name }) => name === 'now')?.latest);
  return {
    loaded_tables: loadedTables,
    history_starts_at: first as string | null,
    orders_until: latestOf('orders'),
    // A visit that began before and goes on is counted too: it is loaded.
    sessions_until: latestOf('sessions', 'store.sessions'),
    messages_until: latestOf('sends', 'message_events'),
    timezone,
    primary_currency,
    attribution_windows,
    vat_rate,
    spans: Object.fromEntries(
      SPANS.flatMap(([source, table]) => {
        const span = spans.find(({ name }) => name === table);
        return span === undefined ? [] : [[source, { from: String(span.first), until: String(span.latest) }]];
      }),
    ),
    has_unpriced_money: !isEmpty({ name: 'unpriced_money' }),
    refunds_within_days: isEmpty({ name: 'order_refunds' }) ? null : await refundsWithinDays(session),
    days: await loadedDays(session, isEmpty),
    usual_pause_days: isEmpty({ name: 'orders' }) ? null : await usualPauseDays(session),
    held_out: isEmpty({ name: 'audience_members' }) ? [] : await heldOutCampaigns(session),
    automation_pauses: isEmpty({ name: 'sends' }) ? [] : await automationPauses(session),
    orders_in_sessions: isEmpty({ name: 'order_traffic' }) ? null : await ordersInSessions(session),
    ad_costs: isEmpty({ name: 'ad_costs' }) ? null : await adCostFacts(session),
    popups_until: latestOf('popup_events'),
    consents_until: latestOf('store.consent_events'),
    list_events_until: latestOf('store.interest_list_events'),
    latest_at: latestOf(...HAPPENINGS.map(([name]) => name)) ?? now,
  };
}

/** Tables of what happened, and when it did. */
const HAPPENINGS: readonly (readonly [table: string, moment: string])[] = [
  ['orders', 'ordered_at'],
  ['sessions', 'started_at'],
  ['store.sessions', 'started_at'],
  ['product_events', 'happened_at'],
  ['sends', 'sent_at'],
  ['message_events', 'happened_at'],
  ['popup_events', 'happened_at'],
  ['store.consent_events', '"at"'],
  ['store.interest_list_events', '"at"'],
];

const SPANS = [
  ['sessions', 'sessions'],
  ['views', 'product_events'],
  ['messages', 'sends'],
  ['popups', 'popup_events'],
] as const satisfies readonly (readonly [DividingSource, string])[];

/** A moment as text that sorts by time. */
const asText = (moment: string) => `strftime(${moment}, '%Y-%m-%dT%H:%M:%SZ')`;
const CURRENT = `current_timestamp at time zone 'UTC'`;
const NOW = `select 'now' as name, null as first, ${asText(CURRENT)} as latest`;

/** The first and the last moment of a kind. An event that is dated in the future has not happened yet. */
function spanOf([name, moment]: (typeof HAPPENINGS)[number]): string {
  return `select '${name}', ${asText(`min(${moment})`)}, ${asText(`least(max(${moment}), ${CURRENT})`)} from ${name}`;
}
