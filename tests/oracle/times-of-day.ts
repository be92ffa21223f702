// Messages by the weekday and hour when they were sent, beside what happened at that time, from the rows of the files.
import { Temporal } from 'temporal-polyfill';
import { type Channel, messagesOf, noActivity, type RangeArguments, resultsOf } from './messages.ts';
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

/** Every time in its order. */
export function messageTimes(store: Store, channel: Channel, args: RangeArguments, times: Times): object[] {
  const messages = messagesOf(store);
  const { timezone } = messages.traffic.shop;
  const range = argumentRange(args.from_date, args.to_date, timezone);
  const sent = messages.sends.filter((send) => send.channel === channel && isInRange(send.moment, range));
  const human = sent.flatMap(({ events }) => events.filter(({ isMachine }) => !isMachine));
  const weekdays = times === 'hour' ? [null] : [1, 2, 3, 4, 5, 6, 7];
  const hours = times === 'weekday' ? [null] : Array.from({ length: 24 }, (_, hour) => hour);
  const names = Object.keys(noActivity(channel));
  return weekdays.flatMap((weekday) =>
    hours.map((hour) => {
      const key = keyOf(times, weekday ?? 0, hour ?? 0);
      const isThen = ({ moment }: { moment: Moment }) => timeKey(moment, times, timezone) === key;
      const results = resultsOf(store, messages, channel, sent.filter(isThen));
      const happened = human.filter(isThen);
      return {
        ...{ key, weekday, hour },
        ...Object.fromEntries(names.map((name) => [name, results[name]])),
        ...(channel === 'email'
          ? { opens_then_count: happened.filter(({ kind }) => kind === 'open').length }
          : {}),
        clicks_then_count: happened.filter(({ kind, isContent }) => kind === 'click' && isContent).length,
      };
    }),
  );
}
