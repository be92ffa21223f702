import { expect, it } from 'vitest';
import { OutdatedError, PatientWarehouse } from '../../src/server/pages-ahead/patient-warehouse.ts';
import type { Warehouse } from '../../src/warehouse/warehouse.ts';

const SNAPSHOT = { business_id: 'b', snapshot_id: 's' };
const ASKER = { account: 'a', question: 'q' };
const always = { isIdle: () => true, isOfUse: async () => true };

function warehouseOf(query: Warehouse['query']): Warehouse {
  return { query, ask: () => Promise.reject(new Error('not asked')), close: async () => {} };
}

it('one question is under way at a time', async () => {
  const events: string[] = [];
  const slow = warehouseOf(async (_snapshot, _queries, { question }) => {
    events.push(`begins ${question}`);
    await new Promise(setImmediate);
    events.push(`ends ${question}`);
    return [];
  });
  const patient = new PatientWarehouse(slow, always);
  const ask = (question: string) => patient.query(SNAPSHOT, [], { ...ASKER, question });
  await Promise.all([ask('1'), ask('2')]);
  expect(events).toEqual(['begins 1', 'ends 1', 'begins 2', 'ends 2']);
});

it('nothing is asked while somebody else asks', async () => {
  let looks = 0;
  const asked: number[] = [];
  const warehouse = warehouseOf(async () => {
    asked.push(looks);
    return [];
  });
  const isIdle = () => {
    looks += 1;
    return looks > 3;
  };
  await new PatientWarehouse(warehouse, { ...always, isIdle }).query(SNAPSHOT, [], ASKER);
  expect(asked).toEqual([4]);
});

it('who stops does not wait for others to end', async () => {
  const stop = new AbortController();
  const isIdle = () => {
    stop.abort();
    return false;
  };
  const warehouse = warehouseOf(() => Promise.reject(new Error('asked')));
  const patient = new PatientWarehouse(warehouse, { ...always, isIdle });
  await expect(patient.query(SNAPSHOT, [], ASKER, stop.signal)).rejects.toThrow('abort');
});

it('a question that became useless is refused, and so is each after it', async () => {
  let asked = 0;
  const warehouse = warehouseOf(async () => {
    asked += 1;
    return [];
  });
  const patient = new PatientWarehouse(warehouse, { ...always, isOfUse: async () => asked === 0 });
  const outcomes = await Promise.allSettled([1, 2, 3].map(() => patient.query(SNAPSHOT, [], ASKER)));
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
  expect(outcomes[1]).toMatchObject({ reason: expect.any(OutdatedError) });
  expect(asked).toBe(1);
});

it('a question that fails does not stop the next one', async () => {
  let asked = 0;
  const warehouse = warehouseOf(async () => {
    asked += 1;
    if (asked === 1) throw new Error('too large');
    return [];
  });
  const patient = new PatientWarehouse(warehouse, always);
  const first = patient.query(SNAPSHOT, [], ASKER);
  const second = patient.query(SNAPSHOT, [], ASKER);
  await expect(first).rejects.toThrow('too large');
  expect(await second).toEqual([]);
});
