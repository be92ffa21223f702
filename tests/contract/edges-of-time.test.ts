// The first and the last moment that a date can be written with, with any offset, in zones far east and far
// west.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { CATALOGUE } from '../../src/catalogue.ts';
import { InputError } from '../../src/errors.ts';
import { emptyStore } from '../oracle/store.ts';
import { everyThirdInQuick, isQuick } from '../support/runs.ts';
import { sampleArguments } from '../support/sample-arguments.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';

const ZONES = ['Europe/Prague', 'Pacific/Kiritimati', 'Pacific/Pago_Pago'];
const LAST = [
  '9999-12-31T23:59:59-14:00',
  '9999-12-31T23:59:59.999999999-23:59',
  '9999-12-31',
  '9999-12-31T23:59:59Z',
];
const FIRST = [
  '0001-01-01T00:00:00+14:00',
  '0001-01-01T00:00:00+23:59',
  '0001-01-01',
  '0001-01-01T00:00:00Z',
];

let test: TestInstance;
const shops = new Map<string, string>();

beforeAll(async () => {
  test = await createTestInstance();
  for (const timezone of ZONES) {
    const business = await test.createBusiness({ timezone, currency: 'USD' });
    shops.set(timezone, business.business_id);
    await test.importStore(business, {
      ...emptyStore({ timezone, primary_currency: 'USD' }),
      orders: [{ order_id: 'a', ordered_at: '2024-05-01T10:00:00', total: '10', visitor_id: 'v' }],
      campaigns: [
        {
          ...{ campaign_id: 'C1', name: 'C1', campaign_type: 'popup', state: 'active' },
          created_at: '2024-05-01T00:00:00',
        },
      ],
      sessions: [{ session_id: 's', visitor_id: 'v', started_at: '2024-05-01T09:59:00' }],
    });
  }
});

afterAll(() => test[Symbol.asyncDispose]());

/** The answer, or the error that was written for the caller. */
async function outcomeOf(tool: string, args: object, zone: string): Promise<unknown> {
  const call = { ...sampleArguments(tool, shops.get(zone) as string), ...args };
  const outcome = await test.ask(tool, call).catch((error: unknown) => error);
  if (outcome instanceof Error) expect(outcome, JSON.stringify(args)).toBeInstanceOf(InputError);
  return outcome;
}

/** `npm test` takes each third tool. */
const ranged = everyThirdInQuick(CATALOGUE.filter(({ input }) => 'to_date' in input.shape));
const hasPeriods = ({ shape }: { readonly shape: object }) =>
  'breakdown' in shape || 'cohort_period' in shape;

/** Each tool gets one zone in `npm test`, and the next tool the next zone. */
const zonesFor = (place: number) => (isQuick ? [ZONES[place % ZONES.length] as string] : ZONES);

describe.each(ranged.map(({ name, input }, place) => [name, hasPeriods(input), zonesFor(place)] as const))(
  '%s',
  (tool, isOfPeriods, zones) => {
    it.each(zones)(
      'answers ranges at the first and the last day that can be written, in the time zone %s',
      async (zone) => {
        for (const [index, to_date] of LAST.entries()) {
          if (isQuick && index > 1) break;
          const from_date = isOfPeriods ? '9999-12-01' : (FIRST[index] as string);
          expect(await outcomeOf(tool, { from_date, to_date }, zone)).toMatchObject({
            business_id: shops.get(zone),
          });
        }
        for (const from_date of isQuick ? FIRST.slice(0, 1) : FIRST)
          expect(await outcomeOf(tool, { from_date, to_date: '0001-01-20' }, zone)).toMatchObject({
            business_id: shops.get(zone),
          });
      },
    );
  },
);

it.each(ZONES)(
  'a range of all time in %s contains the order, whichever offsets its ends have',
  async (zone) => {
    for (const [index, from_date] of FIRST.entries())
      expect(await outcomeOf('order_statistics', { from_date, to_date: LAST[index] }, zone)).toMatchObject({
        orders_count: 1,
      });
  },
);

const moments = CATALOGUE.flatMap(({ name, input }) =>
  Object.entries(input.shape).flatMap(([argument, schema]) =>
    (schema as z.ZodType).meta()?.format === 'date-time' || /^(as_of|.*_(from|to))$/.test(argument)
      ? [{ tool: name, argument }]
      : [],
  ),
);

it.each(everyThirdInQuick(moments))(
  '$tool answers or refuses the first and the last moment that can be written as $argument',
  async ({ tool, argument }) => {
    for (const moment of [...LAST, ...FIRST]) await outcomeOf(tool, { [argument]: moment }, 'Europe/Prague');
  },
);

it('a segment query takes the first and the last moment that can be written', async () => {
  for (const moment of [...LAST, ...FIRST])
    for (const period of [{ from: moment }, { to: moment }])
      await outcomeOf(
        'estimate_segment_query',
        { segment_query: { segments: [{ targetingBlocks: [{ type: 'last_activity', period }] }] } },
        'Europe/Prague',
      );
});
