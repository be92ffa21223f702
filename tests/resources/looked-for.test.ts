import { expect, it } from 'vitest';
import { ALL_GROUPS } from '../../src/business/tool-groups.ts';
import { instructionsOf } from '../../src/mcp/instructions.ts';
import { RESOURCES } from '../../src/resources/all-resources.ts';

/**
 * What two readers with fresh eyes looked for in vain, while they answered a merchant's and a marketer's
 * questions.
 */
it.each([
  ['how orders of lift are counted', 'treated_conversion_rate', 'within 7 days'],
  ['how incremental orders are counted', 'incremental_orders', 'Orders within 7 days of people sent to'],
  [
    'whose reports a spam rate counts',
    'external_spam_rate?',
    'Marked as spam by Gmail readers .* no source tells of spam folders',
  ],
  ['what goods_value is', 'dimension', 'goods_value: revenue less shipping, so after discounts and with VAT'],
  ['whether journeys without an order begin with a channel', 'first_touch_count', 'bought or not'],
  ['whether journeys without an order end with a channel', 'last_touch_count', 'bought or not'],
  ['what is opened in an SMS', 'attribution_open_window_h', 'E-mail opens so long before an order'],
])('resources tell %s', (_, name, told) => {
  const lines = RESOURCES.flatMap(({ text }) => text.split('\n'));
  const own = lines.filter((line) => (line.split(':')[0] ?? '').split(', ').includes(name));
  expect(own.join('\n')).toMatch(new RegExp(told));
});

it('instructions write a range out', () => {
  expect(instructionsOf(ALL_GROUPS)).toContain('inclusive, 2026-03-01 to 2026-03-31; or its times');
});
