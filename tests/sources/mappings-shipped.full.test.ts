import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { translateFiles } from './translated.ts';

const PRAGUE = { timezone: 'Europe/Prague' };

describe('Klaviyo, members of a list', () => {
  const MEMBERS = `Email,Klaviyo ID,First Name,Country,Email Marketing Consent,Profile Created On
ann@example.com,01A,Ann,Czech Republic,SUBSCRIBED,2025-01-05 10:00:00
bob@example.com,01B,Bob,,NEVER_SUBSCRIBED,2025-01-05 10:00:00
dan@example.com,01D,Dan,,,2025-01-05 10:00:00
eve@example.com,01E,Eve,,Never Subscribed,2025-01-05 10:00:00
cyd@example.com,01C,Cyd,,UNSUBSCRIBED,2025-01-05 10:00:00
`;

  it('makes profiles of all, and consents of those who said something', () =>
    translateFiles(
      { 'a.csv': MEMBERS },
      async ({ rows, rejects, sources }) => {
        expect(rejects).toEqual([]);
        expect(await rows('profiles', 'profile_id, cast(created_at as varchar)')).toEqual(
          ['01A', '01B', '01C', '01D', '01E'].map((id) => [id, '2025-01-05 09:00:00']),
        );
        expect(await rows('consent_events', 'profile_id, state, cast("at" as varchar)')).toEqual([
          ['01A', 'subscribed', '2026-10-31 00:00:00'],
          ['01C', 'unsubscribed', '2026-10-31 00:00:00'],
        ]);
        expect(sources[0]?.assumptions.join()).toContain('is of 2026-10-31, as --exported-at says');
      },
      { ...PRAGUE, 'exported-at': '2026-10-31' },
    ));

  it('takes a consent at its moment, and nobody as reachable who is suppressed', () =>
    translateFiles(
      {
        'members.csv': `Email,Klaviyo ID,Phone Number,Email Marketing Consent,Email Marketing Consent Timestamp,Email Suppressions,SMS Marketing Consent,SMS Marketing Consent Timestamp
ann@example.com,01A,,SUBSCRIBED,2024-01-01T10:00:00+00:00,,,
bob@example.com,01B,,SUBSCRIBED,2024-01-02T10:00:00+00:00,HARD_BOUNCE,,
cyd@example.com,01C,,SUBSCRIBED,,"UNSUBSCRIBE, SPAM",,
dee@example.com,01D,,NEVER_SUBSCRIBED,,USER_SUPPRESSED,,
eve@example.com,01E,+420777000001,SUBSCRIBED,,[],SUBSCRIBED,2024-01-03T10:00:00+00:00
`,
      },
      async ({ rows, rejects }) => {
        expect(rejects).toEqual([]);
        expect(
          await rows('consent_events', 'profile_id, channel, state, cast("at" as date)::varchar'),
        ).toEqual([
          ['01A', 'email', 'subscribed', '2024-01-01'],
          ['01B', 'email', 'bounced', '2024-05-01'],
          ['01B', 'email', 'subscribed', '2024-01-02'],
          ['01C', 'email', 'suppressed', '2024-05-01'],
          ['01D', 'email', 'suppressed', '2024-05-01'],
          ['01E', 'email', 'subscribed', '2024-05-01'],
          ['01E', 'sms', 'subscribed', '2024-01-03'],
        ]);
      },
      { timezone: 'UTC', 'exported-at': '2024-05-01' },
    ));

  it('rejects a consent that it does not know', () =>
    translateFiles(
      { 'a.csv': MEMBERS.replace('NEVER_SUBSCRIBED', 'MAYBE') },
      ({ rejects }) => {
        expect(rejects).toEqual([
          { file: 'a.csv', line: 3, reason: expect.stringContaining('"Email Marketing Consent"') },
        ]);
      },
      { ...PRAGUE, 'exported-at': '2026-10-31' },
    ));
});

it('every shipped mapping has its place in the docs', () => {
  const pages = readdirSync('docs/sources')
    .map((name) => readFileSync(`docs/sources/${name}`, 'utf8'))
    .join();
  const names = readdirSync('mappings').map((name) => name.replace('.yaml', ''));
  expect(names.length).toBeGreaterThan(10);
  for (const name of names) expect(pages).toContain(`\`${name}\``);
});
