import { plural } from '../../text/plural.ts';
import type { Finding, RawRows } from '../source.ts';
import { column, currentOf, type FivetranTable, fivetranTable, needed, utcCell } from './fivetran-cells.ts';

const SENDS = 'mailchimp_fivetran_sends';
const EVENTS = 'mailchimp_fivetran_events';

/** The tables that tell which campaigns Mailchimp sent, who got them, and what they did. */
export const CAMPAIGN_TABLES = {
  campaign: fivetranTable(['id'], {
    names: ['campaign'],
    signature: [['subject_line'], ['send_time'], ['list_id', 'type']],
    absent: 'no campaigns and sends',
    columns: {
      id: needed('which campaign it is', 'id'),
      status: needed('whether it was sent', 'status'),
      type: needed('whether it is an automation', 'type'),
      title: needed('its name', 'title'),
      subject: needed('its subject', 'subject_line'),
      created_at: needed('since when it is there', 'create_time'),
      sent_at: needed('when it was sent', 'send_time'),
    },
  }),
  campaign_recipient: fivetranTable(['campaign_id', 'member_id'], {
    names: ['campaign_recipient'],
    signature: [['campaign_id'], ['member_id'], ['combination_id', 'list_id']],
    absent: 'no sends, opens and clicks',
    columns: {
      campaign_id: needed('which campaign it is of', 'campaign_id'),
      member_id: needed('who got it', 'member_id'),
    },
  }),
  campaign_recipient_activity: fivetranTable(['campaign_id', 'member_id', 'action', 'timestamp', 'url'], {
    names: ['campaign_recipient_activity'],
    signature: [['campaign_id'], ['member_id'], ['action'], ['timestamp']],
    absent: 'no opens, clicks and bounces',
    columns: {
      campaign_id: needed('which campaign it is about', 'campaign_id'),
      member_id: needed('who did it', 'member_id'),
      action: needed('what was done', 'action'),
      timestamp: needed('when it was done', 'timestamp'),
      bounce_type: { ...column('bounce_type'), absent: 'each bounce counts as a hard one' },
      url: { ...column('url'), absent: 'clicks are of no link' },
    },
  }),
  unsubscribe: fivetranTable(['campaign_id', 'member_id', 'timestamp'], {
    names: ['unsubscribe'],
    signature: [['campaign_id'], ['member_id'], ['timestamp'], ['reason', 'list_id']],
    absent: 'no unsubscribing by a campaign',
    columns: {
      campaign_id: needed('by which campaign it was', 'campaign_id'),
      member_id: needed('who left', 'member_id'),
      timestamp: needed('when it was', 'timestamp'),
    },
  }),
} as const satisfies Readonly<Record<string, FivetranTable>>;

/** What Mailchimp calls the state of a campaign, and what it is to us. */
const STATES: Readonly<Record<string, string>> = {
  save: 'draft',
  paused: 'paused',
  schedule: 'scheduled',
  sending: 'active',
  sent: 'sent',
  canceled: 'canceled',
  canceling: 'canceled',
  archived: 'archived',
};

/** SQL of columns that are a part of a row's key, and may be empty. */
export const CELLS_OF_KEYS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  campaign_recipient_activity: { url: `coalesce(url, '')` },
};

const source = { name: 'mailchimp-fivetran' };
const current = (table: keyof typeof CAMPAIGN_TABLES) => `"${currentOf(source, table)}"`;

/**
 * SQL: Mailchimp's id of a member is an unsalted hash of the address, by which anybody could try addresses.
 * No row of ours has it.
 */
const who = (alias: string) => `keyed_hash(${alias}member_id)`;
const sendId = (alias = '') => `${alias}campaign_id || '/' || ${who(alias)}`;

/**
 * @param profileId SQL over a row of `members`: who it is
 * @param members the table of all members, `is_deleted` among their columns
 */
export function prepareSends(members: string, profileId: string): string[] {
  return [
    // Members of several audiences have one id in all of them: it is made of their address.
    `create temp table ${SENDS} as
      with person as (
        select id, any_value(${profileId}) filter (not is_deleted) as profile_id, bool_and(is_deleted) as is_gone from "${members}" group by id
      )
      select r._row, ${sendId('r.')} as send_id, r.campaign_id, r.member_id, r.is_deleted,
        coalesce(p.profile_id, 'member:' || ${who('r.')}) as profile_id, p.id is null as is_unknown, ${utcCell('c.sent_at')} as sent_at, case
          when c.id is null then 'is of a campaign that is not in the files (the table campaign has it)'
          when c.sent_at is null then 'is of a campaign that does not say when it was sent'
        end as malformed
      from ${current('campaign_recipient')} as r
      left join ${current('campaign')} as c on c.id = r.campaign_id
      left join person as p on p.id = r.member_id
      where not coalesce(p.is_gone, false)`,
    `create temp table ${EVENTS} as
      select _row, campaign_id, member_id, lower(action) as kind, timestamp as happened_at, nullif(url, '') as url, bounce_type, is_deleted from ${current('campaign_recipient_activity')}
      union all
      select _row, campaign_id, member_id, 'unsubscribe', timestamp, null, null, is_deleted from ${current('unsubscribe')}`,
  ];
}

const IS_SENT = `${sendId('e.')} in (select send_id from ${SENDS} where malformed is null and not is_deleted)`;

/** Events of sends that are not there are left out: who opened would else be all that were written to. */
export const FINDINGS_OF_SENDS: readonly Finding[] = [
  {
    count: `select count(*) from ${EVENTS} as e where not is_deleted and not ${IS_SENT}`,
    says: (count) =>
      `${plural(count, 'open, click or other event is', 'opens, clicks and other events are')} of sends that are not in the files, and not read: give the table campaign_recipient`,
  },
  {
    count: `select count(*) from ${SENDS} where is_unknown`,
    says: (count) =>
      `${plural(count, 'send is to a member who is', 'sends are to members who are')} not in the files: nobody of the shop is known by ${count === 1 ? 'it' : 'them'}. Give the table member`,
  },
];

export function campaignTables(): Readonly<Record<string, string>> {
  const state = `case lower(status) ${Object.entries(STATES)
    .map(([status, ours]) => `when '${status}' then '${ours}'`)
    .join(' ')} else 'active' end`;
  return {
    campaigns: `
      select _row, id as campaign_id, coalesce(title, subject, id) as name,
        case when lower(type) like 'auto%' then 'incremental-emailing' else 'targeted-emailing' end as campaign_type,
        case when is_deleted then 'deleted' else ${state} end as state, ${utcCell('created_at')} as created_at, ${utcCell('sent_at')} as scheduled_at
      from ${current('campaign')} order by _row`,
    messages: `
      select _row, id as message_id, id as campaign_id, title as name, 'email' as channel, subject
      from ${current('campaign')} order by _row`,
    sends: `
      select _row, send_id, campaign_id as message_id, profile_id, sent_at, malformed as _malformed, is_deleted as _deleted,
        (select case when lower(arg_max(coalesce(bounce_type, 'hard'), happened_at)) like 'soft%' then 'soft' else 'hard' end
          from ${EVENTS} as e where e.kind = 'bounce' and not e.is_deleted and e.campaign_id = s.campaign_id and e.member_id = s.member_id
          having count(*) > 0) as outcome
      from ${SENDS} as s order by _row`,
    message_events: `
      select _row, md5(concat_ws('|', campaign_id, ${who('')}, kind, happened_at, url)) as event_id, ${sendId()} as send_id, kind,
        ${utcCell('happened_at')} as "at", url, is_deleted as _deleted
      from ${EVENTS} as e where kind in ('open', 'click', 'unsubscribe') and (is_deleted or ${IS_SENT}) order by _row`,
  };
}

/** A bounced send stays so where no table of activity is given. */
export function missingOfSends({ present }: RawRows): Readonly<Record<string, string>> {
  return present.has('campaign_recipient_activity') ? {} : { outcome: 'true' };
}
