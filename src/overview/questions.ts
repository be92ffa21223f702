import type { Messages } from '../messages/messages.ts';
import type { Overview } from './overview.ts';

/**
 * What somebody who sees these numbers may ask next, for an app that is connected. Each has the store and its days, so that the app asks
 * about the same ones; no name of a product or a person is in it, since what others wrote must not become a question of the reader.
 */
export function questionsOf(
  { store, days, before, cards, asked }: Overview,
  messages: Messages,
): readonly string[] {
  if (asked.filters.length > 0) return [];
  const span = ({ from_date, to_date }: typeof days) => messages.days(from_date, to_date);
  const of = { store: store.name, days: span(days) };
  const cardOf = (key: string) => cards.find((card) => card.key === key);
  const isAbove = (key: string) => (cardOf(key)?.value ?? 0) > 0;
  const change = cardOf('revenue')?.change ?? null;
  const { say } = messages;
  return [
    ...(change === null || before === null || change === 0
      ? []
      : [
          say(change > 0 ? 'questions.revenue-higher' : 'questions.revenue-lower', {
            ...of,
            before: span(before),
          }),
        ]),
    ...(isAbove('new') ? [say('questions.new', of)] : []),
    ...(isAbove('visits') ? [say('questions.visits', of)] : []),
    ...(isAbove('refunds') ? [say('questions.refunds', of)] : []),
    ...(isAbove('email') ? [say('questions.email', of)] : []),
  ];
}
