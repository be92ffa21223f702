import type { Messages } from '../messages/messages.ts';
import type { ListKey } from './cards-and-lists.ts';
import type { Overview } from './overview.ts';

/**
 * What somebody who sees these numbers may ask next, for an app that is connected. Each has the store and its
 * days, so that the app asks about the same ones, and names the best product, channel and campaign of the
 * page where their names are plain: what looks like more than a name must not become a question of the
 * reader.
 */
export function questionsOf(overview: Overview, messages: Messages): readonly string[] {
  const { store, days, before, cards, asked } = overview;
  if (asked.filters.length > 0) return [];
  const span = ({ from_date, to_date }: typeof days) => messages.days(from_date, to_date);
  const of = { store: store.name, days: span(days) };
  const cardOf = (key: string) => cards.find((card) => card.key === key);
  const isAbove = (key: string) => (cardOf(key)?.value ?? 0) > 0;
  const change = cardOf('revenue')?.change ?? null;
  const { say } = messages;
  const [product, channel, campaign] = (['products', 'channels', 'campaigns'] as const).map((key) =>
    firstName(overview, key),
  );
  return [
    ...(change === null || before === null || change === 0
      ? []
      : [
          say(change > 0 ? 'questions.revenue-higher' : 'questions.revenue-lower', {
            ...of,
            before: span(before),
          }),
        ]),
    ...(product == null ? [] : [say('questions.product', { ...of, name: product })]),
    ...(isAbove('new') ? [say('questions.new', of)] : []),
    ...(isAbove('visits')
      ? [channel == null ? say('questions.visits', of) : say('questions.channel', { ...of, name: channel })]
      : []),
    ...(isAbove('refunds') ? [say('questions.refunds', of)] : []),
    ...(isAbove('email')
      ? [campaign == null ? say('questions.email', of) : say('questions.campaign', { ...of, name: campaign })]
      : []),
  ];
}

/** Letters, numbers and what joins names, shorter than a sentence. */
const PLAIN_NAME = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} .,:&+%/()–-]{0,59}$/u;

/** The name of the first row that is one thing; null where none has a plain name. */
function firstName({ lists }: Overview, key: ListKey): string | null {
  const rows = lists.find((list) => list.key === key)?.rows ?? [];
  const [first] = rows.filter(({ label }) => !label.startsWith('('));
  return first !== undefined && PLAIN_NAME.test(first.label) ? first.label : null;
}
