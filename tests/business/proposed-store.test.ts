import { expect, it } from 'vitest';
import { proposedStore } from '../../src/sources/proposed-store.ts';

const WINTER_AND_SUMMER = (winter: string, summer: string) => [
  `2026-01-05 10:00:00 ${winter}`,
  `2026-07-05T10:00:00.000${summer}`,
];
const CASES = [
  ['USD', 'US', WINTER_AND_SUMMER('-0500', '-04:00'), 'America/New_York'],
  ['USD', 'United States', WINTER_AND_SUMMER('-0700', '-0700'), 'America/Phoenix'],
  // One winter alone fits Denver and Phoenix: the larger is proposed, and shown.
  ['USD', 'US', ['2026-01-05 10:00:00 -0700'], 'America/Denver'],
  ['EUR', 'PT', WINTER_AND_SUMMER('+0000', '+0100'), 'Europe/Lisbon'],
  ['CZK', 'CZ', [], 'Europe/Prague'],
  ['CZK', null, ['2026-01-05 10:00:00 +0000'], 'Europe/Prague'],
  // Most orders go abroad, and the clock is that of the shop.
  ['GBP', 'US', WINTER_AND_SUMMER('+0000', '+0100'), 'Europe/London'],
  // Nothing is proposed for several zones, an export in UTC, no moment at all, or a clock of no zone with
  // that currency.
  ['USD', 'US', ['2026-01-05 10:00:00 +0000'], null],
  ['EUR', null, [], null],
  ['EUR', 'US', [], null],
  ['JPY', 'JP', WINTER_AND_SUMMER('-0500', '-0400'), null],
  [null, null, WINTER_AND_SUMMER('-0500', '-0400'), null],
] as const;

it.each(CASES)('%s, %s, %j: %s', (currency, country, moments, timezone) => {
  expect(proposedStore({ currency, country, moments })).toEqual({ timezone, primary_currency: currency });
});

it('takes no currency that does not exist, and no time that is invalid', () => {
  expect(
    proposedStore({ currency: 'XQQ', country: 'CZ', moments: ['2026-02-30 10:00:00 +0100', 'x'] }),
  ).toEqual({
    timezone: null,
    primary_currency: null,
  });
});
