import { localTimeOf } from '../../store/business-clock.ts';
import type { Session } from '../../store/duckdb-session.ts';

/** The moments that are looked up where there are many. */
const FIRST = `timestamp '2010-01-01'`;
const END = `timestamp '2038-01-01'`;

/**
 * The steps of the search for changes of a clock. Each finds them within those of the one before; within the
 * first, a clock changes at most once.
 */
const STEPS = [`interval '7 days'`, `interval '1 day'`, `interval '1 hour'`, `interval '1 minute'`] as const;

/** A moment in microseconds since 1970, and how many microseconds the clock is ahead of UTC from then on. */
interface ClockChange {
  readonly since: number;
  readonly ahead: number;
}

/**
 * Defines the macro `local_time(moment)`: a moment of UTC as the clock of the business shows it.
 *
 * For many rows, the changes of the clock between 2010 and 2037 are found once, and moments are compared with
 * them: of ten million, DuckDB's ICU takes six seconds, and this half of one.
 */
export async function defineLocalTime(session: Session, isOfMany: boolean): Promise<void> {
  const local = isOfMany ? byChanges(await clockChanges(session)) : localTimeOf('moment');
  session.runLater(`create or replace temp macro local_time(moment) as ${local}`);
}

const aheadAt = (moment: string) => `(epoch_us(${localTimeOf(moment)}) - epoch_us(${moment}))`;

function byChanges(changes: readonly ClockChange[]): string {
  return `case when moment >= ${FIRST} and moment < ${END}
    then make_timestamp(epoch_us(moment) + ${aheadBySearch(changes)}) else ${localTimeOf('moment')} end`;
}

/** A binary search. */
function aheadBySearch(changes: readonly ClockChange[]): string {
  const half = changes.length >> 1;
  const middle = changes[half];
  if (middle === undefined) throw new Error('a clock has no time');
  if (half === 0) return `${middle.ahead}`;
  const [before, after] = [changes.slice(0, half), changes.slice(half)].map(aheadBySearch);
  return `case when moment < make_timestamp(${middle.since}) then ${before} else ${after} end`;
}

/** The changes of the clock in their order. The first one is of `FIRST`. */
async function clockChanges(session: Session): Promise<readonly ClockChange[]> {
  const [week, ...finer] = STEPS;
  let moments = `select unnest(range(${FIRST}, ${END}, ${week})) as moment`;
  let within: string = week;
  const lastBefore = () =>
    `from (${moments}) where ${aheadAt('moment')} <> ${aheadAt(`(moment + ${within})`)}`;
  for (const step of finer) {
    moments = `select unnest(range(moment, moment + ${within}, ${step})) as moment ${lastBefore()}`;
    within = step;
  }
  const changes = await session.rows(`
with changes as (select ${FIRST} as since union all select moment + ${within} ${lastBefore()})
select epoch_us(since) as since, ${aheadAt('since')} as ahead from changes order by since`);
  return changes.map(({ since, ahead }) => ({ since: Number(since), ahead: Number(ahead) }));
}
