import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it, vi } from 'vitest';
import { openControlDatabase } from '../../src/control/database/control-database.ts';
import { Collected } from '../support/collected.ts';

it('a bounded number of ever new statements stays prepared, and what is asked often is prepared once', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'storesight-statements-'));
  const control = await openControlDatabase(join(folder, 'control.sqlite'));
  const collected = new Collected();
  const { prepare } = DatabaseSync.prototype;
  const texts: string[] = [];
  const preparing = vi.spyOn(DatabaseSync.prototype, 'prepare').mockImplementation(function (
    this: DatabaseSync,
    text,
  ) {
    texts.push(text);
    return collected.watch(prepare.call(this, text));
  });
  const ask = (ids: readonly string[]) =>
    control.selectFrom('businesses').select('name').where('business_id', 'in', ids).execute();
  for (let length = 2; length < 1000; length += 1) {
    await ask(Array.from({ length }, String));
    await ask(['1']);
  }
  preparing.mockRestore();
  expect(texts).toHaveLength(999);
  expect(await collected.left(500)).toBe(500);
  await control.destroy();
  await rm(folder, { recursive: true });
});
