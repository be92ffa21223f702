import { Temporal } from 'temporal-polyfill';
import { z } from 'zod';
import { breakdownArgument, rangeArguments } from '../../../answers/arguments.ts';
import { line, saying } from '../../../answers/chart.ts';
import { column, field, fieldsNamed } from '../../../answers/fields/field.ts';
import { flag, list } from '../../../answers/fields/kinds-of-fields.ts';
import { query } from '../../../answers/fields/query.ts';
import { coverage, periodFields, periodStartColumn } from '../../../answers/fields/shared-fields.ts';
import {
  forecastAnswer,
  forecastArgument,
  forecastField,
  NOT_ASKED_FOR,
  periodsToLearnFrom,
} from '../../../answers/forecast.ts';
import { fewNotes } from '../../../answers/small-groups.ts';
import { defineTool, plan } from '../../../answers/tool.ts';
import { zeroFilled } from '../../../answers/zero-filled.ts';
import { sessions } from '../../../model-table/table-names.ts';
import { parameter, sql } from '../../../sql/sql.ts';
import { localDate } from '../../../time/moment.ts';
import { coverWithPeriods } from '../../../time/periods.ts';
import { readRange } from '../../../time/range.ts';
import { DAYS_BEFORE, isAnomalous } from '../queries/anomalies.ts';
import { trafficUntil } from '../queries/data-until.ts';
import { sessionMetrics } from '../queries/session-metrics.ts';
import { isCounted, measuredTraffic, periodsWindow, traffic } from '../queries/traffic.ts';
import { knownTraffic, sessionCondition, unknownTrafficNotes } from '../queries/traffic-filters.ts';
import { sessionArguments } from '../traffic-arguments.ts';

const startedDate = column('started_date', 'date');
const DAY = [startedDate, column('sessions_count', 'integer')];

/**
 * Orders are forecast by order_statistics_trend: those with a known visit are some of them, and would be
 * taken for all.
 */
const FORECAST = 'sessions_count';
const FORECAST_METRICS = fieldsNamed(sessionMetrics, [FORECAST]);
const LEARNED = [periodStartColumn, ...FORECAST_METRICS];

export const sessionStatisticsTrend = defineTool({
  name: 'session_statistics_trend',
  title: 'Session statistics trend',
  group: 'Traffic',
  description:
    'Visits, visitors, conversion, orders and revenue per day, week or month, in all or of chosen channels and sources. Visitors do not add up.',
  permissions: ['DISPLAY_ANALYTICS_DASHBOARD'],
  rows: { list: 'periods', uniqueBy: ['period', 'period_start'] },
  example: { breakdown: 'month' },
  chart: [
    saying(
      'Recorded visits, and orders whose visit is known: the store may have more of both.',
      line('periods', 'period', ['sessions_count', 'orders_count', 'last_click_revenue', 'conversion_rate']),
    ),
  ],
  input: z.strictObject({
    ...rangeArguments,
    ...breakdownArgument,
    ...forecastArgument,
    ...sessionArguments,
  }),
  fields: [
    ...coverage,
    list('periods', 'Every period of the range.', [
      ...periodFields,
      ...sessionMetrics,
      field({
        key: 'is_anomalous',
        type: 'boolean',
        definition:
          'A day over 5 deviations off its weekday in the 8 weeks before; one is at least √usual and 10 %. No verdict.',
      }),
      flag('has_suspected_bots', 'Suspected bots came, also where they are left out of the counts.'),
    ]),
    forecastField,
  ],
  plan({ args, timezone, facts, mostRows }) {
    const periods = coverWithPeriods(readRange(args, timezone), args.breakdown, 1, mostRows);
    const firstDate = Temporal.PlainDate.from(periods.firstDate).subtract({ days: DAYS_BEFORE }).toString();
    const horizon = args.forecast_periods;
    const learned = horizon === null ? null : periodsToLearnFrom(periods, trafficUntil(facts), timezone);
    const judgesDays = args.breakdown === 'day' && facts.sessions_until !== null;
    return plan({
      queries: {
        buckets: query(
          [periodStartColumn, ...sessionMetrics],
          sql`
          with ${traffic(periodsWindow(periods), args, args.include_suspected_bots)}
          ${measuredTraffic('row_key', sessionMetrics, { columns: sql`row_key as period_start` })}`,
        ),
        days: judgesDays
          ? query(
              DAY,
              sql`
              select started_date, count(*) as sessions_count
              from ${sessions}
              where started_date between ${parameter.date(firstDate)} and ${parameter.date(periods.lastDate)}
                and ${isCounted(args.include_suspected_bots)} and ${sessionCondition(args)}
              group by started_date`,
            )
          : null,
        learned:
          learned &&
          query(
            LEARNED,
            sql`
            with ${traffic(periodsWindow(learned), args, args.include_suspected_bots)}
            ${measuredTraffic('row_key', FORECAST_METRICS, { columns: sql`row_key as period_start` })}`,
          ),
        first:
          judgesDays || learned !== null
            ? query([startedDate], sql`select started_date from ${sessions} order by started_date limit 1`)
            : null,
        known: knownTraffic(args),
      },
      *answer({ buckets, days, first: [first], known, learned: learnedBuckets }) {
        const countByDay = new Map(days.map((day) => [day.started_date, day.sessions_count]));
        const loaded =
          !judgesDays || first === undefined || facts.sessions_until === null
            ? null
            : {
                first: first.started_date,
                last: localDate(facts.sessions_until, timezone).toString(),
              };
        const { forecast, notes } =
          horizon === null
            ? NOT_ASKED_FOR
            : yield* forecastAnswer(FORECAST, horizon, {
                learned,
                firstDate: first?.started_date ?? null,
                buckets: learnedBuckets,
              });
        return {
          result: {
            business_id: args.business_id,
            data_until: trafficUntil(facts),
            periods: zeroFilled(periods, sessionMetrics, buckets).map((period) => ({
              ...period,
              is_anomalous: isAnomalous(period.period_start, (day) => countByDay.get(day) ?? 0, loaded),
              has_suspected_bots: period.suspected_bot_sessions_count > 0,
            })),
            forecast,
          },
          notes: [
            ...notes,
            ...fewNotes(buckets, 'visitors_count', 'new_visitors_count'),
            ...unknownTrafficNotes(args, known),
          ],
        };
      },
    });
  },
});
