// Messages by the weekday and hour when they were sent, beside what happened at that time, from the rows of
// the files.
import { Temporal } from 'temporal-polyfill';
import { round4 } from './decimals.ts';
import {
  type Channel,
  messagesOf,
  noActivity,
  type RangeArguments,
  resultsOf,
  type Send,
} from './messages.ts';
import { argumentRange, isInRange, type Moment } from './moments.ts';
import type { Store } from './store.ts';

export type Times = 'weekday' | 'hour' | 'weekday_hour';

/** `1` … `7`, `00` … `23`, or `1-09`, in business time. */
export function timeKey(moment: Moment, times: Times, timezone: string): string {
  const { dayOfWeek, hour } = new Temporal.Instant(moment * 1000n).toZonedDateTimeISO(timezone);
  return keyOf(times, dayOfWeek, hour);
}

function keyOf(times: Times, weekday: number, hour: number): string {
  const two = String(hour).padStart(2, '0');
  return { weekday: String(weekday), hour: two, weekday_hour: `${weekday}-${two}` }[times];
}

/**
 * The campaigns of a time, and how its click rate differs from that of the same campaigns at other times: by
 * Mantel and Haenszel, the interval aside, which depends on all rows.
 */
function campaignsAt(
  sent: readonly Send[],
  isThen: (send: Send) => boolean,
  tested: ReadonlySet<string | null | undefined>,
) {
  const isDelivered = ({ channel, outcome }: Send) =>
    channel === 'email' ? !['hard', 'soft', 'block'].includes(outcome) : outcome === 'delivered';
  const clicked = (sends: readonly Send[]) =>
    sends.filter(({ events }) =>
      events.some(({ kind, isContent, isMachine }) => kind === 'click' && isContent && !isMachine),
    ).length;
  let [above, below, then, otherwise, clicks, compared] = [0, 0, 0, 0, 0, 0];
  const sentThen = sent.filter(isThen);
  const campaigns = Map.groupBy(sentThen, ({ campaignId }) => campaignId);
  const largest = Math.max(...[...campaigns.values()].map(clicked));
  for (const campaignId of campaigns.keys()) {
    const all = sent.filter((send) => send.campaignId === campaignId);
    const [own, others] = [all.filter(isThen), all.filter((send) => !isThen(send))];
    const [m, n] = [own.filter(isDelivered).length, others.filter(isDelivered).length];
    if (m === 0 || n === 0 || tested.has(campaignId)) continue;
    compared += 1;
    above += (clicked(own) * n - clicked(others) * m) / (m + n);
    below += (m * n) / (m + n);
    then += m;
    otherwise += n;
    clicks += clicked(all);
  }
  const isCompared = Math.min(then, otherwise) >= 100 && clicks >= 20 && compared >= 2;
  const all = clicked(sentThen);
  return {
    campaigns_count: campaigns.size,
    largest_campaign_share: all === 0 ? null : round4((100 * largest) / all),
    click_rate_difference: isCompared ? round4((100 * above) / below) : null,
  };
}

/** Every time at which something was sent, in its order. */
export function messageTimes(store: Store, channel: Channel, args: RangeArguments, times: Times): object[] {
  const messages = messagesOf(store);
  const { timezone } = messages.traffic.shop;
  const range = argumentRange(args.from_date, args.to_date, timezone);
  const sent = messages.sends.filter((send) => send.channel === channel && isInRange(send.moment, range));
  const human = sent.flatMap(({ events }) => events.filter(({ isMachine }) => !isMachine));
  const weekdays = times === 'hour' ? [null] : [1, 2, 3, 4, 5, 6, 7];
  const hours = times === 'weekday' ? [null] : Array.from({ length: 24 }, (_, hour) => hour);
  const names = Object.keys(noActivity(channel));
  // The variants of an A/B test differ by more than the hour.
  const tested = new Set(
    store.messages.filter(({ variant }) => variant).map(({ campaign_id }) => campaign_id),
  );
  return weekdays.flatMap((weekday) =>
    hours.flatMap((hour) => {
      const key = keyOf(times, weekday ?? 0, hour ?? 0);
      const isThen = ({ moment }: { moment: Moment }) => timeKey(moment, times, timezone) === key;
      const results = resultsOf(store, messages, channel, sent.filter(isThen));
      const happened = human.filter(isThen);
      const ofHour = sent.filter(isThen);
      if (ofHour.length === 0) return [];
      return {
        ...{ key, weekday, hour },
        ...campaignsAt(sent, isThen, tested),
        ...Object.fromEntries(names.map((name) => [name, results[name]])),
        ...(channel === 'email'
          ? { opens_then_count: happened.filter(({ kind }) => kind === 'open').length }
          : {}),
        clicks_then_count: happened.filter(({ kind, isContent }) => kind === 'click' && isContent).length,
      };
    }),
  );
}
