import { describe, expect, it } from 'vitest';
import { tableOf } from './count-fivetran.ts';
import { NO_SAMPLES, samples } from './samples.ts';
import { csvOf, refusalOf, translateFiles } from './translated.ts';

const SYNCED = { _fivetran_synced: '2026-04-01 05:00:00.123', _fivetran_deleted: 'FALSE' };
type Row = Readonly<Record<string, string>>;
const fileOf = (...rows: readonly Row[]) => {
  const marked = rows.map((row) => ({ ...SYNCED, ...row }));
  return csvOf([...new Set(marked.flatMap((row) => Object.keys(row)))], marked);
};

const GONE = { _fivetran_deleted: 'true' };

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
          // The first of its campaign is deleted; a deferred message was received; one is gone with its campaign.
          ...[send('E7', '08:00:00', GONE), send('E8', '09:00:00', { person_id: 'P2' })],
          send('E9', '08:00:00', { person_id: 'P2', ...GONE }),
          send('E10', '08:00:00', { campaign_id: 'C3', ...GONE }),
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

describe('Mailchimp', () => {
  const member = (id: string, status: string, more: Row = {}): Row => ({
    ...{
      id: `h${id}`,
      list_id: 'L',
      unique_email_id: id,
      email_address: `${id}@example.com`,
      status,
      country_code: 'DE',
    },
    ...{
      timestamp_signup: '2026-01-01 08:00:00',
      timestamp_opt: '2026-01-01 09:00:00',
      last_changed: '2026-02-01 10:00:00',
    },
    ...more,
  });

  it('tells who is subscribed, and who left and when', () =>
    translateFiles(
      {
        'member.csv': fileOf(
          ...['subscribed', 'unsubscribed', 'cleaned', 'archived', 'pending', 'transactional'].map((status) =>
            member(status, status),
          ),
          ...[member('gone', 'subscribed', { _fivetran_deleted: 'true' }), member('new', 'invited')],
        ),
      },
      async ({ rows, rejects, counts }) => {
        expect(await rows('consent_events', 'profile_id, cast("at" as varchar), state')).toEqual([
          ['archived', '2026-01-01 09:00:00', 'subscribed'],
          ['archived', '2026-02-01 10:00:00', 'unsubscribed'],
          ['cleaned', '2026-01-01 09:00:00', 'subscribed'],
          ['cleaned', '2026-02-01 10:00:00', 'bounced'],
          ['subscribed', '2026-01-01 09:00:00', 'subscribed'],
          ['unsubscribed', '2026-01-01 09:00:00', 'subscribed'],
          ['unsubscribed', '2026-02-01 10:00:00', 'unsubscribed'],
        ]);
        expect(counts.profiles).toMatchObject({ loaded: 6, deleted: 1 });
        expect(rejects).toMatchObject([
          {
            file: 'member.csv',
            line: 9,
            reason: expect.stringContaining('has a status that Mailchimp does not document'),
          },
        ]);
      },
    ));

  it('lets everybody go who was deleted, also one without an id for all audiences', () =>
    translateFiles(
      {
        'member.csv': fileOf(
          ...[member('here', 'subscribed', { unique_email_id: '' }), member('gone', 'subscribed', GONE)],
          member('Old', 'subscribed', { unique_email_id: '', ...GONE }),
          // The member stands in another audience.
          ...[member('moved', 'subscribed', GONE), member('moved', 'subscribed', { list_id: 'L2' })],
        ),
      },
      async ({ rows, rejects, counts, sources }) => {
        expect(rejects).toEqual([]);
        expect(sources).toHaveLength(1);
        expect(await rows('profiles', 'count(*)::integer')).toEqual([[2]]);
        expect(counts.profiles).toMatchObject({ loaded: 2, deleted: 2 });
      },
    ));

  describe('campaigns', () => {
    const campaign = (id: string, more: Row = {}): Row => ({
      ...{
        id,
        type: 'regular',
        status: 'sent',
        title: `Title ${id}`,
        subject_line: `Subject ${id}`,
        list_id: 'L',
      },
      ...{ create_time: '2026-03-01 08:00:00', send_time: '2026-03-02 09:00:00' },
      ...more,
    });
    const recipient = (campaign_id: string, id: string): Row => ({
      ...{ campaign_id, member_id: `h${id}`, combination_id: '', list_id: 'L' },
    });
    const activity = (
      campaign_id: string,
      id: string,
      action: string,
      timestamp: string,
      more: Row = {},
    ): Row => ({
      ...{ campaign_id, member_id: `h${id}`, action, timestamp, bounce_type: '', url: '' },
      ...more,
    });
    const FILES = {
      'member.csv': fileOf(
        member('ann', 'subscribed'),
        member('bob', 'cleaned'),
        member('gone', 'subscribed', GONE),
      ),
      'campaign.csv': fileOf(
        campaign('C1'),
        campaign('C2', { status: 'save', send_time: '' }),
        campaign('C3', { status: 'schedule', title: '', type: 'automation-email' }),
        campaign('C4', GONE),
      ),
      'campaign_recipient.csv': fileOf(
        ...[
          recipient('C1', 'ann'),
          recipient('C1', 'bob'),
          recipient('C1', 'stranger'),
          recipient('C1', 'gone'),
        ],
        ...[recipient('C4', 'ann'), recipient('C9', 'ann'), recipient('C2', 'ann')],
      ),
      'campaign_recipient_activity.csv': fileOf(
        activity('C1', 'ann', 'open', '2026-03-02 10:00:00'),
        activity('C1', 'ann', 'click', '2026-03-02 10:01:00', { url: 'https://shop.example/a' }),
        activity('C1', 'ann', 'click', '2026-03-02 10:01:00', { url: 'https://shop.example/b' }),
        activity('C1', 'bob', 'bounce', '2026-03-02 09:05:00', { bounce_type: 'hard' }),
        activity('C1', 'stranger', 'bounce', '2026-03-02 09:05:00', { bounce_type: 'soft' }),
        activity('C8', 'ann', 'open', '2026-03-02 10:00:00'),
      ),
      'unsubscribe.csv': fileOf({
        ...{
          campaign_id: 'C1',
          member_id: 'hann',
          timestamp: '2026-03-03 10:00:00',
          reason: '',
          list_id: 'L',
        },
      }),
    };

    it('are read with whom they were sent to, and what those did', () =>
      translateFiles(FILES, async ({ rows, rejects, warnings, sources }) => {
        expect(
          await rows('campaigns', 'campaign_id, name, campaign_type, state, cast(scheduled_at as varchar)'),
        ).toEqual([
          ['C1', 'Title C1', 'targeted-emailing', 'sent', '2026-03-02 09:00:00'],
          ['C2', 'Title C2', 'targeted-emailing', 'draft', null],
          ['C3', 'Subject C3', 'incremental-emailing', 'scheduled', '2026-03-02 09:00:00'],
          ['C4', 'Title C4', 'targeted-emailing', 'deleted', '2026-03-02 09:00:00'],
        ]);
        expect(await rows('messages', 'message_id, channel, subject')).toContainEqual([
          'C1',
          'email',
          'Subject C1',
        ]);
        expect(
          await rows(
            'sends',
            "message_id, split_part(profile_id, ':', 1), cast(sent_at as varchar), outcome",
          ),
        ).toEqual([
          ['C1', 'ann', '2026-03-02 09:00:00', null],
          ['C1', 'bob', '2026-03-02 09:00:00', 'hard'],
          ['C1', 'member', '2026-03-02 09:00:00', 'soft'],
          ['C4', 'ann', '2026-03-02 09:00:00', null],
        ]);
        const [[ann] = []] = await rows('sends', 'send_id', "message_id = 'C1' and profile_id = 'ann'");
        expect(await rows('message_events', 'send_id, kind, cast("at" as varchar), url')).toEqual([
          [ann, 'click', '2026-03-02 10:01:00', 'https://shop.example/a'],
          [ann, 'click', '2026-03-02 10:01:00', 'https://shop.example/b'],
          [ann, 'open', '2026-03-02 10:00:00', null],
          [ann, 'unsubscribe', '2026-03-03 10:00:00', null],
        ]);
        // Mailchimp's id of a member is a hash of the address that anybody can compute.
        const ids = [
          ...(await rows('sends', 'send_id, profile_id')),
          ...(await rows('message_events', 'event_id, send_id')),
        ];
        expect(JSON.stringify(ids)).not.toMatch(/hann|hbob|hstranger/);
        expect(rejects.map(({ file, line }) => [file, line])).toEqual([
          ['campaign_recipient.csv', 7],
          ['campaign_recipient.csv', 8],
        ]);
        const said = [...warnings, JSON.stringify(sources)].join();
        expect(said).toContain('1 open, click or other event is of sends that are not in the files');
        expect(said).toContain('1 send is to a member who is not in the files');
      }));

    it('have no opens of sends that are not given', () => {
      const { 'campaign_recipient.csv': _, ...others } = FILES;
      return translateFiles(others, async ({ rows, rejects }) => {
        expect(rejects).toEqual([]);
        expect(await rows('sends', 'count(*)::integer')).toEqual([[0]]);
        expect(await rows('message_events', 'count(*)::integer')).toEqual([[0]]);
        expect(await rows('campaigns', 'count(*)::integer')).toEqual([[4]]);
      });
    });
  });

  const files = samples('mailchimp-fivetran');
  it.skipIf(files.length === 0)(
    `has the members of the sample that a count has (${NO_SAMPLES}: nothing to count)`,
    () =>
      translateFiles(
        files.map(({ path }) => path).find((path) => path.endsWith('member.csv')) ?? '',
        async ({ rows }) => {
          const members = tableOf(
            files.map(({ path }) => path),
            'member',
          );
          const ids = new Set(members.map((row) => row.unique_email_id));
          const left = new Set(
            members.filter(({ status }) => status !== 'subscribed').map((row) => row.unique_email_id),
          );
          expect(await rows('profiles', 'count(*)::integer')).toEqual([[ids.size]]);
          expect(
            await rows(
              'consent_events',
              "count(*) filter (state = 'subscribed')::integer, count(*) filter (state = 'unsubscribed')::integer",
            ),
          ).toEqual([[ids.size, left.size]]);
        },
      ),
  );
});

describe('Google Ads', () => {
  const stats = (id: string, date: string, cost_micros: string, more: Row = {}): Row => ({
    ...{
      _fivetran_id: `${id}${date}${cost_micros}`,
      customer_id: '7',
      id,
      date,
      cost_micros,
      clicks: '2',
      impressions: '10',
    },
    ...more,
  });
  const FILES = {
    'campaign_stats.csv': fileOf(
      ...[
        stats('1', '2026-03-01', '1500000'),
        stats('1', '2026-03-01', '2250000'),
        stats('1', '2026-03-02', '10000'),
      ],
      ...[stats('2', '2026-03-01', '1'), stats('2', '2026-03-02', '9000000', { _fivetran_deleted: 'true' })],
    ),
    'campaign_history.csv': csvOf(
      ['id', 'updated_at', 'name', 'customer_id', 'serving_status'],
      [
        { id: '1', updated_at: '2026-02-01T00:00:00', name: 'Mugs', customer_id: '7' },
        { id: '1', updated_at: '2026-01-01T00:00:00', name: 'Cups', customer_id: '7' },
      ],
    ),
  };

  it('costs are those of a campaign and a day', () =>
    translateFiles(
      {
        ...FILES,
        'account_history.csv': fileOf({ id: '7', updated_at: '2026-01-01', currency_code: 'CZK' }),
      },
      async ({ rows, rejects }) => {
        expect(rejects).toEqual([]);
        expect(
          await rows(
            'ad_costs',
            'cast(day as varchar), source, medium, campaign, cost, clicks::integer, impressions::integer',
          ),
        ).toEqual([
          ['2026-03-01', 'google', 'cpc', '2', 0, 2, 10],
          ['2026-03-01', 'google', 'cpc', 'Mugs', 3.75, 4, 20],
          ['2026-03-02', 'google', 'cpc', 'Mugs', 0.01, 2, 10],
        ]);
      },
    ));

  it('asks for a currency that no table says', async () => {
    expect(await refusalOf(FILES)).toContain(
      'costs without their currency (the table account_history has it): 5 rows',
    );
    const account = { id: '7', updated_at: '2026-01-01', currency_code: '' };
    for (const told of [account, { ...account, currency_code: 'EUR', ...GONE }])
      expect(await refusalOf({ ...FILES, 'account_history.csv': fileOf(told) })).toContain(
        'costs without their currency (the table account_history has it): 5 rows',
      );
  });

  const files = samples('ads-google-fivetran');
  it.skipIf(files.length === 0)(
    `has the cost of the sample that a count says (${NO_SAMPLES}: nothing to count)`,
    async () => {
      const paths = files.map(({ path }) => path);
      const rows = tableOf(paths, 'campaign_stats');
      const sum = (name: string) => rows.reduce((total, row) => total + Number(row[name]), 0);
      const folder = paths[0]?.replace(/[^/]*$/, '') ?? '';
      await translateFiles(
        folder,
        async (found) =>
          expect(
            await found.rows(
              'ad_costs',
              'sum(cost)::double, sum(clicks)::integer, sum(impressions)::integer, count(distinct day)::integer',
            ),
          ).toEqual([
            [
              sum('cost_micros') / 1e6,
              sum('clicks'),
              sum('impressions'),
              new Set(rows.map(({ date }) => date)).size,
            ],
          ]),
        { currency: 'CZK' },
      );
    },
  );
});

describe('Facebook Ads', () => {
  const COSTS = 'cast(day as varchar), source, medium, campaign, cost, clicks::integer, impressions::integer';
  const day = (ad_id: string, date: string, spend: string, more: Row = {}): Row => ({
    ...{ ad_id, date, spend, account_id: '17', inline_link_clicks: '2', impressions: '10' },
    ...more,
  });
  const FILES = {
    'basic_ad.csv': fileOf(
      ...[day('1', '2026-03-01', '1.5'), day('2', '2026-03-01', '2.25'), day('2', '2026-03-02', '0.01')],
      ...[day('3', '2026-03-02', '4'), day('4', '2026-03-02', '9', { _fivetran_deleted: 'true' })],
    ),
    'ad_history.csv': fileOf(
      ...[
        { id: '1', updated_time: '2026-01-01T00:00:00', campaign_id: '8', ad_set_id: '5' },
        { id: '1', updated_time: '2026-02-01T00:00:00', campaign_id: '9', ad_set_id: '5' },
        { id: '2', updated_time: '2026-01-01T00:00:00', campaign_id: '9.0', ad_set_id: '5' },
      ],
    ),
    'campaign_history.csv': fileOf(
      ...[
        { id: '9', updated_time: '2026-01-01T00:00:00', name: 'Cups', account_id: '17' },
        { id: '9', updated_time: '2026-02-01T00:00:00', name: 'Mugs', account_id: '17' },
      ],
    ),
  };

  it('costs are those of a campaign and a day, of all its advertisements', () =>
    translateFiles(
      { ...FILES, 'account_history.csv': fileOf({ id: '17', currency: 'CZK', account_status: 'ACTIVE' }) },
      async ({ rows, rejects }) => {
        expect(rejects).toEqual([]);
        expect(await rows('ad_costs', COSTS)).toEqual([
          ['2026-03-01', 'facebook', 'cpc', 'Mugs', 3.75, 4, 20],
          ['2026-03-02', 'facebook', 'cpc', 'Mugs', 0.01, 2, 10],
          ['2026-03-02', 'facebook', 'cpc', null, 4, 2, 10],
        ]);
      },
    ));

  it('asks for a currency that no table says', async () => {
    expect(await refusalOf(FILES)).toContain(
      'costs without their currency (the table account_history has it)',
    );
  });

  const insight = (ad_id: string, date: string, spend: string, at: string, more: Row = {}): Row => ({
    ...{ ad_id, date_start: date, date_stop: date, spend, account_currency: 'CZK', campaign_name: 'Mugs' },
    ...{
      inline_link_clicks: '2',
      impressions: '10',
      _airbyte_extracted_at: at,
      _airbyte_raw_id: `${ad_id}${at}`,
    },
    ...more,
  });
  const insights = (...rows: readonly Row[]) => csvOf(Object.keys(rows[0] ?? {}), rows);

  it("counts a day of Airbyte's ads_insights as it was brought last", () =>
    translateFiles(
      {
        'ads_insights.csv': insights(
          insight('1', '2026-03-01', '1.5', '2026-03-02T00:00:00Z'),
          insight('1', '2026-03-01', '1.75', '2026-03-03T00:00:00Z'),
          insight('2', '2026-03-01', '2', '2026-03-02T00:00:00Z'),
          insight('3', '2026-03-01', '9', '2026-03-02T00:00:00Z', { date_stop: '2026-03-31' }),
        ),
      },
      async ({ rows, rejects, sources }) => {
        expect(sources[0]?.source).toBe('facebook-ads-airbyte');
        expect(await rows('ad_costs', COSTS)).toEqual([
          ['2026-03-01', 'facebook', 'cpc', 'Mugs', 3.75, 4, 20],
        ]);
        expect(rejects.map(({ reason }) => reason)).toEqual([expect.stringContaining('is of several days')]);
      },
    ));

  it.each(['age', 'country', 'publisher_platform'])(
    "does not take Airbyte's insights by %s for those of whole advertisements",
    async (breakdown) => {
      const part = (value: string) =>
        insight('1', '2026-03-01', '1.5', '2026-03-02T00:00:00Z', { [breakdown]: value });
      await translateFiles(
        {
          'ads_insights.csv': insights(insight('1', '2026-03-01', '3', '2026-03-02T00:00:00Z')),
          'ads_insights_parts.csv': insights(part('a'), part('b')),
        },
        async ({ rows, warnings }) => {
          expect(await rows('ad_costs', 'cost')).toEqual([[3]]);
          expect(warnings.join()).toContain('not read: ads_insights_parts.csv');
        },
      );
    },
  );

  it("asks for a currency that Airbyte's rows do not say", async () =>
    expect(
      await refusalOf({
        'ads_insights.csv': insights(
          insight('1', '2026-03-01', '1.5', '2026-03-02T00:00:00Z', { account_currency: '' }),
        ),
      }),
    ).toContain('costs without their currency (the column account_currency has it)'));
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
