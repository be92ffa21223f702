import { expect, it } from 'vitest';
import { ENGLISH } from '../../../src/messages/messages.ts';
import { readAsked } from '../../../src/overview/asked-overview.ts';
import { daysOfPeriod } from '../../../src/overview/page-periods.ts';
import { seasonNote } from '../../../src/web/pages/season.ts';

const FROM_2024 = '2024-01-01T00:00:00Z';

function note(query: Readonly<Record<string, string>>, historyStartsAt: string | null, path: string | null) {
  const asked = readAsked(query);
  const store = {
    ...{ name: 'A shop', currency: 'EUR', timezone: 'UTC', locale: 'en-GB' },
    data_until: '2026-09-30T12:00:00Z',
    history_starts_at: historyStartsAt,
  };
  const found = seasonNote(path, { asked, ...daysOfPeriod(asked, '2026-09-30'), store }, ENGLISH);
  return found === null ? null : String(found);
}

it('whoever compares with the days before is led to the year before', () => {
  const found = note({ period: '90d', show: 'orders' }, FROM_2024, '/overview');
  expect(found).toContain('The days before may be of another season.');
  expect(found).toContain('href="/overview?period=90d&amp;compare=year&amp;show=orders"');
});

it('on paper it is said without a link, and where the year before is not loaded, that it is not', () => {
  expect(note({}, FROM_2024, null)).toBe('<p class="detail">The days before may be of another season.</p>');
  expect(note({}, '2025-09-02T00:00:00Z', '/overview')).toContain('the year before is not loaded');
  expect(note({}, '2025-09-01T00:00:00Z', '/overview')).toContain('compare=year');
});

it.each([{ compare: 'year' }, { compare: 'none' }, { period: 'year' }])('nothing is said of %j', (query) => {
  expect(note(query, FROM_2024, '/overview')).toBeNull();
});
