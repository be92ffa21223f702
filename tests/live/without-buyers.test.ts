import { expect, it } from 'vitest';
import { takeConnection } from '../../src/control/connections/connection-leases.ts';
import { createConnection } from '../../src/control/connections/connections.ts';
import { importLanded } from '../../src/live/import-landed.ts';
import { LandedFiles } from '../../src/live/landing/landed-files.ts';
import { withoutBuyers } from '../../src/live/reconcile/without-buyers.ts';
import { url } from '../../src/live/vendors/url.ts';
import { importFiles, storedRows } from '../ingest/shop.ts';
import { createTestInstance } from '../support/test-instance.ts';

it('a deletion of a profile takes no order along, whatever ties the order to it', async () => {
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

it('a customer goes with the orders that are deleted while both wait for one import, and one who has another order stays', async () => {
  await using test = await createTestInstance({ isOneEngineEnough: true });
  const business = await test.createBusiness({ currency: 'EUR', timezone: 'UTC' });
  await importFiles(test, business, {
    'profiles.csv': 'profile_id,email\ngoes,g@example.com\nstays,s@example.com\n',
    'orders.csv': [
      'order_id,ordered_at,total,profile_id',
      'o1,2026-01-01T10:00:00Z,5,goes',
      'o2,2026-01-01T10:00:00Z,5,stays',
      'o3,2026-01-02T10:00:00Z,5,stays',
      '',
    ].join('\n'),
  });
  const { control, secret } = test.instance;
  const { connection_id } = await createConnection(control, secret, {
    ...{ business_id: business.business_id, name: 'one', vendor: 'url', account: null },
    ...{ settings: {}, secrets: {}, interval_s: 900 },
  });
  const held = await takeConnection(control, connection_id);
  if (held === null) throw new Error('somebody holds it');
  const files = await LandedFiles.open(test.instance, held);
  const place = { stream: 'told', place: '1', complete_until: null };
  // The vendor told of the customers first.
  const profiles = ['goes', 'stays'].map(
    (profile_id) => ({ table: 'profiles', key: { profile_id } }) as const,
  );
  await files.land(place, { gone: profiles });
  const orders = ['o1', 'o2'].map((order_id) => ({ table: 'orders', key: { order_id } }) as const);
  await files.land(place, { gone: orders });
  await importLanded(test.instance, { business, held, files, vendor: url, settings: {} });
  expect(await storedRows(test, business, 'orders', 'order_id')).toEqual([['o3']]);
  expect(await storedRows(test, business, 'profiles', 'profile_id')).toEqual([['stays']]);
});
