import { afterAll, describe, expect, it } from 'vitest';
import { importFiles } from '../../src/import/run.ts';
import { storedRows, writeFiles } from '../ingest/shop.ts';
import { createTestInstance } from '../support/test-instance.ts';
import { ga4Event } from './ga4-export.ts';
import { call, ndjson, track } from './segment-calls.ts';

const [NATIONAL, OTHER, PREFIXED, WRITTEN] = ['601234567', '602345678', '420603456789', '604 567 890'];

describe('a phone number that a shop uses as the id of a person', () => {
  const test = createTestInstance({ isOneEngineEnough: true });
  afterAll(async () => (await test)[Symbol.asyncDispose]());

  async function storedIds(file: string) {
    const instance = await test;
    const business = await instance.createBusiness({ currency: 'CZK', timezone: 'Europe/Prague' });
    await importFiles(instance.instance, business, [writeFiles(instance, { 'file.json': file })]);
    const rows = (table: string, columns: string) => storedRows(instance, business, table, columns);
    return {
      sessions: await rows('sessions', 'profile_id, session_id, visitor_id'),
      profiles: await rows('profiles', 'profile_id, external_customer_id'),
      events: await rows('product_events', 'session_id, visitor_id'),
    };
  }

  it('is not in the ids of visits and profiles that are made of calls of Segment', async () => {
    const stored = await storedIds(
      ndjson([
        call('page', 0, { anonymousId: NATIONAL, userId: OTHER }),
        track('Product Viewed', 10, { product_id: 'P' }, { anonymousId: NATIONAL, userId: OTHER }),
        call('page', 20, { anonymousId: PREFIXED, userId: WRITTEN }),
        call('identify', 30, { anonymousId: PREFIXED, traits: { email: 'ann@example.com' } }),
        call('page', 40, { anonymousId: WRITTEN, traits: { email: 'bob@example.com' } }),
      ]),
    );
    expect([stored.sessions.length, stored.profiles.length, stored.events.length]).toEqual([3, 4, 1]);
    for (const phone of [NATIONAL, OTHER, PREFIXED, WRITTEN])
      expect.soft(JSON.stringify(stored)).not.toContain(phone);
    const profiles = stored.profiles.map(([id]) => id);
    for (const [profile] of stored.sessions) expect(profiles).toContain(profile);
    expect(stored.sessions.map(([, session]) => session)).toContain(stored.events[0]?.[0]);
    for (const profile of profiles) expect(profile).toMatch(/^~segment (user|visitor) [0-9a-f]{32}$/);
  });

  it('is not in the ids of visits that are made of events of Google Analytics', async () => {
    const fields = { user_pseudo_id: NATIONAL };
    const stored = await storedIds(
      ndjson([
        ga4Event('page_view', 0, { ga_session_id: 1772704800 }, fields),
        ga4Event('view_item', 9, { ga_session_id: 1772704800 }, { ...fields, items: [{ item_id: 'P' }] }),
      ] as never),
    );
    expect([stored.sessions.length, stored.events.length]).toEqual([1, 1]);
    expect(JSON.stringify(stored)).not.toContain(NATIONAL);
    expect(stored.sessions[0]?.[1]).toMatch(/^[0-9a-f]{32}\.1772704800$/);
    expect(stored.events[0]).toEqual(stored.sessions[0]?.slice(1));
  });

  it('is not in the ids of profiles that are made of events of Google Analytics', async () => {
    const stored = await storedIds(ndjson([ga4Event('page_view', 0, {}, { user_id: OTHER })] as never));
    expect(stored.profiles).toHaveLength(1);
    expect(JSON.stringify(stored)).not.toContain(OTHER);
    expect(stored.profiles[0]?.[0]).toMatch(/^~ga4 user [0-9a-f]{32}$/);
    expect(stored.sessions[0]?.[0]).toBe(stored.profiles[0]?.[0]);
  });
});
