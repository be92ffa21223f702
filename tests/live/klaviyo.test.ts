import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Access, Json } from '../../src/live/vendor.ts';
import { klaviyo } from '../../src/live/vendors/klaviyo/klaviyo.ts';
import { MESSAGE_METRICS } from '../../src/sources/klaviyo/metrics.ts';
import { runs } from '../support/runs.ts';
import '../support/seed.ts';
import { KEY, startKlaviyoStub } from './stubs/klaviyo/klaviyo-stub.ts';
import { MadeAccount, METRICS } from './stubs/klaviyo/made-account.ts';
import { killsRandomly, Landing, landingsOf } from './stubs/landing.ts';
import { between, type Random, seededRandom } from './stubs/random.ts';
import { Clock, stubAccess } from './stubs/stub-access.ts';
import { randomFaults } from './stubs/stub-server.ts';

async function openAccount(
  random: Random,
  size: { profiles: number; campaigns: number },
  clockBehind: number | null = null,
) {
  const clock = new Clock('2026-11-22T12:00:00Z');
  const ofAccount = clock.behind(clockBehind ?? 0);
  const account = new MadeAccount(random, ofAccount);
  account.fill(size);
  const stub = await startKlaviyoStub(account, random);
  if (clockBehind !== null) stub.clock = ofAccount;
  const access = stubAccess(clock, { settings: { host: stub.url.replace('http://', '') }, secrets: KEY });
  return {
    clock,
    account,
    stub,
    access,
    ...landingsOf(klaviyo.streams, access, () => clock.pass(3600_000)),
    [Symbol.asyncDispose]: () => stub[Symbol.asyncDispose](),
  };
}

interface Landed {
  readonly type: string;
  readonly id: string;
  // biome-ignore lint/suspicious/noExplicitAny: of whatever resource
  readonly attributes: any;
  // biome-ignore lint/suspicious/noExplicitAny: of whatever resource
  readonly relationships: any;
}

function landed(rows: readonly Json[], type: string, words: (row: Landed) => unknown): Map<string, unknown> {
  const found = rows.filter((row) => (row as unknown as Landed).type === type) as unknown as Landed[];
  return new Map(found.map((row) => [row.id, words(row)]));
}

const by = <Made extends { readonly id: string }>(made: Iterable<Made>, words: (one: Made) => unknown) =>
  new Map([...made].map((one) => [one.id, words(one)]));

function expectSame({ events, profiles, flows, campaigns }: MadeAccount, rows: readonly Json[]): void {
  const ofMessages = [...events.values()].filter(({ metric }) => {
    const [name = '', integration] = METRICS[metric] ?? [];
    return MESSAGE_METRICS.has(name) && integration === 'Klaviyo';
  });
  expect(
    landed(rows, 'event', ({ attributes, relationships }) => [
      Date.parse(attributes.datetime),
      attributes.event_properties.$message,
      relationships.metric.data.id,
      relationships.profile.data.id,
    ]),
  ).toEqual(
    by(ofMessages, ({ at, properties, metric, profile }) => [at, properties.$message, metric, profile]),
  );
  expect(
    landed(rows, 'profile', ({ attributes: { email, subscriptions } }) => [
      email,
      subscriptions.email.marketing.consent,
      subscriptions.email.marketing.suppression.length,
    ]),
  ).toEqual(
    by(profiles.values(), ({ email, consent, suppressions }) => [email, consent, suppressions.length]),
  );
  expect(landed(rows, 'flow', ({ attributes }) => attributes.name)).toEqual(
    by(flows.values(), ({ name }) => name),
  );
  expect(
    landed(rows, 'campaign', ({ attributes, relationships }) => [
      attributes.status,
      relationships['campaign-messages'].data[0].id,
    ]),
  ).toEqual(by(campaigns.values(), ({ status, message }) => [status, message]));
}

describe('an account', () => {
  it('is read: events of messages, profiles, campaigns of both channels, flows; and nothing twice', async () => {
    await using opened = await openAccount(seededRandom(1), { profiles: 250, campaigns: 8 });
    await opened.readAll();
    expectSame(opened.account, opened.rows());
    const ids = opened
      .rows()
      .flatMap((row) => ((row as unknown as Landed).type === 'metric' ? [] : [JSON.stringify(row)]));
    expect(new Set(ids).size).toBe(ids.length);
    // Data that is not imported is not asked for, and neither are names of people.
    expect(opened.stub.asked.join()).not.toContain('Active');
    expect(JSON.stringify(opened.rows())).not.toContain('first_name');
    const before = opened.rows().length;
    opened.clock.pass(15 * 60_000);
    await opened.readAll();
    expect(opened.rows().length).toBe(before);
  });

  it('does not land a large send again with every run for ever', async () => {
    await using opened = await openAccount(seededRandom(4), { profiles: 2, campaigns: 0 });
    const { account, clock, stub, readAll, rows } = opened;
    const at = clock.now().getTime();
    const [profile] = account.profiles.keys();
    for (let count = 0; count < 5100; count += 1) {
      const id = `sent-${count}`;
      account.events.set(id, {
        ...{ id, metric: 'Received', profile: String(profile), at, properties: { $message: 'M1' } },
      });
    }
    stub.mostPerPage = 1000;
    clock.pass(60_000);
    await readAll();
    clock.pass(3 * 3600_000);
    await readAll();
    const before = rows().length;
    clock.pass(15 * 60_000);
    await readAll();
    expect(rows().length).toBe(before);
    // What is told late by less than an hour is found all the same.
    account.events.set('late', {
      ...{ id: 'late', metric: 'Received', profile: String(profile), at: clock.now().getTime() - 3500_000 },
      properties: { $message: 'M1' },
    });
    await readAll();
    expect(JSON.stringify(rows().slice(before))).toContain('late');
  });

  it('misses no event while the clock of this server is days ahead, or is set back in the middle', async () => {
    const ahead = 3 * 24 * 3600_000;
    await using opened = await openAccount(seededRandom(6), { profiles: 2, campaigns: 0 }, ahead);
    const { account, clock, stub, rows, readAll } = opened;
    const [profile] = account.profiles.keys();
    const send = (id: string) => {
      const at = clock.now().getTime() - ahead;
      account.events.set(id, {
        ...{ id, metric: 'Received', profile: String(profile), at, properties: { $message: 'M1' } },
      });
    };
    send('first');
    for (let day = 0; day < 5; day += 1) {
      clock.pass(24 * 3600_000);
      await readAll();
    }
    send('while it is ahead');
    clock.pass(60_000);
    await readAll();
    expect(JSON.stringify(rows())).toContain('while it is ahead');
    clock.pass(5 * 24 * 3600_000);
    await readAll();
    // Now a walk begins while the clock is ahead, and ends when it is right.
    stub.beforeAnswer = () => {
      stub.beforeAnswer = () => {};
      clock.pass(-ahead);
      stub.clock = { now: () => clock.now() };
    };
    await readAll();
    const at = clock.now().getTime();
    account.events.set('since', {
      ...{ id: 'since', metric: 'Received', profile: String(profile), at, properties: { $message: 'M1' } },
    });
    clock.pass(60_000);
    await readAll();
    expect(JSON.stringify(rows())).toContain('"since"');
  });

  it('is read in the end with changes and late events while it is read, faults and killed runs', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 2 ** 31 }), async (seed) => {
        const random = seededRandom(seed);
        await using opened = await openAccount(random, {
          profiles: between(random, 0, 60),
          campaigns: between(random, 0, 5),
        });
        const { account, stub, clock } = opened;
        stub.mostPerPage = between(random, 3, 200);
        stub.faults = randomFaults(random, random() * 0.25);
        // A walk over pages of a slow account lasts longer than events are late.
        const slowest = random() < 0.5 ? 2000 : 600_000;
        stub.beforeAnswer = () => {
          clock.pass(between(random, 0, slowest));
          if (random() < 0.3) account.change();
          if (random() < 0.01) stub.endPlaces();
        };
        const killed = killsRandomly(random, random() * 0.15);
        for (let round = 0; round < 3; round += 1) {
          await opened.readAll(killed);
          clock.pass(between(random, 0, 3600_000));
        }
        stub.beforeAnswer = () => {};
        await opened.readAll(killed);
        expectSame(account, opened.rows());
      }),
      { numRuns: runs(3) },
    );
  });
});

describe('a list whose next page is ever another one, and empty', () => {
  /** As many pages of a list as it is told are empty, before those that it has. */
  function withEmptyPages(access: Access, list: string, pages: number): Access {
    let answered = 0;
    return {
      ...access,
      fetch: async (request) => {
        const url = new URL(request.url);
        if (url.pathname !== `/api/${list}`) return access.fetch(request);
        const cursor = url.searchParams.get('page[cursor]') ?? '';
        if (cursor.startsWith('empty') || cursor === '') answered += 1;
        if (answered <= pages && (cursor.startsWith('empty') || cursor === '')) {
          const next = `https://a.klaviyo.com/api/${list}?page%5Bcursor%5D=empty-${answered}`;
          return Response.json({ data: [], links: { next } });
        }
        if (cursor.startsWith('empty')) url.searchParams.delete('page[cursor]');
        return access.fetch(new Request(url, request));
      },
    };
  }
  const streamCalled = (name: string) => {
    const found = klaviyo.streams.find((stream) => stream.name === name);
    if (found === undefined) throw new Error(`there is no stream ${name}`);
    return found;
  };

  it.each([
    ['profiles', 'profiles'],
    ['events', 'events'],
    ['metrics', 'events'],
  ])('is an error: %s', async (list, stream) => {
    await using opened = await openAccount(seededRandom(5), { profiles: 3, campaigns: 1 });
    const landing = new Landing();
    const access = withEmptyPages(opened.access, list, 100_000);
    expect(await landing.run(streamCalled(stream), access)).toBe(false);
    expect(landing.failures).toMatchObject([
      { state: 'bad_answer', message: expect.stringContaining('no end') },
    ]);
  });

  it('loses nothing of what comes behind', async () => {
    await using opened = await openAccount(seededRandom(5), { profiles: 30, campaigns: 1 });
    const landing = new Landing();
    await landing.runToEnd(streamCalled('profiles'), withEmptyPages(opened.access, 'profiles', 450));
    expect(landing.ended.failed).toBe(2);
    expect(landing.rows).toHaveLength(opened.account.profiles.size);
  });

  it('is not ended where Klaviyo does not say where the next page is', async () => {
    await using opened = await openAccount(seededRandom(5), { profiles: 3, campaigns: 1 });
    const landing = new Landing();
    const fetch = async () =>
      Response.json({ data: [], links: { next: 'https://a.klaviyo.com/api/profiles' } });
    expect(await landing.run(streamCalled('profiles'), { ...opened.access, fetch })).toBe(false);
    expect(landing.failures).toMatchObject([{ state: 'bad_answer' }]);
  });
});

describe('a key', () => {
  it('works for the rest without a scope, and says what that costs', async () => {
    await using opened = await openAccount(seededRandom(2), { profiles: 3, campaigns: 1 });
    const { stub, access } = opened;
    expect(await klaviyo.check(access)).toEqual({ account: 'Made account', accountId: 'ACC', missing: [] });
    stub.scopes.delete('flows:read');
    stub.scopes.delete('accounts:read');
    expect(await klaviyo.check(access)).toEqual({
      account: 'Klaviyo',
      missing: [{ scope: 'flows:read', costs: 'automated campaigns have ids instead of names' }],
    });
    stub.scopes.clear();
    await expect(klaviyo.check(access)).rejects.toMatchObject({ state: 'missing_scope' });
  });

  it('says that it was deleted, or that a quota lasts for hours', async () => {
    await using opened = await openAccount(seededRandom(3), { profiles: 3, campaigns: 1 });
    const { stub, clock, access } = opened;
    const deleted = stubAccess(clock, {
      settings: { ...access.settings } as Record<string, string>,
      secrets: { privateKey: 'pk_old' },
    });
    await expect(klaviyo.check(deleted)).rejects.toMatchObject({ state: 'unauthorized' });
    stub.faults = () => 'own';
    const error = await klaviyo.check(access).then(
      () => null,
      (failure) => failure,
    );
    expect(error).toMatchObject({ name: 'VendorError', state: 'quota' });
    const hours = (error.retryAt.getTime() - clock.now().getTime()) / 3600_000;
    expect(hours).toBeGreaterThanOrEqual(1);
    expect(hours).toBeLessThanOrEqual(4);
  });
});
