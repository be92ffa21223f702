import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestInstance, type TestInstance } from '../../../../tests/support/test-instance.ts';

/**
 * A clothing shop of 2008 (UCI): 165,474 clicks; its description counts 24,026 sessions from April to August.
 */
const CLICKS = fileURLToPath(new URL('../../../../../shared/data/eshop-clothing/eshop.csv', import.meta.url));

describe.skipIf(!existsSync(CLICKS))(
  'a clothing shop (skipped where its file is not beside the repository)',
  () => {
    let test: TestInstance;
    const ids: Record<string, string> = {};

    beforeAll(async () => {
      test = await createTestInstance();
      const raw = await (await DuckDBInstance.create(':memory:')).connect();
      // The clicks have a day and their number in the session, which becomes seconds after noon.
      await raw.run(`create table clicks as
      select "session ID" as session_id, "order(sells)" as number, "page 2 (clothing model)" as external_product_id,
        make_timestamp(year, month, day, 12, 0, 0) + to_seconds("order(sells)") as clicked_at
      from read_csv('${CLICKS}', delim = ';')`);
      const events = `session_id || ' ' || number as event_id, session_id as visitor_id, external_product_id, 'view' as kind, clicked_at as "at"`;
      for (const [store, table, select] of [
        [
          'sessions',
          'sessions',
          `select session_id, session_id as visitor_id, min(clicked_at) as started_at, count(*) as page_views from clicks group by 1`,
        ],
        ['hits', 'product_events', `select session_id, ${events} from clicks`],
        ['gaps', 'product_events', `select ${events} from clicks`],
      ] as const) {
        mkdirSync(join(test.folder, store));
        await raw.run(`copy (${select}) to '${join(test.folder, store, table)}.parquet'`);
        const business = await test.createBusiness({ timezone: 'UTC', currency: 'USD' });
        await test.importFolder(business, join(test.folder, store));
        ids[store] = business.business_id;
      }
      raw.closeSync();
    });

    afterAll(() => test[Symbol.asyncDispose]());

    it.each(['sessions', 'hits', 'gaps'])(
      'has its 24,026 sessions and 165,474 clicks, imported as %s',
      async (store) => {
        const months = (await test.ask('session_statistics_trend', {
          business_id: ids[store],
          ...{ from_date: '2008-04-01T00:00:00', to_date: '2008-08-31T23:59:59', breakdown: 'month' },
        })) as { periods: { sessions_count: number; page_views_count: number; visitors_count: number }[] };
        const sum = (field: 'sessions_count' | 'page_views_count' | 'visitors_count') =>
          months.periods.reduce((total, period) => total + period[field], 0);
        expect(sum('sessions_count')).toBe(24_026);
        expect(sum('visitors_count')).toBe(24_026);
        expect(sum('page_views_count')).toBe(165_474);
      },
    );
  },
);
