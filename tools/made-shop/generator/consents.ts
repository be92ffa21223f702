import { dayOf, momentOf, momentText } from './calendar.ts';
import type { Customer } from './customers.ts';
import { at, cumulative, type RandomStream } from './random-stream.ts';
import type { ConsentChannel, ConsentEventRow } from './tables.ts';
import type { World } from './world.ts';

/** A change of consent; `at` is a moment in UTC seconds. */
export type ConsentEvent = Omit<ConsentEventRow, 'at'> & { at: number };

/**
 * The consent history of those who were ever asked by the shop, in order of time: seven of ten profiles for
 * e-mail, two of ten for SMS. What campaigns bring and drive away is in marketing/.
 */
export function makeConsents(world: World, customers: readonly Customer[]): ConsentEvent[] {
  const stream = world.stream('consents');
  return customers
    .flatMap((customer) => [
      ...(stream.chance(0.7) ? historyOf(world, stream, customer, 'email') : []),
      ...(stream.chance(0.2) ? historyOf(world, stream, customer, 'sms') : []),
    ])
    .filter((event) => event.at <= world.end)
    .sort((a, b) => a.at - b.at);
}

export function* makeConsentRows(events: readonly ConsentEvent[]): Generator<ConsentEventRow> {
  for (const { profile_id, channel, at, state, ...why } of events) {
    yield { profile_id, channel, at: momentText(at), state, ...why };
  }
}

/** Joining, then for some leaving, then for a few coming back. Nothing follows a suppression. */
function historyOf(
  world: World,
  stream: RandomStream,
  { profile_id, registered_at }: Customer,
  channel: ConsentChannel,
): ConsentEvent[] {
  if (profile_id === null) return [];
  const nothing = { profile_id, channel, source: null, source_detail: null, reason: null };
  const isOld = registered_at < momentOf(world.firstDay, 0) - importedBefore;
  const source = isOld && stream.chance(0.6) ? 'import' : at(sources, stream.index(sourceWeights));
  // The address book of the old shop was brought over in one night.
  const joined_at = source === 'import' ? importedAt : registered_at + stream.int(0, 1_800);
  const joined: ConsentEvent = { ...nothing, state: 'subscribed', at: joined_at, source };
  if (source !== 'popup') return [joined, ...leave(stream, nothing, joined_at)];

  const byExit = joined_at >= exitPopupFrom && stream.chance(0.25);
  const source_detail = byExit ? 'Počkejte: 100 Kč na cestu' : 'Welcome 10 %';
  const asked: ConsentEvent = { ...joined, state: 'pending', source_detail };
  if (channel === 'email' && stream.chance(0.22)) return [asked];
  const confirmed_at = joined_at + stream.int(60, 2 * 86_400);
  return [
    asked,
    { ...asked, state: 'subscribed', at: confirmed_at },
    ...leave(stream, nothing, confirmed_at),
  ];
}

const importedBefore = 100 * 86_400;
const importedAt = momentOf(dayOf('2024-09-02'), 3 * 3_600);
const sources = ['popup', 'checkout', 'registration'] as const;
const sourceWeights = cumulative([6, 64, 30]);
const exitPopupFrom = momentOf(dayOf('2026-02-02'), 0);

function leave(
  stream: RandomStream,
  nothing: Omit<ConsentEvent, 'state' | 'at'>,
  joined_at: number,
): ConsentEvent[] {
  const left_at = joined_at + stream.int(2, 700) * 86_400 + stream.int(0, 40_000);
  const way = stream.next();
  if (way < 0.16) {
    const left: ConsentEvent = {
      ...nothing,
      state: 'unsubscribed',
      at: left_at,
      reason: 'link in a message',
    };
    if (!stream.chance(0.15)) return [left];
    const returned_at = left_at + stream.int(10, 200) * 86_400;
    return [left, { ...nothing, state: 'subscribed', at: returned_at, source: 'checkout' }];
  }
  if (way < 0.19) return [{ ...nothing, state: 'bounced', at: left_at, reason: 'hard bounce' }];
  if (way < 0.194) return [{ ...nothing, state: 'complained', at: left_at, reason: 'spam complaint' }];
  if (way < 0.2) return [{ ...nothing, state: 'suppressed', at: left_at, reason: 'request of the customer' }];
  return [];
}
