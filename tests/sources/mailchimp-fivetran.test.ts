import { describe, expect, it } from 'vitest';
import { tableOf } from './count-fivetran.ts';
import { DELETED, fileOf, type Row } from './fivetran-rows.ts';
import { NO_SAMPLES, samples } from './samples.ts';
import { translateFiles } from './translated.ts';

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
          ...[member('here', 'subscribed', { unique_email_id: '' }), member('gone', 'subscribed', DELETED)],
          member('Old', 'subscribed', { unique_email_id: '', ...DELETED }),
          // The member stands in another audience.
          ...[member('moved', 'subscribed', DELETED), member('moved', 'subscribed', { list_id: 'L2' })],
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
        member('gone', 'subscribed', DELETED),
      ),
      'campaign.csv': fileOf(
        campaign('C1'),
        campaign('C2', { status: 'save', send_time: '' }),
        campaign('C3', { status: 'schedule', title: '', type: 'automation-email' }),
        campaign('C4', DELETED),
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
