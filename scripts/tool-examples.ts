import type { Tool } from '../src/answers/tool.ts';

/** The made shop of the demo. */
export const MADE_SHOP = '0a11e7a1-0000-4000-8000-000000000002';
const MONTH = { from_date: '2026-09-01T00:00:00', to_date: '2026-09-30T23:59:59' };
const QUARTER = { ...MONTH, from_date: '2026-07-01T00:00:00' };

/** A question to the made shop: what a merchant would ask after September 2026. */
export function exampleArguments({ scope, input, example = {} }: Tool): Record<string, unknown> {
  if (scope === 'account') return {};
  const isRangeNeeded = input.shape.from_date?.safeParse(undefined).success === false;
  const range = 'breakdown' in example ? QUARTER : MONTH;
  return { business_id: MADE_SHOP, ...(isRangeNeeded ? range : {}), ...example };
}
