import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Business, PERMISSIONS } from '../../src/business/business.ts';
import { grantAccess, revokeAccess } from '../../src/control/people/accounts.ts';
import { createGrant, findGrant, revokeGrant } from '../../src/control/tokens/grants.ts';
import { Person } from '../oauth/person.ts';
import { startTestServer, type TestServer } from '../server/test-server.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { stateOf } from './control-state.ts';
import type { Page } from './cookie-browser.ts';
import { slowControl } from './slow-control.ts';

/** Whose connections a person sees, changes and cuts. */
let test: TestInstance;
let server: TestServer;
let shops: Business[];
let ada: Person;
let eve: Person;

beforeAll(async () => {
  test = await createTestInstance();
  server = await startTestServer(test);
  shops = [
    await test.createBusiness({ name: 'First shop' }),
    await test.createBusiness({ name: 'Second shop' }),
  ];
  ada = await Person.join(test.instance.control, shops);
  eve = await Person.join(test.instance.control, shops);
  for (const person of [ada, eve]) await person.open(`${server.baseUrl}/connections`);
});

afterAll(async () => {
  await server.stop();
  await test[Symbol.asyncDispose]();
});

const id = (index: number) => shops[index]?.business_id ?? '';

async function connect(person: Person, allowlist: string[] | null = null, seconds = 3600): Promise<string> {
  const { grant_id } = await createGrant(test.instance.control, {
    account_id: person.account_id,
    allowlist,
    expires_at: new Date(Date.now() + seconds * 1000),
    client: { client_id: 'c', client_name: `App ${seconds}`, redirect_host: 'app.example' },
  });
  return grant_id;
}

function change(
  person: Person,
  grantId: string,
  fields: readonly (readonly [string, string])[],
): Promise<Page> {
  return person.browser.post(
    `${server.baseUrl}/connections/${grantId}`,
    new URLSearchParams(fields.map(([name, value]): [string, string] => [name, value])),
  );
}

function revoke(person: Person, grantId: string): Promise<Page> {
  return person.browser.post(`${server.baseUrl}/connections/${grantId}/revoke`, {});
}

async function allowlistOf(grantId: string) {
  return (await findGrant(test.instance.control, grantId))?.allowlist;
}

describe('a connection that is not there', () => {
  const absent: Record<string, () => Promise<string>> = {
    'of somebody else': () => connect(ada),
    'that was cut': async () => {
      const grantId = await connect(eve);
      await revokeGrant(test.instance.control, grantId);
      return grantId;
    },
    'that ended': () => connect(eve, null, -1),
    'that nobody has': async () => '11111111-2222-4333-8444-555555555555',
  };

  it.each(Object.entries(absent))('%s is neither shown, changed nor cut', async (_name, make) => {
    const grantId = await make();
    const before = await stateOf(test.instance.control);
    const list = await eve.browser.get(`${server.baseUrl}/connections`);
    expect(list.text).not.toContain(grantId);
    const answers = [
      await eve.browser.get(`${server.baseUrl}/connections/${grantId}`),
      await change(eve, grantId, [['businesses', 'all']]),
      await change(eve, grantId, [
        ['businesses', 'chosen'],
        ['business_id', id(0)],
      ]),
      await revoke(eve, grantId),
    ];
    for (const { status, text } of answers) {
      expect(status).toBe(404);
      expect(text).toContain('No such connection');
    }
    expect(await stateOf(test.instance.control)).toEqual(before);
  });
});

describe("one's own connection", () => {
  it('is changed to some stores, to all, and cut', async () => {
    const grantId = await connect(ada);
    const changed = await change(ada, grantId, [
      ['businesses', 'chosen'],
      ['business_id', id(1)],
    ]);
    expect(changed.location?.href).toBe(`${server.baseUrl}/connections?done=changed`);
    expect(await allowlistOf(grantId)).toEqual([id(1)]);
    await change(ada, grantId, [
      ['businesses', 'all'],
      ['business_id', id(1)],
    ]);
    expect(await allowlistOf(grantId)).toBeNull();
    const cut = await ada.browser.follow(await revoke(ada, grantId));
    expect(cut.text).toContain('The app is disconnected. It can read nothing more.');
    expect(await allowlistOf(grantId)).toBeUndefined();
  });

  it.each<[string, [string, string][]]>([
    ['nothing', []],
    ['only these, and none', [['businesses', 'chosen']]],
    [
      'an unknown word',
      [
        ['businesses', 'some'],
        ['business_id', 'x'],
      ],
    ],
    [
      'a store of somebody else',
      [
        ['businesses', 'chosen'],
        ['business_id', '33333333-2222-4333-8444-555555555555'],
      ],
    ],
    ['ALL', [['businesses', 'ALL']]],
  ])('stays as it is when the form says %s', async (_name, fields) => {
    const grantId = await connect(ada, [id(0)]);
    const { status, text } = await change(ada, grantId, fields);
    expect(status).toBe(400);
    expect(text).toContain('Choose which stores the app may read: all, or at least one of the list.');
    expect(await allowlistOf(grantId)).toEqual([id(0)]);
  });

  it('never gets a store that its person has not', async () => {
    const stranger = await test.createBusiness({ name: 'Shop of a stranger' });
    const grantId = await connect(ada, [id(0)]);
    await change(ada, grantId, [
      ['businesses', 'chosen'],
      ['business_id', stranger.business_id],
      ['business_id', id(1)],
    ]);
    expect(await allowlistOf(grantId)).toEqual([id(1)]);
    expect((await ada.browser.get(`${server.baseUrl}/connections/${grantId}`)).text).not.toContain(
      'stranger',
    );
  });

  it('does not show a store that its person lost', async () => {
    const lent = await test.createBusiness({ name: 'Lent shop' });
    await grantAccess(test.instance.control, ada.account_id, lent.business_id, PERMISSIONS);
    const grantId = await connect(ada, [lent.business_id]);
    const page = async () => (await ada.browser.get(`${server.baseUrl}/connections`)).text;
    expect(await page()).toContain('Lent shop');
    await revokeAccess(test.instance.control, ada.account_id, lent.business_id);
    expect(await page()).not.toContain('Lent shop');
    expect(await page()).toContain('None: it can read nothing');
    await revoke(ada, grantId);
  });

  it('is cut once by many clicks at once', async () => {
    const slow = await startTestServer(test, { control: slowControl(test.instance.control) });
    const grantId = await connect(ada);
    await ada.open(`${slow.baseUrl}/connections`);
    const url = `${slow.baseUrl}/connections/${grantId}/revoke`;
    const clicks = await Promise.all([1, 2, 3, 4, 5, 6].map(() => ada.browser.post(url, {})));
    expect(clicks.map(({ status }) => status)).toEqual(clicks.map(() => 303));
    expect(await allowlistOf(grantId)).toBeUndefined();
    await slow.stop();
  });
});

it('a session that ended in between leads back to the same page after signing in', async () => {
  const grantId = await connect(ada);
  const late = await Person.join(test.instance.control);
  const { location } = await change(late, grantId, [['businesses', 'all']]);
  expect(location?.searchParams.get('return_to')).toBe(`/connections/${grantId}`);
  const cut = await revoke(late, grantId);
  expect(cut.location?.searchParams.get('return_to')).toBe('/stores');
});
