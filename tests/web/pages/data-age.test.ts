import { expect, it } from 'vitest';
import { messagesIn } from '../../../src/messages/messages.ts';
import { daysOld, oldDataWarning } from '../../../src/web/pages/data-age.ts';

const NOW = Date.parse('2026-11-28T12:00:00Z');

it.each([
  ['2026-09-30T21:34:00Z', 59],
  ['2026-11-13T12:00:00Z', 15],
  ['2026-11-14T12:00:00Z', null],
  ['2026-11-28T11:00:00Z', null],
  ['2026-12-24T11:00:00Z', null],
  [null, null],
])('of a store whose newest order is of %s, %s days are told', (newest, days) => {
  expect(daysOld(newest, 'UTC', NOW)).toBe(days);
});

it('days are those of the store: in Auckland the order was a day later', () => {
  expect(daysOld('2026-11-01T12:00:00Z', 'Pacific/Auckland', NOW)).toBe(27);
  expect(daysOld('2026-11-01T10:00:00Z', 'Pacific/Auckland', NOW)).toBe(28);
});

it('the warning is in the language of the page, and none where data are new', () => {
  const german = String(oldDataWarning('2026-09-30T12:00:00Z', 'UTC', messagesIn('de-DE'), NOW));
  expect(german).toContain('Die neueste Bestellung ist vom 30. September 2026, vor 59 Tagen.');
  expect(oldDataWarning('2026-11-27T12:00:00Z', 'UTC', messagesIn('de-DE'), NOW)).toBeNull();
});
