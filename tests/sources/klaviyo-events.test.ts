import { describe, expect, it } from 'vitest';
import { translateFiles } from './translated.ts';

const METRICS = {
  M1: 'Received Email',
  M2: 'Opened Email',
  M3: 'Clicked Email',
  M4: 'Bounced Email',
  M5: 'Dropped Email',
  M6: 'Unsubscribed from Email Marketing',
  M7: 'Placed Order',
  M8: 'Received SMS',
  M9: 'Marked Email as Spam',
};

const metrics = [
  ...Object.entries(METRICS).map(([id, name]) => metric(id, name, 'Klaviyo')),
  // Another integration has a metric of the same name.
  metric('X2', 'Opened Email', 'Another Sender'),
];

function metric(id: string, name: string, integration: string) {
  return { type: 'metric', id, attributes: { name, integration: { name: integration } } };
}

const profile = {
  type: 'profile',
  id: 'P1',
  attributes: { email: 'Ann@example.com', phone_number: '+420601234567', external_id: '8137' },
};

function event(
  id: string,
  metricId: string,
  properties: object = {},
  profileId = 'P1',
  datetime = '2026-03-05T10:00:00+00:00',
) {
  return {
    type: 'event',
    id,
    attributes: {
      datetime,
      event_properties: {
        $message: 'CAMP1',
        $_cohort$message_send_cohort: '1586116963:CAMP1',
        'Campaign Name': 'Spring',
        ...properties,
      },
    },
    relationships: {
      profile: { data: { type: 'profile', id: profileId } },
      metric: { data: { type: 'metric', id: metricId } },
    },
  };
}

const lines = (...resources: object[]) =>
  `${resources.map((resource) => JSON.stringify(resource)).join('\n')}\n`;

const EVENTS = [
  event('E1', 'M1', { Subject: 'Hello', 'Email Domain': 'example.com' }),
  event('E2', 'M2', { machine_open: true }),
  event('E3', 'M3', { URL: 'https://shop.example/a', 'Bot Click': false }),
  event('E3b', 'M3', { URL: 'https://shop.example/a' }),
  event('E4', 'M4', { 'Bounce Type': 'Soft' }, 'P2'),
  event('E5', 'M1', {}, 'P2', '2026-03-05T11:00:00+00:00'),
  event('E6', 'M4', { 'Bounce Type': 'Hard' }, 'P3'),
  event('E7', 'M5', {}, 'P4'),
  event('E8', 'M7', { $value: 100 }),
  event('E9', 'X2'),
  event('E10', 'M8', { $message: 'SMS1', $flow: 'FLOW1', 'Campaign Name': 'Text 1' }),
  event('E11', 'M6', {}, 'P3'),
];

describe('events of messages', () => {
  it('makes sends, events, campaigns and consents of them, and orders of none', () =>
    translateFiles(
      { 'events.ndjson': lines(...metrics, profile, ...EVENTS) },
      async ({ rows, counts, rejects }) => {
        expect(rejects).toEqual([]);
        expect(Object.keys(counts)).not.toContain('orders');
        expect(await rows('sends', 'message_id, profile_id, outcome, recipient_domain')).toEqual([
          ['CAMP1', 'P1', 'delivered', 'example.com'],
          // It was deferred first.
          ['CAMP1', 'P2', 'delivered', null],
          ['CAMP1', 'P3', 'hard', null],
          ['SMS1', 'P1', 'delivered', null],
        ]);
        // There may be several at one moment; one with the same name from another integration is a different
        // event.
        expect(await rows('message_events', 'event_id, kind, is_machine, url')).toEqual([
          ['E11', 'unsubscribe', false, null],
          ['E2', 'open', true, null],
          ['E3', 'click', false, 'https://shop.example/a'],
          ['E3b', 'click', false, 'https://shop.example/a'],
        ]);
        expect(await rows('campaigns', 'campaign_id, name, campaign_type, state')).toEqual([
          ['CAMP1', 'Spring', 'targeted-emailing', 'sent'],
          ['FLOW1', 'FLOW1', 'incremental-sms', 'active'],
        ]);
        expect(await rows('messages', 'message_id, campaign_id, name, channel, subject')).toEqual([
          ['CAMP1', 'CAMP1', 'Spring', 'email', 'Hello'],
          ['SMS1', 'FLOW1', 'Text 1', 'sms', null],
        ]);
        expect(await rows('consent_events', 'profile_id, channel, state')).toEqual([
          ['P3', 'email', 'unsubscribed'],
        ]);
        expect(
          await rows('profiles', 'profile_id, email_domain, phone_country, external_customer_id'),
        ).toEqual([['P1', 'example.com', 'CZ', '8137']]);
        expect(JSON.stringify(await rows('profiles', '*'))).not.toMatch(/nn@|601234567/);
      },
    ));

  it('counts the variants of a message that one person got as sends of their own', () =>
    translateFiles(
      {
        'events.ndjson': lines(
          ...metrics,
          event('V1', 'M1', { $variation: 'A' }),
          event('V2', 'M1', { $variation: 'B' }),
          event('V3', 'M2', { $variation: 'B' }),
        ),
      },
      async ({ rows }) => {
        expect(await rows('sends', 'send_id, message_id')).toEqual([
          ['CAMP1/A/P1/1586116963:CAMP1', 'CAMP1'],
          ['CAMP1/B/P1/1586116963:CAMP1', 'CAMP1'],
        ]);
        expect(await rows('message_events', 'event_id, send_id')).toEqual([
          ['V3', 'CAMP1/B/P1/1586116963:CAMP1'],
        ]);
      },
    ));

  it('takes names, states and beginnings from campaigns and flows, by their own ids or those of their messages', () => {
    const campaign = (id: string, message: string, status: string) => ({
      ...{ type: 'campaign', id },
      attributes: {
        ...{ name: `Campaign ${id}`, status, archived: false, created_at: '2026-03-01T00:00:00+00:00' },
        ...{ updated_at: '2026-03-02T00:00:00+00:00', send_time: '2026-03-05T10:00:00+00:00' },
      },
      relationships: { 'campaign-messages': { data: [{ type: 'campaign-message', id: message }] } },
    });
    const flow = {
      ...{ type: 'flow', id: 'FLOW1' },
      attributes: { name: 'Welcome', status: 'live', created: '2026-01-01T00:00:00+00:00' },
    };
    const told = [
      ...[campaign('CAMP1', 'MSG1', 'Sent'), campaign('OTHER', 'SMS2', 'Cancelled: Billing Limit')],
      // Nobody knows yet by which id its events will name it.
      ...[campaign('LATER', 'MSG3', 'Scheduled'), flow],
    ];
    const events = [
      ...[event('E1', 'M1'), event('E2', 'M8', { $message: 'SMS2' })],
      event('E3', 'M1', { $message: 'STEP1', $flow: 'FLOW1' }),
    ];
    return translateFiles(
      { 'events.ndjson': lines(...metrics, ...told, ...events) },
      async ({ rows, rejects }) => {
        expect(rejects).toEqual([]);
        expect(
          await rows(
            'campaigns',
            'campaign_id, name, state, cast(created_at as varchar), scheduled_at is not null',
          ),
        ).toEqual([
          ['CAMP1', 'Campaign CAMP1', 'sent', '2026-03-01 00:00:00', true],
          ['FLOW1', 'Welcome', 'active', '2026-01-01 00:00:00', false],
          ['SMS2', 'Campaign OTHER', 'canceled', '2026-03-01 00:00:00', true],
        ]);
      },
    );
  });

  it('takes the strictest of the consents of one moment, in whatever order they stand', () => {
    const at = (id: string, metricId: string, person: string) => event(id, metricId, {}, person);
    const later = '2026-03-05T11:00:00+00:00';
    return translateFiles(
      {
        'events.ndjson': lines(
          ...metrics,
          metric('S', 'Subscribed to Email Marketing', 'Klaviyo'),
          ...[at('E1', 'M9', 'P1'), at('E2', 'M6', 'P1'), at('E3', 'M6', 'P2'), at('E4', 'M9', 'P2')],
          ...[at('E5', 'M6', 'P3'), at('E6', 'S', 'P3'), event('E7', 'S', {}, 'P3', later)],
        ),
      },
      async ({ rows }) =>
        expect(await rows('consent_events', 'profile_id, cast("at" as time)::varchar, state')).toEqual([
          ['P1', '10:00:00', 'complained'],
          ['P2', '10:00:00', 'complained'],
          ['P3', '10:00:00', 'unsubscribed'],
          ['P3', '11:00:00', 'subscribed'],
        ]),
    );
  });

  it('takes consents and what suppresses people from profiles', () => {
    const withEmail = (id: string, marketing: object) => ({
      ...{ type: 'profile', id },
      attributes: { email: `${id}@example.com`, subscriptions: { email: { marketing }, sms: null } },
    });
    const people = [
      withEmail('P1', {
        consent: 'SUBSCRIBED',
        consent_timestamp: '2026-01-01T00:00:00+00:00',
        suppression: [],
      }),
      withEmail('P2', {
        ...{ consent: 'UNSUBSCRIBED', consent_timestamp: null, last_updated: '2026-01-02T00:00:00+00:00' },
        suppression: [
          { reason: 'HARD_BOUNCE', timestamp: '2026-01-03T00:00:00+00:00' },
          { reason: 'USER_SUPPRESSED', timestamp: '2026-01-04T00:00:00+00:00' },
        ],
      }),
      withEmail('P3', { consent: 'NEVER_SUBSCRIBED', consent_timestamp: '2026-01-01T00:00:00+00:00' }),
      withEmail('P4', { consent: 'SUBSCRIBED', consent_timestamp: null }),
    ];
    return translateFiles({ 'profiles.ndjson': lines(...people) }, async ({ rows, rejects }) => {
      expect(rejects).toEqual([]);
      expect(await rows('consent_events', 'profile_id, channel, cast("at" as date)::varchar, state')).toEqual(
        [
          ['P1', 'email', '2026-01-01', 'subscribed'],
          ['P2', 'email', '2026-01-02', 'unsubscribed'],
          ['P2', 'email', '2026-01-03', 'bounced'],
          ['P2', 'email', '2026-01-04', 'suppressed'],
        ],
      );
    });
  });

  it('takes of a profile that comes several times what its newest copy says, and of the others what that does not', () => {
    const copy = (updated: string, location: object) => ({
      ...{ type: 'profile', id: 'P1' },
      attributes: { email: 'ann@example.com', updated, location },
    });
    const newest = copy('2026-05-02T10:00:00+00:00', { country: 'SK' });
    const oldest = copy('2026-05-02T11:30:00+02:00', { country: 'CZ' });
    const silent = copy('2026-06-01T00:00:00+00:00', {});
    return Promise.all(
      [
        [newest, oldest],
        [oldest, newest],
        [silent, newest, oldest],
      ].flatMap((copies) =>
        [JSON.stringify(copies), JSON.stringify({ data: copies }), lines(...copies)].map((text) =>
          translateFiles({ 'profiles.json': text }, async ({ rows }) =>
            expect(await rows('profiles', 'profile_id, country')).toEqual([['P1', 'SK']]),
          ),
        ),
      ),
    );
  });

  it('says what of the files becomes nothing', () => {
    const nowhere = { $message: null };
    return translateFiles(
      {
        'events.json': JSON.stringify({
          data: [
            ...EVENTS,
            ...[event('E12', 'M1', nowhere), event('E13', 'M2', nowhere, 'P2')],
            // That somebody does not want to be written to any more is known without a message too.
            event('E14', 'M6', nowhere, 'P4'),
          ],
          included: [...metrics, profile],
        }),
      },
      async ({ sources, rows, rejects }) => {
        expect(rejects).toEqual([]);
        expect(await rows('consent_events', 'profile_id, state', "profile_id = 'P4'")).toHaveLength(1);
        // A document that ends without a line end is whole: that is not told.
        expect(sources[0]?.assumptions.slice(0, 3)).toEqual([
          '2 sends, opens and clicks name neither a campaign nor a flow, and are not counted',
          '3 events are of other kinds, such as orders, visits and messages that were dropped, and are not imported',
          expect.stringMatching(/^1 profile does not say who consented /),
        ]);
      },
    );
  });

  it('gives each event the id of its send', () =>
    translateFiles({ 'events.ndjson': lines(...metrics, ...EVENTS) }, async ({ rows }) => {
      const sends = (await rows('sends', 'send_id')).flat();
      for (const [id] of await rows('message_events', 'distinct send_id')) expect(sends).toContain(id);
    }));

  it('reads answers of the API as they are, with what they include, and an event that comes twice once', () =>
    translateFiles(
      {
        'page-1.json': JSON.stringify(
          { data: EVENTS.slice(0, 4), included: [...metrics, profile], links: { next: null } },
          null,
          2,
        ),
        'page-2.json': JSON.stringify({ data: EVENTS.slice(3), included: metrics }),
      },
      async ({ rows, counts }) => {
        expect(counts).toMatchObject({ message_events: { loaded: 4, replaced: 0 }, sends: { loaded: 4 } });
        expect(await rows('profiles', 'profile_id')).toEqual([['P1']]);
      },
    ));

  it('rejects events whose metric nobody names, and lines that are no JSON', () =>
    translateFiles(
      { 'events.ndjson': `${lines(...metrics, event('E1', 'M99'))}{"type": "event", "id"` },
      ({ rejects }) =>
        expect(rejects).toEqual([
          { file: 'events.ndjson', line: 11, reason: expect.stringContaining('export the metrics too') },
          { file: 'events.ndjson', line: 12, reason: 'is no JSON document' },
        ]),
    ));
});
