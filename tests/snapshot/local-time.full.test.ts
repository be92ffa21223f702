import { Temporal } from 'temporal-polyfill';
import { expect, it } from 'vitest';
import { defineLocalTime } from '../../src/snapshot/build/local-time.ts';
import { openSession, temporaryFolder } from '../ingest/staging.ts';

/**
 * Every five hours and some of thirty years, and both sides of each change of the clock that another library
 * knows.
 */
it('the clock of every time zone shows for many rows what it shows for few', {
  timeout: 300_000,
}, async () => {
  using folder = temporaryFolder();
  using session = await openSession(folder.path);
  const zones = await session.rows('select distinct name from pg_timezone_names() order by name');
  expect(zones.length).toBeGreaterThan(400);
  let changes = 0;
  for (const { name } of zones) {
    const zone = String(name);
    await session.run('set variable business_timezone = $zone', { zone });
    await defineLocalTime(session, true);
    const known = changesOf(zone);
    changes += known.length;
    const { wrong, moments } = await session.row(`
with moments as (
  from range(timestamp '2009-06-01', timestamp '2038-06-01', interval '5 hours 7 minutes 11 seconds') as moments(moment)
  union all
  select make_timestamp(change + beside) from (select unnest([${known.join(', ')}]::bigint[]) as change),
    (values (-1), (0), (1)) as sides(beside)
)
select count(*) as moments,
  count(*) filter (local_time(moment) is distinct from
    timezone(getvariable('business_timezone'), timezone('UTC', moment))) as wrong
from moments`);
    expect({ zone, wrong }).toEqual({ zone, wrong: 0 });
    expect(moments).toBeGreaterThan(40_000);
  }
  expect(changes).toBeGreaterThan(5000);
});

/** The changes are in microseconds since 1970; a name that only DuckDB knows has none. */
function changesOf(zone: string): readonly bigint[] {
  const changes: bigint[] = [];
  let at: Temporal.ZonedDateTime | null;
  try {
    at = Temporal.ZonedDateTime.from(`2009-06-01T00:00:00Z[${zone}]`);
  } catch {
    return [];
  }
  for (;;) {
    at = at.getTimeZoneTransition('next');
    if (at === null || at.year > 2038) return changes;
    changes.push(at.epochNanoseconds / 1000n);
  }
}
