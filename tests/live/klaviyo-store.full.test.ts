import { afterAll, expect, it } from 'vitest';
import { klaviyo } from '../../src/live/vendors/klaviyo/klaviyo.ts';
import { createTestInstance } from '../support/test-instance.ts';
import { importRows } from './stubs/imported.ts';
import { KEY, startKlaviyoStub } from './stubs/klaviyo/klaviyo-stub.ts';
import { MadeAccount } from './stubs/klaviyo/made-account.ts';
import { killsRandomly, Landing } from './stubs/landing.ts';
import { between, seededRandom } from './stubs/random.ts';
import { Clock, stubAccess } from './stubs/stub-access.ts';
import { randomFaults } from './stubs/stub-server.ts';

const test = await createTestInstance({ isOneEngineEnough: true });
afterAll(() => test[Symbol.asyncDispose]());

it('a store has the campaigns and the sends of the account', { timeout: 300_000 }, async () => {
  const random = seededRandom(31);
  const clock = new Clock('2026-11-22T12:00:00Z');
  const account = new MadeAccount(random, clock);
  account.fill({ profiles: 60, campaigns: 5 });
  await using stub = await startKlaviyoStub(account, random);
  stub.mostPerPage = 40;
  stub.faults = randomFaults(random, 0.1);
  const access = stubAccess(clock, { settings: { host: stub.url.replace('http://', '') }, secrets: KEY });
  const business = await test.createBusiness({ currency: 'CZK', timezone: 'Europe/Prague' });
  const landings = klaviyo.streams.map((stream) => ({ stream, landing: new Landing(), imported: 0 }));
  for (let round = 0; round < 4; round += 1) {
    const isLast = round === 3;
    stub.beforeAnswer = () => {
      clock.pass(between(random, 0, 2000));
      if (round > 0 && !isLast && random() < 0.4) account.change();
    };
    for (const { stream, landing } of landings)
      await landing.runToEnd(stream, access, () => clock.pass(3600_000), killsRandomly(random, 0.1));
    const rows = landings.flatMap((each) => each.landing.rows.slice(each.imported));
    for (const each of landings) each.imported = each.landing.rows.length;
    const report = await importRows(test, business, rows);
    if (report !== null) expect(report.rejects_file).toBeNull();
  }
  const { business_id } = business;
  const told = (await test.ask('list_campaigns', { business_id, limit: 100 })) as {
    campaigns: { campaign_id: string; name: string; state: string; created_at: string }[];
  };
  const events = [...account.events.values()];
  const sentMessages = new Set(events.map(({ properties }) => properties.$message));
  const flows = [...account.flows.values()];
  const campaigns = [...account.campaigns.values()].filter(({ message }) => sentMessages.has(message));
  // Whatever came in which import: names and beginnings are those of the account.
  expect(new Map(told.campaigns.map(({ name, created_at }) => [name, Date.parse(created_at)]))).toEqual(
    new Map([...flows, ...campaigns].map(({ name, createdAt }) => [name, createdAt])),
  );
  const range = { from_date: '2020-01-01T00:00:00', to_date: '2030-12-31T23:59:59' };
  const email = (await test.ask('email_channel_statistics', { business_id, ...range })) as Record<
    string,
    number
  >;
  const received = events.filter(({ metric }) => metric === 'Received').length;
  expect(email).toMatchObject({
    delivered_count: received,
    hard_bounces_count: events.filter(({ metric }) => metric === 'Bounced').length,
  });
});
