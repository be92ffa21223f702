import { afterAll, beforeAll, expect, it } from 'vitest';
import { createRejects, stageTable } from '../../src/ingest/stage-table.ts';
import { readParts, rowsOf } from '../../src/snapshot/canonical-parts.ts';
import { writeStore } from '../../src/snapshot/write-canonical.ts';
import type { CanonicalTable } from '../../src/store/canonical-table.ts';
import * as column from '../../src/store/column-kinds.ts';
import { Session } from '../../src/store/duckdb-session.ts';
import { defineGate } from '../../src/store/personal-data/session-gate.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { query, writeFiles } from './shop.ts';

/** Tables of the format that come later: a part of their key may be empty, or is an e-mail. */
const adCosts: CanonicalTable = {
  name: 'ad_costs',
  meaning: 'What advertising cost.',
  key: ['day', 'source', 'campaign'],
  columns: {
    day: column.date({ required: true }),
    source: column.trafficName({ required: true }),
    campaign: column.trafficName(),
    cost: column.money({ required: true }),
  },
};
const consentEvents: CanonicalTable = {
  name: 'consent_events',
  meaning: 'Who agreed to messages.',
  key: ['email', 'at'],
  columns: {
    email: column.email(),
    at: column.moment({ required: true }),
    state: column.label({ required: true }),
  },
};

let test: TestInstance;

beforeAll(async () => {
  test = await createTestInstance({ isOneEngineEnough: true });
});

afterAll(() => test[Symbol.asyncDispose]());

/**
 * Imports the texts one after the other, each on the store of the one before; gives the last store's rows.
 */
async function importInTurn(
  table: CanonicalTable,
  texts: readonly string[],
  columns: string,
): Promise<unknown[][]> {
  let previous: string | null = null;
  for (const text of texts) {
    const name = `${table.name}.csv`;
    const folder = writeFiles(test, { [name]: text });
    using session = await Session.open(':memory:', { memory: '1GB', spillFolder: folder, spillLimit: '1GB' });
    await session.run("set variable business_timezone = 'UTC'");
    defineGate(session, test.instance.secret, {
      business_id: 'x',
      timezone: null,
      primary_currency: null,
    });
    await createRejects(session);
    const { batch } = await stageTable(session, table, [{ path: `${folder}/${name}`, name, format: 'csv' }]);
    const next = `${folder}/snapshot`;
    await writeStore(
      session,
      [table],
      new Map([[table, batch]]),
      previous === null ? null : { folder: previous, tables: [] },
      next,
    );
    previous = next;
  }
  using session = await Session.open(':memory:', {
    memory: '1GB',
    spillFolder: test.folder,
    spillLimit: '1GB',
  });
  const parts = await readParts(session, String(previous));
  return query(`select ${columns} from (${rowsOf(table, parts.get(table.name) ?? [])}) order by all`);
}

it('an empty part of a key equals an empty one, within an import and across two', async () => {
  const text =
    'day,source,campaign,cost\n2026-01-01,google,,1\n2026-01-01,google,,2\n2026-01-01,google,sale,5\n';
  const changed = 'day,source,campaign,cost\n2026-01-01,google,,3\n';
  expect(await importInTurn(adCosts, [text, text, changed], 'campaign, cost')).toEqual([
    ['sale', '5.0000'],
    [null, '3.0000'],
  ]);
});

it('an e-mail in a key is the same in any case', async () => {
  const text = 'email,at,state\nA@example.com,2026-01-01T00:00:00,subscribed\n';
  const again = 'email,at,state\n a@example.com ,2026-01-01T00:00:00,unsubscribed\n';
  expect(await importInTurn(consentEvents, [text, again], 'state')).toEqual([['unsubscribed']]);
});
