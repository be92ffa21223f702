import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CommandLine } from './command-line.ts';

/** The tests run in order, on one data folder. */
const ID = '5f0c2a4e-1111-4222-8333-444455556667';

let cli: CommandLine;

beforeAll(async () => {
  cli = await CommandLine.openShared();
  await cli.json(['business', 'create', '--name', 'Shop', '--currency', 'CZK', '--id', ID]);
});

afterAll(() => cli[Symbol.asyncDispose]());

const run = (...args: string[]) => cli.run(['business', 'assumptions', ...args]);

describe.sequential('business assumptions', () => {
  let assumption_id = '';

  it('says that nothing is assumed', async () => {
    expect(await run('list', ID)).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^Nothing is assumed/),
    });
  });

  it('adds one, for programs and for people', async () => {
    const added = await cli.json([
      ...['business', 'assumptions', 'add', ID, 'payment_fee', '--percent', '1.4', '--amount', '3'],
      ...['--payment-method', 'Card', '--from', '2026-01-01'],
    ]);
    expect(added).toEqual({
      business_id: ID,
      assumption: {
        assumption_id: expect.any(String),
        kind: 'payment_fee',
        per: 'order',
        percent: 1.4,
        amount: 3,
        currency: 'CZK',
        from_day: '2026-01-01',
        payment_method: 'Card',
        shipping_method: null,
        country: null,
      },
    });
    ({ assumption_id } = added.assumption as { assumption_id: string });
    const { stdout } = await run('add', ID, 'packaging', '--amount', '12.5', '--from', '2026-02-01');
    expect(stdout).toMatch(/^Shop: packaging is 12.5 CZK of an order from 2026-02-01 on \([0-9a-f]{8}\)\n$/);
  });

  it('lists them', async () => {
    const { stdout } = await run('list', ID);
    const [names, ...rows] = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ {2,}/));
    expect(names).toEqual(['assumption_id', 'kind', 'from_day', 'rate', 'of']);
    expect(rows.map((row) => row.slice(1))).toEqual([
      ['packaging', '2026-02-01', '12.5 CZK of an order', 'all'],
      ['payment_fee', '2026-01-01', '1.4 % and 3 CZK of an order', 'Card'],
    ]);
    const { assumptions } = await cli.json(['business', 'assumptions', 'list', ID]);
    expect(assumptions).toMatchObject([{ kind: 'packaging' }, { kind: 'payment_fee', percent: 1.4 }]);
  });

  it('says what is wrong, and what to do', async () => {
    const twice = await run('add', ID, 'packaging', '--amount', '15', '--from', '2026-02-01');
    expect(twice.status).toBe(1);
    expect(twice.stderr).toMatch(
      /^storesight: from 2026-02-01 on, packaging is 12.5 CZK of an order already/,
    );
    expect(twice.stderr).toContain(`business assumptions remove ${ID} `);
    const negative = await run('add', ID, 'packaging', '--amount=-1', '--from', '2026-03-01');
    expect(negative.stderr).toMatch(/^storesight: --amount -1 must be a number from 0/);
    expect((await run('add', ID, 'packaging', '--amount', '1')).stderr).toMatch(/--from/);
    expect((await run('list', 'no-such')).stderr).toMatch(/there is no business no-such/);
  });

  it('removes one', async () => {
    expect(await cli.json(['business', 'assumptions', 'remove', ID, assumption_id])).toEqual({
      business_id: ID,
      removed: assumption_id,
    });
    expect((await run('remove', ID, assumption_id)).stderr).toMatch(/there is no assumption/);
  });
});
