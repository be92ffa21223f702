import { describe, expect, it } from 'vitest';
import { tableOf } from './count-fivetran.ts';
import { DELETED, fileOf, type Row } from './fivetran-rows.ts';
import { NO_SAMPLES, samples } from './samples.ts';
import { refusalOf, translateFiles } from './translated.ts';

describe('Klaviyo', () => {
  const event = (id: string, metric_id: string, datetime: string, more: Row = {}): Row => ({
    ...{
      id,
      metric_id,
      person_id: 'P1',
      datetime: `2026-03-05 ${datetime}.000`,
      campaign_id: 'C1',
      flow_id: '',
    },
    ...{
      flow_message_id: '',
      type: '',
      property_campaign_name: 'Spring',
      property_url: '',
      property_bounce_type: '',
    },
    ...more,
  });
  const EVENTS = [
    event('E1', 'M1', '09:00:00'),
    event('E2', 'M2', '10:00:00', { property_url: 'https://shop.example/mugs' }),
    event('E3', 'M3', '11:00:00', { person_id: 'P2', property_bounce_type: 'soft' }),
    event('E4', 'M4', '12:00:00'),
    event('E5', 'MX', '13:00:00', {
      person_id: 'P3',
      campaign_id: '',
      flow_id: 'F1',
      flow_message_id: 'FM1',
      type: 'Received SMS',
    }),
    event('E6', 'M5', '14:00:00'),
  ];
  const metric = (id: string, name: string, integration_name = 'Klaviyo') => ({
    id,
    name,
    integration_name,
    integration_id: 'I',
  });
  const FILES = {
    'event.csv': fileOf(...EVENTS),
    'metric.csv': fileOf(
      ...[metric('M1', 'Received Email'), metric('M2', 'Clicked Email'), metric('M3', 'Bounced Email')],
      ...[metric('M4', 'Placed Order', 'Shopify'), metric('M5', 'Unsubscribed')],
    ),
    'person.csv': fileOf({
      id: 'P1',
      email: 'ann@example.com',
      phone_number: '',
      created: '2026-01-01 00:00:00',
      country: 'Germany',
    }),
    'flow.csv': fileOf({
      id: 'F1',
      name: 'Welcome',
      status: 'live',
      archived: 'FALSE',
      created: '2026-01-01 00:00:00',
      trigger_type: 'Metric',
    }),
  };
  /** The same, as the API answers. */
  const JSON_FILES = {
    'k.ndjson': [
      ...EVENTS.map((row) => ({
        ...{ type: 'event', id: row.id },
        attributes: {
          datetime: row.datetime?.replace(' ', 'T').concat('Z'),
          event_properties: {
            ...{ $message: row.flow_message_id || row.campaign_id, $flow: row.flow_id || null },
            ...{
              'Campaign Name': 'Spring',
              URL: row.property_url || null,
              'Bounce Type': row.property_bounce_type || null,
            },
          },
        },
        relationships: { profile: { data: { id: row.person_id } }, metric: { data: { id: row.metric_id } } },
      })),
      ...[
        ['M1', 'Received Email'],
        ['M2', 'Clicked Email'],
        ['M3', 'Bounced Email'],
        ['M5', 'Unsubscribed'],
        ['MX', 'Received SMS'],
      ].map(([id, name]) => ({ type: 'metric', id, attributes: { name } })),
      { type: 'metric', id: 'M4', attributes: { name: 'Placed Order', integration: { name: 'Shopify' } } },
      {
        ...{ type: 'profile', id: 'P1' },
        attributes: {
          email: 'ann@example.com',
          created: '2026-01-01T00:00:00Z',
          location: { country: 'Germany' },
        },
      },
      {
        ...{ type: 'flow', id: 'F1' },
        attributes: { name: 'Welcome', status: 'live', archived: false, created: '2026-01-01T00:00:00Z' },
      },
    ]
      .map((document) => `${JSON.stringify(document)}\n`)
      .join(''),
  };
  const TABLES = ['profiles', 'campaigns', 'messages', 'sends', 'message_events', 'consent_events'];
  const everything = async (files: Readonly<Record<string, string>>) => {
    const found: Record<string, unknown> = {};
    await translateFiles(files, async ({ rows, rejects }) => {
      found.rejects = rejects;
      for (const table of TABLES) found[table] = await rows(table, '*');
    });
    return found;
  };

  it("has in Fivetran's tables what its API answers", async () => {
    const truth = await everything(JSON_FILES);
    expect(truth.sends).toHaveLength(3);
    expect(await everything(FILES)).toEqual(truth);
  });

  it('takes away what was deleted, and says which metrics are told by their type', () =>
    translateFiles(
      {
        ...FILES,
        'event.csv': fileOf(
          ...EVENTS.map((row, place) => (place === 1 ? { ...row, _fivetran_deleted: 'true' } : row)),
        ),
      },
      async ({ counts, sources }) => {
        expect(counts.message_events).toMatchObject({ deleted: 1, loaded: 1 });
        expect(sources[0]?.assumptions).toContain(
          '1 metric is not in the files: events of it are told by their type',
        );
      },
    ));

  it('takes no campaign, message or send away that another event is of', () => {
    const send = (id: string, datetime: string, more: Row = {}) =>
      event(id, 'M1', datetime, { campaign_id: 'C2', ...more });
    return translateFiles(
      {
        ...FILES,
        'event.csv': fileOf(
          // The first of its campaign is deleted; a deferred message was received; one is gone with its
          // campaign.
          ...[send('E7', '08:00:00', DELETED), send('E8', '09:00:00', { person_id: 'P2' })],
          send('E9', '08:00:00', { person_id: 'P2', ...DELETED }),
          send('E10', '08:00:00', { campaign_id: 'C3', ...DELETED }),
        ),
      },
      async ({ rows, counts }) => {
        expect(await rows('campaigns', 'campaign_id')).toEqual([['C2'], ['F1']]);
        expect(await rows('messages', 'message_id')).toEqual([['C2']]);
        expect(await rows('sends', 'send_id')).toEqual([['C2/P2']]);
        expect(counts.sends).toMatchObject({ deleted: 2 });
        expect(counts.campaigns).toMatchObject({ deleted: 0 });
        expect(counts.messages).toMatchObject({ deleted: 0 });
      },
    );
  });

  it('refuses events that do not say which message they are about', async () =>
    expect(
      await refusalOf({ 'event.csv': fileOf({ id: 'E', metric_id: 'M', person_id: 'P', datetime: '' }) }),
    ).toContain('lacks "campaign_id" (which message it is about)'));
});
const files = samples('klaviyo-fivetran');

it.skipIf(files.length === 0)(
  `Klaviyo's sample has the sends that a count has (${NO_SAMPLES}: nothing to count)`,
  async () => {
    const paths = files.map(({ path }) => path);
    const sends = new Set(
      [...tableOf(paths, 'event'), ...tableOf(paths, 'event_norename')]
        .filter(
          ({ type, campaign_id, flow_message_id }) =>
            type === 'Received Email' && (campaign_id || flow_message_id),
        )
        .map((row) => `${row.flow_message_id || row.campaign_id} ${row.person_id}`),
    );
    await translateFiles(paths[0]?.replace(/[^/]*$/, '') ?? '', async ({ rows }) => {
      expect(await rows('sends', 'count(*)::integer')).toEqual([[sends.size]]);
      expect(await rows('profiles', 'count(*)::integer')).toEqual([[tableOf(paths, 'person').length]]);
    });
  },
);
