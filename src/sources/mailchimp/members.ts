import { basename } from 'node:path';
import { plural } from '../../text/plural.ts';
import { splitCell } from '../mapping/cell-sql.ts';
import type { RawColumn, RawRows, Source } from '../source.ts';
import { momentCell, momentOf, momentQuestions } from '../source-cells.ts';

/**
 * The title of the first column, which shops translate. Where it is another, the e-mail is in the first
 * column all the same.
 */
const EMAIL = ['email address', 'e-mail address', 'email', 'e-mail'];

/**
 * The places of Mailchimp's own columns of some kind, which stand behind MEMBER_RATING. Fields of the
 * audience stand before it, and may be called as those are: an old file of unsubscribed members that was
 * imported leaves such. Where only one of them is there, a person moved the columns.
 */
function ownPlaces(
  header: readonly string[],
  kind: RegExp,
): { readonly own: number[]; readonly all: number[] } {
  const names = header.map((name) => name.trim());
  const all = names.flatMap((name, place) => (kind.test(name) ? [place] : []));
  const rating = names.findIndex((name) => name.toLowerCase() === 'member_rating');
  return { own: all.filter((place) => place > rating), all };
}

/**
 * The first filled cell of several columns of that name: UNSUB_TIME stands twice in some files, and the cell
 * may be in either.
 */
const ownColumn = (title: string): RawColumn => ({
  header: [title],
  find: (header) => {
    const { own, all } = ownPlaces(header, new RegExp(`^${title}$`, 'i'));
    return own.length > 0 ? own : all;
  },
});

/**
 * Whether the file that a row is of has a column of some kind: merchants leave columns out, and each of the
 * kind tells the file.
 */
const hasColumn = (title: string, kind: RegExp): RawColumn => ({
  header: [title],
  find: (header) => ownPlaces(header, kind).own,
  inHeader: () => 'yes',
});

/**
 * SQL: whether the moment of the subscription is not before that at which the member left, who is gone all
 * the same.
 */
const IS_SINCE_LATER = `coalesce(left_as is not null and ${momentOf('since')} >= ${momentOf('coalesce(left_at, changed_at)')}, false)`;

const TIMES = ['optin_time', 'confirm_time', 'last_changed', 'unsub_time', 'clean_time'];

/** The members of an audience: one file for each of their states, which its columns tell. */
export const mailchimpMembers: Source = {
  name: 'mailchimp-members-csv',
  title: 'Mailchimp members, CSV export of an audience',
  recognises: (header) => ['member_rating', 'leid', 'euid'].every((name) => header.includes(name)),
  columns: {
    email: {
      header: ['email address'],
      isRequired: true,
      absent: 'who the members are',
      find: (header) => {
        const names = header.map((name) => name.trim().toLowerCase());
        const place = names.findIndex((name) => EMAIL.includes(name));
        return [Math.max(place, 0)];
      },
    },
    euid: ownColumn('euid'),
    ...Object.fromEntries(TIMES.map((name) => [name, ownColumn(name)])),
    is_unsubscribed: hasColumn('unsub_time', /^unsub_(time|reason)/i),
    is_cleaned: hasColumn('clean_time', /^clean_(time|campaign_)/i),
    unsub_reason: ownColumn('unsub_reason'),
    country: { ...ownColumn('cc'), tells: ['profiles.country'] },
    phone: { header: ['phone number', 'phone'], tells: ['profiles.phone'] },
    tags: { ...ownColumn('tags'), absent: 'no tags', tells: ['profiles.tags'] },
  },
  settings: ['timezone', 'dates', 'encoding'],
  questions: () => TIMES.flatMap(momentQuestions),
  assumptions: (raw) => [
    'who is subscribed has been so since CONFIRM_TIME, else OPTIN_TIME; who was cleaned bounced',
    ...raw.origins.flatMap(({ file }) =>
      isNonsubscribed(file.name)
        ? [`${file.name} has members who never subscribed, by its name: they are imported without a consent`]
        : [],
    ),
  ],
  prepare: (raw) => [members(raw)],
  findings: () => [
    {
      count: `select count(*) from mailchimp_members where _malformed is null and left_as is null and not is_nonsubscribed`,
      says: (count) =>
        `${plural(count, 'member is', 'members are')} taken as subscribed: neither the name of the file (unsubscribed_…, cleaned_…) nor a column (UNSUB_…, CLEAN_…) says that they left`,
    },
  ],
  translate: () => ({
    profiles: `
      select _row, _malformed, profile_id, email, phone, country, tags, since as created_at from mailchimp_members order by _row`,
    consent_events: `
      select _row, profile_id, email, 'email' as channel, since as "at", 'subscribed' as state, 'import' as source, null as reason
      from mailchimp_members where _malformed is null and not is_nonsubscribed and since is not null and not ${IS_SINCE_LATER}
      union all
      select _row, profile_id, email, 'email', case when ${IS_SINCE_LATER} then since else coalesce(left_at, changed_at) end, left_as, 'import', unsub_reason
      from mailchimp_members where _malformed is null and left_as is not null
      order by _row, state`,
  }),
};

/** SQL: whether a row is of a file with such a name, as Mailchimp gives it to the files of each state. */
function isOfFile(origins: RawRows['origins'], begins: RegExp): string {
  const files = origins.flatMap(({ file }, index) => (begins.test(basename(file.name)) ? [index] : []));
  return files.length === 0 ? 'false' : `_file in (${files.join(', ')})`;
}

const NONSUBSCRIBED = /^non-?subscribed/i;

/**
 * Whether a file is of members who are not subscribed. Its columns are those of subscribed members: only the
 * name that Mailchimp gives the file tells it. It takes a consent away, and never gives one.
 */
function isNonsubscribed(name: string): boolean {
  return NONSUBSCRIBED.test(basename(name));
}

function members({ relation, settings, origins }: RawRows): string {
  const moment = (name: string) => momentCell(`"${name}"`, settings);
  return `create or replace temp table mailchimp_members as
    with known as (
      select *, rowid as place, ${moment('confirm_time')} as confirmed_at, ${moment('optin_time')} as opted_in_at,
        ${moment('last_changed')} as changed_at, ${moment('unsub_time')} as unsubscribed_at, ${moment('clean_time')} as cleaned_at,
        ${isOfFile(origins, NONSUBSCRIBED)} as is_nonsubscribed,
        case
          when is_cleaned = 'yes' or ${isOfFile(origins, /^cleaned/i)} then 'bounced'
          when is_unsubscribed = 'yes' or ${isOfFile(origins, /^unsubscribed/i)} then 'unsubscribed'
          -- Of a field of the audience, or of columns that a person moved: who has left is not written to, unless the file says otherwise.
          when ${isOfFile(origins, /^subscribed/i)} then null
          when clean_time is not null then 'bounced'
          when unsub_time is not null then 'unsubscribed'
        end as left_as
      from "${relation}" where coalesce(email, euid) is not null
    )
    select place as _row, coalesce(euid, lower(email)) as profile_id, email, phone, country, ${splitCell('tags', ',')} as tags,
      is_nonsubscribed, left_as, changed_at, unsub_reason, case left_as when 'bounced' then cleaned_at else unsubscribed_at end as left_at,
      -- Who is in the file of subscribed members is one, also where nobody noted since when.
      coalesce(confirmed_at, opted_in_at, case when left_as is null and not is_nonsubscribed then changed_at end) as since,
      case
        when email is null or email not like '%_@_%' then 'has no e-mail address in the first column, where Mailchimp writes it: was the file changed?'
        when left_as is null and not is_nonsubscribed and since is null then 'does not say since when the member is subscribed (CONFIRM_TIME, OPTIN_TIME, LAST_CHANGED)'
        when left_as is not null and coalesce(left_at, changed_at) is null then 'does not say when the member left (UNSUB_TIME, CLEAN_TIME, LAST_CHANGED)'
      end as _malformed
    from known`;
}
