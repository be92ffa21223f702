import type { DuckDBConnection } from '@duckdb/node-api';
import { expect, it } from 'vitest';
import { SnapshotFiles } from '../../src/warehouse/snapshot-files.ts';

it('a file that cannot be closed spoils no answer, and is closed later', async () => {
  const statements: string[] = [];
  let failing = 2;
  const connection = {
    run: async (statement: string) => {
      statements.push(statement);
      if (statement.startsWith('detach') && failing-- > 0) throw new Error('in use');
    },
  } as unknown as DuckDBConnection;
  const files = new SnapshotFiles(connection, ({ snapshot_id }) => snapshot_id, 10);
  const read = (snapshot_id: string) =>
    files.use({ business_id: 'shop', snapshot_id }, async (schema) => schema);
  expect(await read('old')).toBe('snapshot_1');
  for (const _ of [1, 2, 3, 4]) expect(await read('new')).toBe('snapshot_2');
  expect(statements).toEqual([
    "attach 'old' as snapshot_1 (read_only)",
    "attach 'new' as snapshot_2 (read_only)",
    'detach snapshot_1',
    'detach snapshot_1',
    'detach snapshot_1',
  ]);
});
