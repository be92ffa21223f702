import { formatDay } from '../charts/dates.ts';
import type { DrawnStore } from '../charts/drawn-store.ts';
import type { Overview } from './overview.ts';
import type { Days } from './periods.ts';

/**
 * What somebody who sees these numbers may ask next, for an app that is connected. Each has the store and its days, so that the app asks
 * about the same ones; no name of a product or a person is in it, since what others wrote must not become a question of the reader.
 */
export function questionsOf({ store, days, before, cards, asked }: Overview): readonly string[] {
  if (asked.filters.length > 0) return [];
  const of = `In the store “${store.name}”, ${spanOf(days, store)}`;
  const cardOf = (key: string) => cards.find((card) => card.key === key);
  const isAbove = (key: string) => (cardOf(key)?.value ?? 0) > 0;
  const change = cardOf('revenue')?.change ?? null;
  return [
    ...(change === null || before === null || change === 0
      ? []
      : [
          `${of}: why was revenue ${change > 0 ? 'higher' : 'lower'} than ${spanOf(before, store)}? Which products, channels and customers made the difference?`,
        ]),
    ...(isAbove('new') ? [`${of}: what did new customers buy first, and how many came back since?`] : []),
    ...(isAbove('visits')
      ? [`${of}: which channels brought orders, and what did each order of them cost?`]
      : []),
    ...(isAbove('refunds') ? [`${of}: what was paid back, and does it differ from the months before?`] : []),
    ...(isAbove('email') ? [`${of}: which e-mails brought the most revenue for each message?`] : []),
  ];
}

function spanOf({ from_date, to_date }: Days, store: DrawnStore): string {
  const [from, to] = [formatDay(from_date, store), formatDay(to_date, store)];
  return from === to ? `on ${from}` : `from ${from} to ${to}`;
}
