import { mailchimpMembers } from '../mailchimp/members.ts';
import type { RawRows, SourceOfTables } from '../source.ts';

import {
  column,
  contactCell,
  currentOf,
  currentRows,
  type FivetranTable,
  fivetranTable,
  needed,
  utcCell,
} from './fivetran-cells.ts';
import {
  CAMPAIGN_TABLES,
  CELLS_OF_KEYS,
  campaignTables,
  FINDINGS_OF_SENDS,
  missingOfSends,
  prepareSends,
} from './mailchimp-campaigns.ts';

const NAME = 'mailchimp-fivetran';
const SOURCE = { name: NAME };
const MEMBERS = 'mailchimp_fivetran_members';

const TABLES = {
  member: fivetranTable(['id', 'list_id'], {
    names: ['member'],
    signature: [
      ['list_id'],
      ['unique_email_id', 'email_address'],
      ['status', 'timestamp_opt', 'member_rating'],
    ],
    columns: {
      id: needed('who it is', 'id'),
      list_id: needed('which audience it is of', 'list_id'),
      euid: needed('who it is in all audiences', 'unique_email_id'),
      email: needed('how a member meets a customer of the shop', 'email_address'),
      status: needed('who is subscribed', 'status'),
      opted_in_at: column('timestamp_opt'),
      signed_up_at: column('timestamp_signup'),
      changed_at: needed('when members left', 'last_changed'),
      country: column('country_code'),
    },
  }),
  ...CAMPAIGN_TABLES,
} as const satisfies Readonly<Record<string, FivetranTable>>;

/**
 * What a status is to the export of members, which has a file for each; in the name of the file where its
 * columns do not say it.
 */
const FILES = ['members', 'nonsubscribed'] as const;
const STATUSES: Readonly<Record<string, { readonly file: (typeof FILES)[number]; readonly left?: string }>> =
  {
    subscribed: { file: 'members' },
    unsubscribed: { file: 'members', left: 'unsubscribed' },
    archived: { file: 'members', left: 'unsubscribed' },
    cleaned: { file: 'members', left: 'cleaned' },
    pending: { file: 'nonsubscribed' },
    transactional: { file: 'nonsubscribed' },
  };

const statuses = (is: (status: (typeof STATUSES)[string]) => boolean) =>
  `lower(coalesce(status, '')) in (${Object.entries(STATUSES)
    .filter(([, status]) => is(status))
    .map(([name]) => `'${name}'`)
    .join(', ')})`;

const IS_KNOWN = statuses(() => true);

const ALL = currentOf(SOURCE, 'member');
const EMAIL = contactCell('email');

/** SQL: who a member is, as in the export. */
const PROFILE_ID = `coalesce(euid, lower(${EMAIL}))`;

const asExport = (raw: RawRows): RawRows => ({
  ...raw,
  relation: MEMBERS,
  origins: FILES.map((name) => ({ file: { path: name, name, format: 'csv' }, firstRow: 0, endRow: 0 })),
});

/**
 * What Fivetran landed of Mailchimp: its audiences as the columns that its export of members has, and its
 * campaigns.
 */
export const mailchimpFivetran: SourceOfTables = {
  name: NAME,
  title: "Mailchimp members and campaigns, Fivetran's tables",
  columns: {},
  tables: TABLES,
  settings: ['encoding', 'schema'],
  questions: () => [],
  assumptions: () => [
    'times without an offset are in UTC, as Fivetran writes them',
    'who is subscribed has been so since timestamp_opt, else timestamp_signup; who was cleaned bounced; who was archived left',
    'what a campaign was sent to counts as delivered unless it bounced; combinations of a test are one message',
  ],
  findings: () => FINDINGS_OF_SENDS,
  prepare: (raw) => [
    ...Object.entries(TABLES).map(([table, declared]) =>
      currentRows(SOURCE, table, declared, raw, CELLS_OF_KEYS[table]),
    ),
    ...prepareSends(ALL, PROFILE_ID),
    `create temp view ${MEMBERS} as
      select case when ${statuses(({ file }) => file === 'nonsubscribed')} then 1 else 0 end as _file,
        _row as rowid, ${EMAIL} as email, euid, ${utcCell('signed_up_at')} as optin_time,
        ${utcCell('opted_in_at')} as confirm_time, ${utcCell('changed_at')} as last_changed,
        cast(null as varchar) as unsub_time, cast(null as varchar) as clean_time, cast(null as varchar) as unsub_reason,
        case when ${statuses(({ left }) => left === 'unsubscribed')} then 'yes' end as is_unsubscribed,
        case when ${statuses(({ left }) => left === 'cleaned')} then 'yes' end as is_cleaned,
        country, cast(null as varchar) as phone, cast(null as varchar) as tags
      from "${ALL}" where not is_deleted and ${IS_KNOWN}`,
    ...(mailchimpMembers.prepare?.(asExport(raw)) ?? []),
  ],
  translate: (raw) => {
    const { profiles = '', consent_events = '' } = mailchimpMembers.translate(asExport(raw));
    const missing = ['phone', 'tags', ...(raw.present.has('member.country') ? [] : ['country'])];
    return {
      profiles: `select * exclude (${missing.join(', ')}) from (${profiles})
        union all by name
        select _row, profile_id, true as _deleted from (select *, ${PROFILE_ID} as profile_id from "${ALL}") as gone
        where is_deleted and not exists (select * from "${ALL}" as m where not m.is_deleted and ${PROFILE_ID} = gone.profile_id)
        union all by name
        select _row, 'has a status that Mailchimp does not document: nobody knows whether the member is subscribed' as _malformed
        from "${ALL}" where not is_deleted and not (${IS_KNOWN})
        order by _row`,
      consent_events,
      ...campaignTables(),
    };
  },
  missing: (raw) => {
    const { present } = raw;
    const isMissing = (column: string) =>
      present.has(`member.${column}`)
        ? `_row in (select _row from "${ALL}" where list_contains(_lacking, '${column}'))`
        : 'true';
    return {
      sends: missingOfSends(raw),
      profiles: {
        ...(present.has('member.country') ? { country: `country is null and ${isMissing('country')}` } : {}),
        // Nobody knows since when such a person is there, so only the last change is known.
        created_at: `${isMissing('opted_in_at')} and ${isMissing('signed_up_at')}`,
      },
    };
  },
};
