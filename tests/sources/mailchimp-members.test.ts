import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { csvRows } from '../oracle/csv-text.ts';
import { NO_SAMPLES, samples } from './samples.ts';
import { refusalOf, translateFiles } from './translated.ts';

const COMMON =
  'MEMBER_RATING,OPTIN_TIME,OPTIN_IP,CONFIRM_TIME,CONFIRM_IP,CC,LAST_CHANGED,LEID,EUID,NOTES,TAGS';
const SUBSCRIBED = `Email Address,First Name,${COMMON}
ann@example.com,Ann,4,2024-03-14 09:12:31,10.0.0.1,2024-03-14 09:14:00,10.0.0.1,US,2025-06-27 12:11:50,1,e1,secret note,"""VIP, gold"",""Blog"""
bob@example.com,Bob,2,,,,,,2016-04-18 14:00:32,2,e2,,
`;
const UNSUBSCRIBED = `E-mailová adresa,Jméno,${COMMON},UNSUB_TIME,UNSUB_REASON,UNSUB_REASON_OTHER,UNSUB_TIME
cyd@example.com,Cyd,2,,,2016-04-18 13:51:14,,,2020-01-01 00:00:00,3,e3,,,,N/A,private words,2019-07-01 10:00:00
dan@example.com,Dan,2,,,,,,2020-02-02 00:00:00,4,e4,,,,,,
`;
const CLEANED = `Email Address,${COMMON},CLEAN_TIME
eve@example.com,2,,,2016-04-18 13:51:14,,,2020-01-01 00:00:00,5,e5,,,2018-01-01 09:00:00
`;
const EVENTS = 'profile_id, state, cast("at" as varchar), channel, source, reason';
const UTC = { timezone: 'UTC' };

it('makes consents of the moments that each file has, and keeps nothing else of a person', () =>
  translateFiles(
    {
      'a.csv': SUBSCRIBED,
      'b.csv': UNSUBSCRIBED,
      'c.csv': CLEANED,
      'nonsubscribed_members.csv': SUBSCRIBED.replaceAll('e1', 'n1')
        .replaceAll('e2', 'n2')
        .replaceAll('ann@', 'nan@')
        .replaceAll('bob@', 'non@'),
    },
    async ({ rows, rejects, sources }) => {
      expect(rejects).toEqual([]);
      expect(await rows('consent_events', EVENTS)).toEqual([
        ['e1', 'subscribed', '2024-03-14 09:14:00', 'email', 'import', null],
        ['e2', 'subscribed', '2016-04-18 14:00:32', 'email', 'import', null],
        ['e3', 'subscribed', '2016-04-18 13:51:14', 'email', 'import', null],
        ['e3', 'unsubscribed', '2019-07-01 10:00:00', 'email', 'import', 'N/A'],
        ['e4', 'unsubscribed', '2020-02-02 00:00:00', 'email', 'import', null],
        ['e5', 'bounced', '2018-01-01 09:00:00', 'email', 'import', null],
        ['e5', 'subscribed', '2016-04-18 13:51:14', 'email', 'import', null],
      ]);
      expect(
        await rows('profiles', 'profile_id, email_domain, country, tags, cast(created_at as varchar)'),
      ).toContainEqual(['e1', 'example.com', 'US', ['VIP, gold', 'Blog'], '2024-03-14 09:14:00']);
      expect((await rows('profiles', 'profile_id')).flat()).toEqual([
        'e1',
        'e2',
        'e3',
        'e4',
        'e5',
        'n1',
        'n2',
      ]);
      expect(sources[0]?.assumptions.join()).toContain(
        'nonsubscribed_members.csv has members who never subscribed',
      );
      const stored = JSON.stringify([await rows('profiles', '*'), await rows('consent_events', '*')]);
      for (const text of ['Ann', 'ann@', '10.0.0.1', 'secret', 'private words'])
        expect(stored).not.toContain(text);
    },
    UTC,
  ));

const ONE = `Email Address,${COMMON}`;
const MEMBER = 'fay@example.com,2,,,2016-04-18 13:51:14,,,2020-01-01 00:00:00,6,e6,,';

it.each([
  ['unsubscribed_x.csv', `${ONE}\n${MEMBER}\n`, 'unsubscribed'],
  ['export/Unsubscribed_members.csv', `${ONE}\n${MEMBER}\n`, 'unsubscribed'],
  ['x.csv', `${ONE},UNSUB_REASON\n${MEMBER},N/A\n`, 'unsubscribed'],
  ['cleaned_x.csv', `${ONE}\n${MEMBER}\n`, 'bounced'],
  ['x.csv', `${ONE},CLEAN_CAMPAIGN_TITLE\n${MEMBER},News\n`, 'bounced'],
])('takes members of %s as gone also without the moments at which they left', (name, text, state) =>
  translateFiles(
    { [name]: text },
    async ({ rows, rejects, sources }) => {
      expect(rejects).toEqual([]);
      expect(await rows('consent_events', 'profile_id, cast("at" as varchar), state')).toEqual([
        ['e6', '2016-04-18 13:51:14', 'subscribed'],
        ['e6', '2020-01-01 00:00:00', state],
      ]);
      expect(sources[0]?.assumptions.join()).not.toContain('taken as subscribed');
    },
    UTC,
  ),
);

it('takes members of a file of those who left as gone, also where they were confirmed then or later', () =>
  translateFiles(
    {
      'a.csv': `${ONE},UNSUB_TIME\n${MEMBER},2016-01-01 09:00:00\n`,
      'b.csv': `${ONE},CLEAN_TIME\n${MEMBER.replace('e6', 'e7').replace('fay@', 'gus@')},2016-04-18 13:51:14\n`,
    },
    async ({ rows, rejects }) => {
      expect(rejects).toEqual([]);
      expect(await rows('consent_events', 'profile_id, cast("at" as varchar), state')).toEqual([
        ['e6', '2016-04-18 13:51:14', 'unsubscribed'],
        ['e7', '2016-04-18 13:51:14', 'bounced'],
      ]);
    },
    UTC,
  ));

it('says how many members are taken as subscribed', () =>
  translateFiles(
    { 'a.csv': SUBSCRIBED, 'b.csv': UNSUBSCRIBED },
    ({ sources }) => {
      expect(sources[0]?.assumptions.join()).toContain('2 members are taken as subscribed');
    },
    UTC,
  ));

it('asks for the timezone of its times', async () => {
  expect(await refusalOf({ 'a.csv': SUBSCRIBED })).toContain('--timezone');
  await translateFiles(
    { 'a.csv': SUBSCRIBED },
    async ({ rows }) => {
      expect(await rows('consent_events', 'cast("at" as varchar)')).toContainEqual(['2024-03-14 13:14:00']);
    },
    { timezone: 'America/New_York' },
  );
});

it.each([
  [
    'a member of nobody knows when',
    SUBSCRIBED.replace('2016-04-18 14:00:32', ''),
    'since when the member is subscribed',
  ],
  [
    'a first column that is not the e-mail',
    UNSUBSCRIBED.replace('cyd@example.com,Cyd', 'Cyd,cyd@example.com'),
    'no e-mail address in the first column',
  ],
  ['one who left nobody knows when', UNSUBSCRIBED.replace('2020-02-02 00:00:00', ''), 'when the member left'],
])('rejects %s', (_, file, reason) =>
  translateFiles(
    { 'a.csv': file },
    ({ rejects }) => {
      expect(rejects).toEqual([
        { file: 'a.csv', line: expect.any(Number), reason: expect.stringContaining(reason) },
      ]);
    },
    UTC,
  ),
);

const files = samples('reconstructed').filter(({ name }) => name.startsWith('mailchimp'));
it.skipIf(files.length === 0)(
  `reads every sample as an independent count does (${NO_SAMPLES}: none)`,
  async () => {
    for (const { name, path } of files) {
      const [header = [], ...lines] = csvRows(readFileSync(path, 'utf8'));
      const at = (title: string) => header.findIndex((cell) => cell.toUpperCase() === title);
      const expected = lines.map((line) => [
        line[at('EUID')],
        (line[at('CONFIRM_TIME')] || line[at('OPTIN_TIME')] || line[at('LAST_CHANGED')]) ?? '',
      ]);
      await translateFiles(
        path,
        async ({ rows, rejects, raw }) => {
          expect([rejects, raw.rejected], name).toEqual([[], 0]);
          expect(await rows('consent_events', 'profile_id, cast("at" as varchar)'), name).toEqual(expected);
        },
        UTC,
      );
    }
  },
);

it.each([
  // Fields of the audience, which an import of an old file left.
  ['subscribed_members_export_1.csv', 'before', 'subscribed'],
  // Who has left is not written to: a person may have moved the columns.
  ['x.csv', 'before', 'unsubscribed'],
  ['subscribed_members_export_1.csv', 'behind', 'unsubscribed'],
])('UNSUB_TIME in %s stands %s MEMBER_RATING: the member is %s', (name, place, state) => {
  const [before, behind] =
    place === 'before' ? ['UNSUB_TIME,UNSUB_REASON,', ''] : ['', ',UNSUB_TIME,UNSUB_REASON'];
  const [cellsBefore, cellsBehind] =
    place === 'before' ? ['2019-01-01 10:00:00,NORMAL,', ''] : ['', ',2019-01-01 10:00:00,NORMAL'];
  const header = `Email Address,${before}MEMBER_RATING,OPTIN_TIME,CONFIRM_TIME,CC,LAST_CHANGED,LEID,EUID${behind}`;
  return translateFiles(
    {
      [name]: `${header}\nbob@example.com,${cellsBefore}2,,2018-01-01 10:00:00,US,2023-01-01 10:00:00,1,e1${cellsBehind}\n`,
    },
    async ({ rows, rejects }) => {
      expect(rejects).toEqual([]);
      expect(
        await rows('consent_events', 'state', "state <> 'subscribed' or cast(\"at\" as date) = '2018-01-01'"),
      ).toContainEqual([state]);
      expect(await rows('consent_events', 'state', "state = 'unsubscribed'")).toHaveLength(
        state === 'unsubscribed' ? 1 : 0,
      );
    },
    UTC,
  );
});

it('takes a field of the audience that is called CC for no country', () =>
  translateFiles(
    {
      'a.csv':
        'Email Address,CC,MEMBER_RATING,OPTIN_TIME,CONFIRM_TIME,CC,LAST_CHANGED,LEID,EUID\nbob@example.com,boss,2,,2018-01-01 10:00:00,US,2023-01-01 10:00:00,1,e1\n',
    },
    async ({ rows }) => expect(await rows('profiles', 'country')).toEqual([['US']]),
    UTC,
  ));
