import { cpSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PERMISSIONS } from '../../src/business/business.ts';
import { CommandLine } from './command-line.ts';
import { writeOrders } from './hand-made-orders.ts';

/**
 * The forms that other programs rely on: in order, on one data folder, each with exactly one JSON document.
 */
const UUID = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
const ID = '5f0c2a4e-1111-4222-8333-444455556666';
const RANGE = { from_date: '2024-01-01T00:00:00', to_date: '2024-12-31T23:59:59' };

let cli: CommandLine;

beforeAll(async () => {
  cli = await CommandLine.openShared();
});

afterAll(() => cli[Symbol.asyncDispose]());

function callAs(account: string | null, business_id: string) {
  const asking = ['call', 'order_statistics', JSON.stringify({ business_id, ...RANGE })];
  return cli.run([...asking, ...(account === null ? [] : ['--account', account]), '--json']);
}

describe.sequential('the command line', () => {
  it('makes businesses, with everything about them and with a name alone', async () => {
    const about = ['--timezone', 'Europe/Prague', '--currency', 'czk', '--link', 'https://shop.example'];
    expect(
      await cli.json(['business', 'create', '--name', 'Shop', ...about, '--id', ID.toUpperCase()]),
    ).toEqual({ business_id: ID });
    expect(await cli.json(['business', 'create', '--name', 'Zweiter Laden'])).toEqual({ business_id: UUID });
    expect(await cli.json(['business', 'list'])).toEqual({
      businesses: [
        {
          business_id: ID,
          name: 'Shop',
          link: 'https://shop.example',
          timezone: 'Europe/Prague',
          primary_currency: 'CZK',
        },
        { business_id: UUID, name: 'Zweiter Laden', link: null, timezone: null, primary_currency: null },
      ],
      unknown_businesses: [],
    });
  });

  it('keeps the data folder for its owner alone', () => {
    for (const name of ['', 'control.sqlite', 'secret', join('businesses', ID)]) {
      const { mode } = statSync(join(cli.folder, 'data', name));
      expect(mode & 0o077, name).toBe(0);
    }
  });

  it('makes accounts, with a password and without', async () => {
    const ada = await cli.json(['account', 'create', '--email', 'Ada@Example.com']);
    expect(ada).toEqual({ account_id: UUID });
    const bob = ['account', 'create', '--email', 'bob@example.com', '--password-stdin'];
    expect(await cli.json(bob, 'correct horse battery\n')).toEqual({ account_id: UUID });
  });

  it('imports a folder, and tells what was read', async () => {
    const report = await cli.json(['import', ID, writeOrders(cli.folder)]);
    expect(report).toMatchObject({
      snapshot: expect.any(String),
      rejects_file: null,
      seconds: expect.any(Number),
    });
    const { orders } = report.tables as Record<string, Record<string, number>>;
    expect(orders).toEqual({
      read: orders?.loaded,
      loaded: expect.any(Number),
      rejected: 0,
      replaced: 0,
      ignored: 0,
      deleted: 0,
    });
    expect(orders?.loaded).toBeGreaterThan(0);
  });

  it('gives permissions in every form, and adds up what it gave', async () => {
    const grant = ['account', 'grant', '--account', 'ada@example.com', '--business', ID];
    expect(await cli.json([...grant, '--permission', 'LIST_PRODUCT'])).toMatchObject({
      permissions: ['LIST_PRODUCT'],
    });
    expect(await callAs('ada@example.com', ID)).toMatchObject({
      status: 1,
      stdout: `${JSON.stringify({
        error: 'Permission denied: this tool requires DISPLAY_ANALYTICS_DASHBOARD on this business.',
      })}\n`,
    });
    expect(
      await cli.json([...grant, '--permission', 'DISPLAY_ANALYTICS_DASHBOARD', 'LIST_CAMPAIGNS']),
    ).toMatchObject({ permissions: ['DISPLAY_ANALYTICS_DASHBOARD', 'LIST_CAMPAIGNS'] });
    const { accounts } = await cli.json(['account', 'list']);
    expect(accounts).toMatchObject([
      {
        email: 'ada@example.com',
        businesses: [{ permissions: ['DISPLAY_ANALYTICS_DASHBOARD', 'LIST_CAMPAIGNS', 'LIST_PRODUCT'] }],
      },
      { email: 'bob@example.com', businesses: [] },
    ]);
    const twice = ['--permission', 'LIST_PRODUCT', '--permission', 'MANAGE_INTEREST_LISTS'];
    expect(await cli.json([...grant.with(3, 'bob@example.com'), ...twice])).toMatchObject({
      permissions: ['MANAGE_INTEREST_LISTS', 'LIST_PRODUCT'],
    });
    expect(await cli.json([...grant.with(3, 'bob@example.com'), '--all-permissions'])).toMatchObject({
      permissions: PERMISSIONS,
    });
  });

  it('asks tools, as the operator and as an account', async () => {
    const [operator, ada] = await Promise.all([callAs(null, ID), callAs('ada@example.com', ID)]);
    expect(operator).toEqual(ada);
    expect(operator.status).toBe(0);
    const answer = JSON.parse(operator.stdout);
    expect(answer).toMatchObject({ business_id: ID, orders_count: expect.any(Number) });
    const nobodys = answer.orders_count - answer.new_orders_count - answer.returning_orders_count;
    expect(nobodys).toBeGreaterThan(0);
    expect(operator.stderr).toMatch(
      new RegExp(`^${nobodys} orders worth \\S+ CZK have no known customer: .*\\n`, 'm'),
    );
    const { result } = await cli.json(['call', 'list_businesses']);
    expect(result).toHaveLength(2);
    const seen = await cli.json(['call', 'list_businesses', '{}', '--account', 'ada@example.com']);
    expect(seen.result).toHaveLength(1);
  });

  it('makes tokens for all businesses or some, as long as asked for', async () => {
    const { businesses } = await cli.json(['business', 'list']);
    const [first, second] = businesses as { business_id: string }[];
    const list = `${first?.business_id}, ${second?.business_id?.toUpperCase()},`;
    const create = ['token', 'create', '--account', 'ada@example.com'];
    const before = Date.now();
    const created = await Promise.all([
      cli.json(create),
      cli.json([...create, '--businesses', 'all', '--ttl', '60']),
      cli.json([...create, '--businesses', list, '--ttl', '3600']),
    ]);
    for (const [index, seconds] of [30 * 24 * 3600, 60, 3600].entries()) {
      const { access_token, expires_at, ...rest } = created[index] ?? {};
      expect(rest).toEqual({});
      const expiry = Date.parse(String(expires_at));
      expect(decodeJwt(String(access_token)).exp).toBe(expiry / 1000);
      // Tokens end at whole seconds.
      expect(expiry).toBeGreaterThan(before + seconds * 1000 - 1000);
      expect(expiry).toBeLessThanOrEqual(Date.now() + seconds * 1000);
    }
  });

  it('names managers of a business, and people who may make new ones', async () => {
    const bob = ['--account', 'bob@example.com'];
    expect(await cli.json(['manager', 'add', ...bob, '--business', ID])).toEqual({
      account_id: UUID,
      business_id: ID,
    });
    expect(await cli.json(['manager', 'add', ...bob, '--new-stores'])).toEqual({
      account_id: UUID,
      new_stores: true,
    });
    expect(await cli.json(['manager', 'list'])).toMatchObject({
      managers: [{ email: 'bob@example.com', business_id: ID }],
      new_stores: [{ email: 'bob@example.com' }],
    });
    const listed = await cli.run(['manager', 'list']);
    expect(listed.stdout).toContain('(may make new stores)');
    await cli.json(['manager', 'remove', ...bob, '--business', ID]);
    await cli.json(['manager', 'remove', ...bob, '--new-stores']);
    expect(await cli.json(['manager', 'list'])).toEqual({ managers: [], new_stores: [] });
    for (const role of [[], ['--business', ID, '--new-stores']]) {
      const { status, stderr } = await cli.run(['manager', 'add', ...bob, ...role]);
      expect([status, stderr]).toEqual([1, expect.stringContaining('say either --business')]);
    }
  });

  it('takes a business away at once', async () => {
    const revoke = ['account', 'revoke', '--account', 'ada@example.com', '--business', ID];
    expect(await cli.json(revoke)).toEqual({ account_id: UUID, business_id: ID });
    const { status, stdout } = await callAs('ada@example.com', ID);
    expect(status).toBe(1);
    expect(JSON.parse(stdout)).toEqual({
      error: 'account is not assigned to this business',
      hint: expect.stringContaining('list_businesses'),
    });
  });

  it('refuses a folder with a bad row, unless that many may be left out', async () => {
    const folder = join(cli.folder, 'bad');
    mkdirSync(folder);
    writeFileSync(join(folder, 'products.csv'), 'external_product_id,name,price\nA,Good,1\nB,Bad,a lot\n');
    const refused = await cli.runAlone(['import', ID, folder, '--json']);
    expect(refused.status).toBe(1);
    expect(JSON.parse(refused.stdout)).toMatchObject({
      error: expect.any(String),
      tables: { products: { read: 2, rejected: 1 } },
      rejects_file: expect.any(String),
    });
    const broken = join(cli.folder, 'broken.csv');
    writeFileSync(
      broken,
      'Name,Total,Currency,Created at,Lineitem name\n#1,10,CZK,2026-01-05 10:00:00 +0100\n',
    );
    const dryRun = await cli.run(['import', ID, broken, '--dry-run']);
    expect(dryRun.stdout).toMatch(/^Shopify orders, CSV export of the admin +1 +1 /m);
    expect(dryRun.stderr).toContain('1 of 1 row is bad');
    expect(dryRun.stderr).toContain('missing columns (4 instead of 5)');
    const allowed = await cli.run(['import', ID, broken, '--dry-run', '--max-rejects', '1']);
    expect(allowed.stdout).toContain('Note: 1 of 1 row is bad and left out\n');
    const told = { '1': { added: 1, unchanged: 0 }, '50%': { added: 0, unchanged: 1 } };
    for (const [max, products] of Object.entries(told)) {
      expect(
        await cli.json(['import', ID, folder, '--format', 'canonical', '--max-rejects', max]),
      ).toMatchObject({
        tables: { products: { read: 2, loaded: 1, rejected: 1, replaced: 0, ignored: 0, deleted: 0 } },
        changes: { products: { ...products, changed: 0, removed: 0 } },
        rejects_file: expect.stringContaining(ID),
      });
    }
    const again = await cli.run(['import', ID, folder, '--max-rejects', '1', '--dry-run']);
    expect(again.stdout).toMatch(
      /^table +read +loaded +new +changed +unchanged +rejected .*\nproducts +2 +1 +0 +0 +1 +1 /m,
    );
    expect(again.stdout).toContain('Nothing is new: all 1 of the rows were there already, unchanged\n');
  });

  it('shows the snapshots, and serves an earlier one', async () => {
    const { snapshots } = await cli.json(['snapshot', 'list', ID]);
    const [newest, before] = snapshots as { snapshot: string; is_served: boolean }[];
    expect(newest?.is_served).toBe(true);
    expect(await cli.json(['snapshot', 'rollback', ID])).toEqual({
      business_id: ID,
      snapshot: before?.snapshot,
    });
    expect(await cli.json(['snapshot', 'rollback', ID, '--to', String(newest?.snapshot)])).toEqual({
      business_id: ID,
      snapshot: newest?.snapshot,
    });
  });

  it('shows how large a snapshot is, what it holds, what its import brought and how it was built', async () => {
    const { snapshots } = await cli.json(['snapshot', 'list', ID]);
    const [newest = {}, , first] = snapshots as Record<string, unknown>[];
    expect(newest).toMatchObject({
      bytes: expect.any(Number),
      shared_bytes: expect.any(Number),
      rows: { orders: expect.any(Number), customers: expect.any(Number), products: expect.any(Number) },
      imported: { products: 1 },
      build: { kind: 'whole', reason: 'the store is small', affected_persons: null },
    });
    expect(Number(newest.bytes)).toBeGreaterThan(Number(newest.shared_bytes));
    expect(Number(newest.shared_bytes)).toBeGreaterThan(0);
    expect(first).toMatchObject({ rows: { orders: (newest.rows as { orders: number }).orders } });
    const { stdout } = await cli.run(['snapshot', 'list', ID]);
    expect(stdout).toMatch(/ MB .* 1 products .* whole: the store is small/);
  });

  it('shows a snapshot that the control database does not know, and adopts or removes it', async () => {
    const { snapshots } = await cli.json(['snapshot', 'list', ID]);
    const [served] = snapshots as { snapshot: string }[];
    const folder = join(cli.folder, 'data', 'businesses', ID, 'snapshots');
    for (const copy of ['one', 'two']) {
      cpSync(join(folder, String(served?.snapshot)), join(folder, copy), { recursive: true });
    }
    expect(await cli.json(['snapshot', 'list', ID])).toMatchObject({ unknown: ['two', 'one'] });
    expect((await cli.run(['snapshot', 'list', ID])).stdout).toContain('does not know these in');
    expect(await cli.json(['snapshot', 'remove', ID, 'one'])).toEqual({ business_id: ID, removed: 'one' });
    const { snapshot } = await cli.json(['snapshot', 'adopt', ID, 'two']);
    expect(await cli.json(['snapshot', 'list', ID])).toMatchObject({
      snapshots: [{ snapshot, is_served: true, is_here: true }, { is_here: true }, { is_here: true }],
      unknown: [],
    });
  });

  it('changes the attribution windows and says so in the answers', async () => {
    const { attribution_windows_h } = await cli.json(['business', 'update', ID, '--open-window', '0']);
    expect(attribution_windows_h).toEqual({ click: 168, open: 0, delivery: 0 });
    const range = { from_date: '2024-01-01T00:00:00', to_date: '2024-01-31T23:59:59' };
    const args = JSON.stringify({ business_id: ID, ...range });
    expect(await cli.json(['call', 'email_revenue_statistics', args])).toMatchObject({
      attribution_open_window_h: 0,
      attribution_click_window_h: 168,
    });
  });

  it('sets a VAT rate, without which gross profit is not known, and takes it back', async () => {
    const update = (rate: string) => ['business', 'update', ID, '--vat-rate', rate];
    const profit = async () => {
      const range = { from_date: '2023-01-01T00:00:00', to_date: '2025-12-31T23:59:59' };
      const args = JSON.stringify({ business_id: ID, ...range, sort_by: 'estimated_gross_profit', limit: 1 });
      const { products } = await cli.json(['call', 'product_statistics', args]);
      const [best] = products as { estimated_gross_profit: number }[];
      return Number(best?.estimated_gross_profit);
    };
    expect(await profit()).toBe(0);
    expect(await cli.json(update('0'))).toMatchObject({ vat_rate: 0, changed: ['vat_rate'] });
    const withoutVat = await profit();
    expect(await cli.json(update('5.5'))).toMatchObject({ vat_rate: 5.5, changed: ['vat_rate'] });
    expect(await profit()).toBeGreaterThan(0);
    expect(await profit()).toBeLessThan(withoutVat);
    expect(await cli.json(update('5.50'))).toMatchObject({ changed: [], snapshot: null });
    expect(await cli.json(update('none'))).toMatchObject({ vat_rate: null, changed: ['vat_rate'] });
    expect(await profit()).toBe(0);
    for (const wrong of ['21%', '-1', '100.01', '101', '21.555']) {
      expect((await cli.run(update(wrong))).stderr).toContain(
        `--vat-rate ${wrong} must be a rate in percent, 0 to 100 with at most two decimals, for example 21, or none`,
      );
    }
  });

  it('changes the time zone, says what changed, and a rollback takes it back', async () => {
    const update = ['business', 'update', ID, '--timezone', 'America/New_York'];
    const updated = await cli.json(update);
    expect(updated).toMatchObject({
      business_id: ID,
      timezone: 'America/New_York',
      primary_currency: 'CZK',
      attribution_windows_h: { click: 168, open: 0, delivery: 0 },
      changed: ['timezone'],
      snapshot: expect.any(String),
      notes: expect.arrayContaining([expect.stringContaining('read, in Europe/Prague')]),
    });
    expect(await cli.json(update)).toMatchObject({ changed: [], snapshot: null, notes: [] });
    expect((await cli.run(['business', 'update', ID])).stderr).toContain('say what to change');
    const { snapshots } = await cli.json(['snapshot', 'list', ID]);
    expect(snapshots).toMatchObject([
      { snapshot: updated.snapshot, build: { kind: 'whole', reason: 'settings of the business changed' } },
      {},
      {},
    ]);
    await cli.json(['snapshot', 'rollback', ID]);
    expect(await cli.json(['business', 'list'])).toMatchObject({
      businesses: [{ business_id: ID, timezone: 'Europe/Prague' }, {}],
    });
  });

  it('speaks to people without --json', async () => {
    const [businesses, answer] = await Promise.all([
      cli.runAlone(['business', 'list']),
      cli.runAlone(['call', 'list_businesses']),
    ]);
    expect(businesses.stdout).toMatch(/^business_id +name +link +timezone +primary_currency\n/);
    expect(businesses.stdout).toContain('Zweiter Laden');
    expect(answer.stdout).toContain('"name": "Shop"');
  });
});
