import { expect, it } from 'vitest';
import { withoutBuyers } from '../../src/live/reconcile/without-buyers.ts';
import { importFiles } from '../ingest/shop.ts';
import { createTestInstance } from '../support/test-instance.ts';

it('no deletion of a profile takes an order along, whatever ties the order to it', async () => {
  await using test = await createTestInstance({ isOneEngineEnough: true });
  const business = await test.createBusiness({ currency: 'EUR', timezone: 'UTC' });
  await importFiles(test, business, {
    'profiles.csv':
      'profile_id,email\nnamed,\nby-email,b@example.com\nsession,\nvisit,\nvisitor,\nnobody,n@example.com\n',
    'orders.csv': [
      'order_id,ordered_at,total,profile_id,email,visitor_id,session_id',
      'o1,2026-01-01T10:00:00Z,5,named,,,',
      'o2,2026-01-01T10:00:00Z,5,,b@example.com,,',
      'o3,2026-01-01T10:00:00Z,5,,,,s1',
      'o4,2026-01-01T10:00:00Z,5,,,,',
      'o5,2026-01-01T10:00:00Z,5,,,v3,',
      '',
    ].join('\n'),
    'sessions.csv': [
      'session_id,visitor_id,profile_id,started_at',
      's1,v1,,2026-01-01T09:00:00Z',
      's2,v1,session,2026-01-01T08:00:00Z',
      's3,v2,visit,2026-01-01T08:00:00Z',
      's4,v4,nobody,2026-01-01T08:00:00Z',
      '',
    ].join('\n'),
    'order_visits.csv': 'reference,visitor_id,at\no4,v2,2026-01-01T10:00:00Z\n',
    'identities.csv': 'profile_id,kind,value\nvisitor,visitor,v3\n',
  });
  const going = ['named', 'by-email', 'session', 'visit', 'visitor', 'nobody'];
  expect(await withoutBuyers(test.instance, business, test.folder, going)).toEqual(['nobody']);
});
