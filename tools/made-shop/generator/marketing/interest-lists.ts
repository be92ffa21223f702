import { dayOf, momentOf, momentText } from '../calendar.ts';
import type { RandomStream } from '../random-stream.ts';
import type { World } from '../world.ts';
import type { Recipient } from './recipients.ts';
import type { InterestListEventRow, InterestListRow } from './rows.ts';

/** The list of everybody who wants e-mails at all. */
export const newsletterList = 'novinky';
/** Grows fastest, and loses most, in September 2026. */
export const growingList = 'bikepacking';
export const shrinkingList = 'lezeni';

type Topic = { code: string; name: string; description: string; share: number; from: string };

const topics: readonly Topic[] = [
  {
    code: 'turistika',
    name: 'Turistika',
    description: 'Trasy, boty, batohy',
    share: 0.2,
    from: '2024-10-01',
  },
  { code: 'vyprodeje', name: 'Výprodeje', description: 'Jen slevy', share: 0.28, from: '2024-10-01' },
  {
    code: shrinkingList,
    name: 'Lezení',
    description: 'Stěny, skály, materiál',
    share: 0.2,
    from: '2024-10-01',
  },
  {
    code: growingList,
    name: 'Bikepacking',
    description: 'S brašnami na kole',
    share: 0.3,
    from: '2026-03-01',
  },
];

/** Somebody joins or leaves a list. */
export type Membership = {
  code: string;
  recipient: Recipient;
  at: number;
  isMember: boolean;
  source: string;
};

export function makeInterestLists(): InterestListRow[] {
  const list = (
    [code, name, description, created]: readonly [string, string, string, string],
    rest: Partial<InterestListRow> = {},
  ): InterestListRow => ({
    code,
    name,
    description,
    channels: ['email'],
    is_double_opt_in: true,
    is_public: true,
    state: 'active',
    created_at: momentText(momentOf(dayOf(created), 10 * 3_600)),
    ...rest,
  });
  return [
    list([newsletterList, 'Novinky z Kamenice', 'Všechny newslettery', '2022-05-02']),
    ...topics.map(({ code, name, description, from }) =>
      list([code, name, description, from === '2024-10-01' ? '2023-02-14' : from], {
        channels: code === 'vyprodeje' ? ['email', 'sms'] : ['email'],
        is_double_opt_in: false,
      }),
    ),
    list(['tisteny-katalog', 'Tištěný katalog', 'Poštou, jednou za rok', '2019-11-04'], {
      channels: [],
      is_public: false,
      state: 'archived',
    }),
  ];
}

/**
 * Who is on the lists by topic, in order of time. Some join when they subscribe, some later, and some leave.
 */
export function makeTopicMemberships(world: World, recipients: readonly Recipient[]): Membership[] {
  const stream = world.stream('interest lists');
  return topics
    .flatMap((topic) =>
      recipients.flatMap((recipient) => {
        const subscribed = recipient.consents.email.find(({ state }) => state === 'subscribed');
        if (subscribed === undefined || !stream.chance(topic.share)) return [];
        return membershipOf(
          world,
          stream,
          topic.code,
          recipient,
          subscribed.at,
          momentOf(dayOf(topic.from), 0),
        );
      }),
    )
    .filter(({ at }) => at <= world.end)
    .sort((a, b) => a.at - b.at);
}

function membershipOf(
  world: World,
  stream: RandomStream,
  code: string,
  recipient: Recipient,
  subscribed_at: number,
  opened_at: number,
): Membership[] {
  const list = { code, recipient };
  const join = (at: number, source: string) => ({ ...list, at, isMember: true, source });
  const leave = (at: number) => ({ ...list, at, isMember: false, source: 'preferences' });
  if (code === growingList) {
    // Word gets around: the later, the more join.
    const share = Math.max(stream.next(), stream.next());
    const at = opened_at + Math.floor(share * (world.end - opened_at));
    return [join(Math.max(at, subscribed_at + 60), 'form')];
  }
  const joined = join(
    subscribed_at + stream.int(30, 600),
    stream.chance(0.7) ? 'registration' : 'preferences',
  );
  const leaving = stream.next();
  const left_at = subscribed_at + stream.int(20, 600) * 86_400 + stream.int(0, 50_000);
  if (code === shrinkingList) {
    // The climbing wall that the list was made with closes in September 2026.
    const closed_at = momentOf(dayOf('2026-09-01'), 0) + stream.int(0, 29 * 86_400);
    if (joined.at > momentOf(dayOf('2026-05-01'), 0)) return [];
    return leaving < 0.6 ? [joined, leave(Math.max(closed_at, joined.at + 3_600))] : [joined];
  }
  if (leaving > 0.12) return [joined];
  const returns = stream.chance(0.1) ? [join(left_at + 40 * 86_400, 'form')] : [];
  return [joined, leave(left_at), ...returns];
}

/** Who subscribes to e-mails is on the list of all, until they unsubscribe. */
export function makeNewsletterMemberships(recipients: readonly Recipient[]): Membership[] {
  return recipients
    .flatMap((recipient) =>
      recipient.consents.email
        .filter(({ state }) => state === 'subscribed' || state === 'unsubscribed')
        .map(({ at, state, source }) => ({
          code: newsletterList,
          recipient,
          at,
          isMember: state === 'subscribed',
          source: source ?? 'unsubscribe',
        })),
    )
    .sort((a, b) => a.at - b.at);
}

/** Members of a list at a moment. */
export function membersAt(memberships: readonly Membership[], code: string, at: number): Set<Recipient> {
  const members = new Set<Recipient>();
  for (const membership of memberships) {
    if (membership.code !== code || membership.at > at) continue;
    if (membership.isMember) members.add(membership.recipient);
    else members.delete(membership.recipient);
  }
  return members;
}

export function* makeInterestListEventRows(
  memberships: readonly Membership[],
): Generator<InterestListEventRow> {
  for (const { code, recipient, at, isMember, source } of memberships) {
    yield {
      code,
      profile_id: recipient.profile_id,
      at: momentText(at),
      kind: isMember ? 'subscribed' : 'unsubscribed',
      source,
    };
  }
}
