import { emptyStore, type Row, type Store } from '../oracle/store.ts';

type Event = Omit<Row<'message_events'>, 'event_id' | 'send_id'>;

/** Somebody with one order who got one newsletter, what they did with it, and what should come of that. */
interface Person {
  readonly send?: Row<'sends'>;
  readonly events?: readonly Event[];
  /** When the order was placed; each has a total of its own, so that a sum tells which are in it. */
  readonly ordered?: Row<'orders'>;
}

/** The newsletter was delivered at this moment. */
export const SENT = '2024-05-10T10:00:00Z';

const at = (time: string, more: Event = {}): Event => ({ at: time, ...more });
const open = (time: string, more: Event = {}) => at(time, { kind: 'open', client: 'Apple Mail', ...more });
const click = (time: string, link_id: string, more: Event = {}) =>
  at(time, { kind: 'click', link_id, ...more });
const ordered = (ordered_at: string, total: number, more: Row<'orders'> = {}) => ({
  ...{ ordered_at, total: String(total) },
  ...more,
});

/** Each is a trap of its own. */
export const PEOPLE = {
  clicks: {
    events: [click('2024-05-10T10:30:00Z', 'L1'), click('2024-05-10T10:40:00Z', 'L2')],
    ordered: ordered('2024-05-10T12:00:00Z', 1),
  },
  opensADayBefore: {
    events: [open('2024-05-10T10:30:00Z'), open('2024-05-10T10:30:00Z', { client: 'GoogleImageProxy' })],
    ordered: ordered('2024-05-11T10:30:00Z', 2),
  },
  opensASecondTooEarly: {
    events: [open('2024-05-10T10:30:00Z')],
    ordered: ordered('2024-05-11T10:30:01Z', 4),
  },
  clicksAWeekBefore: {
    events: [click('2024-05-10T10:30:00Z', 'L1')],
    ordered: ordered('2024-05-17T10:30:00Z', 8),
  },
  clicksASecondTooEarly: {
    events: [click('2024-05-10T10:30:00Z', 'L1')],
    ordered: ordered('2024-05-17T10:30:00.000001Z', 16),
  },
  machineOpens: {
    events: [open('2024-05-10T11:00:00Z', { is_machine: 'true' }), open('2024-05-10T10:00:02.999Z')],
    ordered: ordered('2024-05-10T12:00:00Z', 32),
  },
  opensAtOnceAndAgain: {
    events: [open('2024-05-10T10:00:02Z'), open('2024-05-10T10:50:00Z')],
    ordered: ordered('2024-05-10T12:00:00Z', 64),
  },
  botBurst: {
    // Two links within five seconds and a third one later are a person's.
    events: [
      click('2024-05-10T11:00:00Z', 'L1'),
      click('2024-05-10T11:00:02Z', 'L2'),
      click('2024-05-10T11:00:05Z', 'LU'),
      click('2024-05-10T11:00:05Z', 'L1'),
    ],
    ordered: ordered('2024-05-10T12:00:00Z', 128),
  },
  fastReader: {
    events: [
      click('2024-05-10T11:00:00Z', 'L1'),
      click('2024-05-10T11:00:05Z', 'L2'),
      click('2024-05-10T11:00:10Z', 'L3'),
    ],
    ordered: ordered('2024-05-10T12:00:00Z', 256),
  },
  clicksAtOnce: {
    events: [click('2024-05-10T10:00:02.5Z', 'L1'), click('2024-05-10T11:00:00Z', 'L1', { is_bot: 'true' })],
    ordered: ordered('2024-05-10T12:00:00Z', 512),
  },
  unsubscribes: {
    events: [click('2024-05-10T11:00:00Z', 'LU'), at('2024-05-10T11:00:01Z', { kind: 'unsubscribe' })],
    ordered: ordered('2024-05-10T12:00:00Z', 1024),
  },
  cancels: {
    events: [click('2024-05-10T11:00:00Z', 'L1')],
    ordered: ordered('2024-05-10T12:00:00Z', 2048, { status: 'cancelled' }),
  },
  tests: {
    events: [click('2024-05-10T11:00:00Z', 'L1')],
    ordered: ordered('2024-05-10T12:00:00Z', 4096, { is_test: 'true' }),
  },
  ordersBefore: {
    events: [click('2024-05-10T11:00:00Z', 'L1')],
    ordered: ordered('2024-05-10T10:59:59Z', 8192),
  },
  bounces: { send: { outcome: 'hard', bounce_class: 'Invalid Address', smtp_code: '5.1.1' } },
  bouncesSoftly: { send: { outcome: 'soft', smtp_code: '4.2.2', reason_text: 'mailbox is full' } },
  isBlocked: { send: { outcome: 'block', bounce_class: 'spam block', smtp_code: '5.7.1' } },
  bouncesButScanned: { send: { outcome: 'soft' }, events: [open('2024-05-10T10:00:01Z')] },
  bouncesButClicks: {
    send: { outcome: 'soft' },
    events: [at('2024-05-10T11:00:00Z', { kind: 'click', url: 'https://shop.cz/personal?utm_source=x' })],
    ordered: ordered('2024-05-10T12:00:00Z', 16384),
  },
  complains: { events: [open('2024-05-10T11:00:00Z'), at('2024-05-11T11:00:00Z', { kind: 'complaint' })] },
} satisfies Record<string, Person>;

export type Name = keyof typeof PEOPLE;

/** Orders of these people, by whom they are credited to the newsletter. */
export const totalOf = (...names: Name[]): number =>
  names.reduce((sum, name) => {
    const person: Person = PEOPLE[name];
    return sum + Number(person.ordered?.total ?? 0);
  }, 0);

/** A newsletter to all these people, with their orders. */
export function messageShop(): Store {
  const people = Object.entries(PEOPLE) as [Name, Person][];
  return {
    ...emptyStore({ timezone: 'Europe/Prague', primary_currency: 'CZK' }),
    campaigns: [
      {
        ...{ campaign_id: 'news', name: 'May news', campaign_type: 'targeted-emailing', state: 'sent' },
        created_at: '2024-05-01T08:00:00Z',
      },
    ],
    messages: [{ message_id: 'm-news', campaign_id: 'news', channel: 'email', subject: 'It is May' }],
    links: [
      link('L1', 'https://shop.cz/a?utm_source=news&id=1&gclid=x', {
        link_type: 'product',
        label: 'A',
        position: '1',
      }),
      link('L2', 'https://shop.cz/a?id=1&utm_medium=email', {
        link_type: 'product',
        label: 'Also A',
        position: '2',
      }),
      link('L3', 'https://www.facebook.com/shop', { position: '3' }),
      link('LU', 'https://shop.cz/unsubscribe?u=1', { position: '4' }),
    ],
    sends: people.map(([name, { send }]) => ({
      ...{ send_id: `s-${name}`, message_id: 'm-news', email: `${name}@gmail.com`, sent_at: SENT },
      ...{ delivered_at: SENT, sending_domain: 'news.shop.cz' },
      ...send,
    })),
    message_events: people.flatMap(([name, { events = [] }]) =>
      events.map((event, index) => ({ event_id: `${name}-${index}`, send_id: `s-${name}`, ...event })),
    ),
    orders: people.flatMap(([name, person]) =>
      person.ordered ? [{ order_id: name, email: `${name}@GMAIL.com`, ...person.ordered }] : [],
    ),
  };
}

function link(link_id: string, url: string, more: Row<'links'>): Row<'links'> {
  return { link_id, message_id: 'm-news', url, ...more };
}
