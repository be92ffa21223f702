/**
 * What the gate for personal data costs: texts of a million orders and sessions, read as they are and through
 * the gate.
 *
 * node bench/personal-data.ts
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { storedColumns } from '../src/store/canonical-table.ts';
import { Session } from '../src/store/duckdb-session.ts';
import { defineGate, gatedValue } from '../src/store/personal-data/session-gate.ts';
import { orders } from '../src/store/tables/orders.ts';
import { sessions } from '../src/store/tables/sessions.ts';

const ROWS = 1_000_000;

/** Texts of each column that a row has, by its number `i`. */
const TEXTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ordinary: {
    order_id: `'A' || i`,
    profile_id: `'P' || i % 400000`,
    visitor_id: `(1000000000 + i % 500000) || '.' || 1700000000`,
    session_id: `md5('s' || i)`,
    utm_campaign: `'spring-' || i % 50`,
    campaign: `'spring-' || i % 50`,
    payment_method: `'card'`,
    landing_path: `'/category/' || i % 900 || '?utm_source=x'`,
    referrer_host: `'www.google.com'`,
  },
  personal: {
    order_id: `'A' || i`,
    profile_id: `'name' || i % 400000 || '@obchod.cz'`,
    visitor_id: `'+420' || (601000000 + i % 500000)`,
    session_id: `md5('s' || i)`,
    utm_campaign: `'spring-' || i % 50`,
    campaign: `'name' || i % 400000 || '@obchod.cz'`,
    payment_method: `'card'`,
    landing_path: `'/u/name' || i % 400000 || '@obchod.cz?utm_source=x'`,
    referrer_host: `'www.google.com'`,
  },
};

const folder = await mkdtemp(join(tmpdir(), 'storesight-bench-'));
try {
  using session = await Session.open(':memory:', { memory: '2GB', spillFolder: folder, spillLimit: '10GB' });
  const business = { business_id: 'a business', timezone: 'Europe/Prague', primary_currency: 'CZK' };
  defineGate(session, Buffer.alloc(32), business);
  for (const [name, texts] of Object.entries(TEXTS)) {
    for (const table of [orders, sessions]) {
      const columns = storedColumns(table).filter((column) => column.name in texts);
      const values = columns.map((column) => `${texts[column.name]} as "${column.name}"`);
      await session.run(
        `create or replace table source as select ${values.join(', ')} from range(${ROWS}) as rows(i)`,
      );
      const plain = await seconds(columns.map((column) => `"${column.name}"`));
      const gated = await seconds(
        columns.map((column) => `${gatedValue(table.name, column)} as "${column.name}"`),
      );
      console.log(
        `${name} texts of ${ROWS} ${table.name}: copied in ${plain.toFixed(1)} s, through the gate in ${gated.toFixed(1)} s`,
      );
    }
  }

  async function seconds(columns: readonly string[]): Promise<number> {
    const startedAt = performance.now();
    await session.run(`create or replace table target as select ${columns.join(', ')} from source`);
    return (performance.now() - startedAt) / 1000;
  }
} finally {
  await rm(folder, { recursive: true });
}
