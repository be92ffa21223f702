import { expect, it } from 'vitest';
import { defineLocalTime } from '../../src/snapshot/build/local-time.ts';
import { openSession, temporaryFolder } from '../ingest/staging.ts';

/**
 * Moments of UTC before and after clocks changed, and what they showed: written by hand, from the laws of the
 * countries.
 */
const CHANGES: Readonly<Record<string, readonly (readonly [utc: string, local: string])[]>> = {
  UTC: [
    ['2010-01-01 00:00:00', '2010-01-01 00:00:00'],
    ['2026-07-01 12:00:00', '2026-07-01 12:00:00'],
  ],
  'Europe/Prague': [
    ['2024-03-31 00:59:59.999999', '2024-03-31 01:59:59.999999'],
    ['2024-03-31 01:00:00', '2024-03-31 03:00:00'],
    ['2024-10-27 00:59:59.999999', '2024-10-27 02:59:59.999999'],
    ['2024-10-27 01:00:00', '2024-10-27 02:00:00'],
    // These lie outside of what is looked up.
    ['2009-12-31 23:30:00', '2010-01-01 00:30:00'],
    ['1999-07-01 12:00:00', '1999-07-01 14:00:00'],
    ['2037-12-31 23:59:59.999999', '2038-01-01 00:59:59.999999'],
    ['2038-01-01 00:00:00', '2038-01-01 01:00:00'],
  ],
  'America/New_York': [
    ['2025-03-09 06:59:59', '2025-03-09 01:59:59'],
    ['2025-03-09 07:00:00', '2025-03-09 03:00:00'],
    ['2025-11-02 05:59:59', '2025-11-02 01:59:59'],
    ['2025-11-02 06:00:00', '2025-11-02 01:00:00'],
  ],
  // The clock changes by half an hour here.
  'Australia/Lord_Howe': [
    ['2024-04-06 14:59:59', '2024-04-07 01:59:59'],
    ['2024-04-06 15:00:00', '2024-04-07 01:30:00'],
  ],
  // The thirtieth of December 2011 was left out.
  'Pacific/Apia': [
    ['2011-12-30 09:59:59', '2011-12-29 23:59:59'],
    ['2011-12-30 10:00:00', '2011-12-31 00:00:00'],
  ],
  // Back for Ramadan, at another time of each year.
  'Africa/Casablanca': [
    ['2024-03-10 01:59:59', '2024-03-10 02:59:59'],
    ['2024-03-10 02:00:00', '2024-03-10 02:00:00'],
    ['2024-04-14 01:59:59', '2024-04-14 01:59:59'],
    ['2024-04-14 02:00:00', '2024-04-14 03:00:00'],
  ],
  // The clock changed by half an hour here for good.
  'Asia/Pyongyang': [
    ['2015-08-14 14:59:59', '2015-08-14 23:59:59'],
    ['2015-08-14 15:00:00', '2015-08-14 23:30:00'],
    ['2018-05-04 14:59:59', '2018-05-04 23:29:59'],
    ['2018-05-04 15:00:00', '2018-05-05 00:00:00'],
  ],
  'Asia/Kathmandu': [['2024-06-01 18:15:00', '2024-06-02 00:00:00']],
};

it.each(
  Object.keys(CHANGES).flatMap((zone) => [[zone, 'many', true] as const, [zone, 'few', false] as const]),
)('%s: the clock shows what it did, of %s rows', async (zone, _, isOfMany) => {
  using folder = temporaryFolder();
  using session = await openSession(folder.path);
  await session.run(`set variable business_timezone = '${zone}'`);
  await defineLocalTime(session, isOfMany);
  for (const [utc, local] of CHANGES[zone] ?? [])
    expect(
      await session.row(
        `select cast(local_time(moment) as varchar) as local from (select timestamp '${utc}' as moment)`,
      ),
      utc,
    ).toEqual({ local });
});

it('a row without a moment has no time', async () => {
  using folder = temporaryFolder();
  using session = await openSession(folder.path);
  await session.run(`set variable business_timezone = 'Europe/Prague'`);
  await defineLocalTime(session, true);
  expect(await session.row('select local_time(cast(null as timestamp)) as local')).toEqual({ local: null });
});
