import { expect, it } from 'vitest';
import { isTimezone } from '../../src/business/timezone.ts';
import { localDate, readMoment } from '../../src/time/moment.ts';

it.each(['PST', 'CST', 'BST', 'IST', '+01:00', 'Prague', '', 'UTC+1', 'Z'])('%s is no time zone', (name) => {
  expect(isTimezone(name)).toBe(false);
});

it('dates are read and told in every time zone that exists', () => {
  const names = ['UTC', 'utc', 'GMT', 'EST', 'EST5EDT', 'US/Eastern', 'Asia/Calcutta', 'europe/prague'];
  for (const name of [...names, ...Intl.supportedValuesOf('timeZone')]) {
    expect(isTimezone(name), name).toBe(true);
    const { instant } = readMoment('from_date', '2026-07-01T12:00:00', name, 'from');
    expect(localDate(instant.toString(), name).toString(), name).toBe('2026-07-01');
  }
});
