// An order that names no session counts to the one of its person that was open: answers with such orders say
// how many they are.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { emptyStore } from '../oracle/store.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';

let test: TestInstance;
const RANGE = { from_date: '2024-05-01T00:00:00', to_date: '2024-05-31T23:59:59' };

beforeAll(async () => {
  test = await createTestInstance();
});

afterAll(() => test[Symbol.asyncDispose]());

/**
 * A store with eight orders within sessions, of which the first ones do not name theirs, and an order within
 * none.
 */
async function shopWith(unnamed: number): Promise<string> {
  const store = emptyStore({ timezone: 'UTC', primary_currency: 'CZK' });
  for (let place = 0; place < 8; place += 1) {
    const visitor_id = `v${place}`;
    const day = `2024-05-0${place + 1}`;
    store.sessions.push({
      ...{
        session_id: `s${place}`,
        visitor_id,
        source: 'google',
        medium: 'cpc',
        started_at: `${day}T08:00:00Z`,
      },
      ended_at: `${day}T08:20:00Z`,
    });
    store.orders.push({
      ...{ order_id: `o${place}`, visitor_id, ordered_at: `${day}T08:10:00Z`, total: '100' },
      ...(place < unnamed ? {} : { session_id: `s${place}` }),
    });
  }
  store.orders.push({ order_id: 'untracked', ordered_at: '2024-05-09T08:10:00Z', total: '100' });
  const business = await test.createBusiness({ timezone: 'UTC', currency: 'CZK' });
  await test.importStore(business, store);
  return business.business_id;
}

const NOTE = /in sessions name none/;
const notesOf = async (tool: string, args: Record<string, unknown>) => {
  const { result, notes = [] } = await test.run(tool, args);
  return [...notes, ...(((result as { notes?: string[] }).notes ?? []) as string[])].filter((note) =>
    NOTE.test(note),
  );
};

it('orders in sessions of which some name none: their part is told', async () => {
  const business_id = await shopWith(2);
  const told = [
    '25 % of all orders in sessions name none: they count to the session of their customer that was open.',
  ];
  const asked = { ...RANGE, group_by: 'source' };
  expect(await notesOf('session_statistics', { business_id, ...asked })).toEqual(told);
  const metrics = ['orders_in_session_revenue'];
  // There these orders have names of their own.
  const { notes = [] } = await test.run('query_metrics', { business_ids: [business_id], metrics, ...RANGE });
  expect(notes.filter((note) => NOTE.test(note))).toEqual([]);
  expect(notes).toContain(
    'Of 9 orders 6 name a visit, 2 only by their time (…_by_time), and 1 are in no visit: conversion is of visits, and too low by what was not tracked.',
  );
});

it('the note is missing where all orders name their visit, or the answer has none', async () => {
  const named = await shopWith(0);
  expect(await notesOf('session_statistics', { business_id: named, ...RANGE, group_by: 'source' })).toEqual(
    [],
  );
  const business_id = await shopWith(2);
  expect(await notesOf('order_statistics', { business_id, ...RANGE })).toEqual([]);
  const metrics = ['sessions_count'];
  expect(await notesOf('query_metrics', { business_ids: [business_id], metrics, ...RANGE })).toEqual([]);
});
