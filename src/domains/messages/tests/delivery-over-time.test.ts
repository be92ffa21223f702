import { afterAll, beforeAll, expect, it } from 'vitest';
import { emptyStore, type Row, type Store } from '../../../../tests/oracle/store.ts';
import { createTestInstance, type TestInstance } from '../../../../tests/support/test-instance.ts';
import type { Business } from '../../../business/business.ts';
import { countryPeriods } from '../queries/sms-delivery.ts';

/** How delivery went over time: expected numbers are counted from the raw rows, by loops. */
let test: TestInstance;
let shop: Business;
let manyCountries: Business;

const PROVIDERS: Readonly<Record<string, string>> = {
  ...{ 'gmail.com': 'gmail', 'seznam.cz': 'seznam', 'own.example': 'other' },
};
const DOMAINS = Object.keys(PROVIDERS);
const MONTHS = ['2024-01', '2024-02', '2024-03', '2024-04'];

interface Mail {
  readonly send_id: string;
  readonly domain: string;
  readonly month: string;
  readonly outcome: string;
  readonly isOpened: boolean;
  readonly isComplained: boolean;
}

/**
 * Seznam blocks in February; nothing is sent in March. Each month's last mail leaves a minute before midnight
 * of Prague.
 */
const MAILS: readonly Mail[] = Array.from({ length: 900 }, (_, index) => {
  const month = ['2024-01', '2024-02', '2024-04'][index % 3] ?? '';
  const domain = DOMAINS[Math.floor(index / 3) % 4] ?? 'gmail.com';
  const isBlocked = domain === 'seznam.cz' && month === '2024-02' && index % 4 === 0;
  const outcome = isBlocked ? 'block' : index % 41 === 0 ? 'hard' : index % 43 === 0 ? 'soft' : 'delivered';
  const isThere = outcome === 'delivered';
  return {
    ...{ send_id: `s${index}`, domain, month, outcome },
    ...{ isOpened: isThere && index % 5 === 0, isComplained: isThere && index % 101 === 0 },
  };
});
const LAST_DAY: Readonly<Record<string, string>> = {
  ...{
    '2024-01': '2024-01-31T22:59:00Z',
    '2024-02': '2024-02-29T22:59:00Z',
    '2024-04': '2024-04-30T21:59:00Z',
  },
};

const COUNTRIES = ['CZ', 'CZ', 'CZ', 'SK', 'DE'];

function storeOf(sms: readonly { country: string; sent_at: string; outcome: string; cost: string }[]): Store {
  const sentAt = ({ month, send_id }: Mail) =>
    Number(send_id.slice(1)) < 3 ? LAST_DAY[month] : `${month}-10T08:00:00Z`;
  return {
    ...emptyStore({ timezone: 'Europe/Prague', primary_currency: 'CZK' }),
    campaigns: [
      ...['targeted-emailing', 'targeted-sms'].map((campaign_type) => ({
        ...{ campaign_id: campaign_type, campaign_type, name: campaign_type, state: 'sent' },
        created_at: '2024-01-01T00:00:00Z',
      })),
    ],
    messages: [
      { message_id: 'mail', campaign_id: 'targeted-emailing', channel: 'email', subject: 'News' },
      { message_id: 'text', campaign_id: 'targeted-sms', channel: 'sms', text: 'News' },
    ],
    sends: [
      ...MAILS.map((mail) => ({
        ...{ send_id: mail.send_id, message_id: 'mail', email: `${mail.send_id}@${mail.domain}` },
        ...{ sent_at: sentAt(mail), outcome: mail.outcome },
      })),
      ...sms.map(({ country, ...row }, index) => ({
        ...{
          send_id: `sms${index}`,
          message_id: 'text',
          email: `t${index}@x.cz`,
          sms_country: country,
          ...row,
        },
      })),
    ],
    message_events: MAILS.flatMap((mail) => {
      const event = (kind: string): Row<'message_events'> => ({
        ...{ event_id: `${kind}-${mail.send_id}`, send_id: mail.send_id, kind, at: '2024-05-02T12:00:00Z' },
      });
      return [...(mail.isOpened ? [event('open')] : []), ...(mail.isComplained ? [event('complaint')] : [])];
    }),
  };
}

const TEXTS = Array.from({ length: 120 }, (_, index) => ({
  country: COUNTRIES[index % 5] ?? '',
  sent_at: `2024-0${[1, 1, 2, 4][index % 4]}-15T08:00:00Z`,
  outcome: index % 7 === 0 ? 'failed' : 'delivered',
  cost: index % 2 === 0 ? '0.5' : '',
}));

beforeAll(async () => {
  test = await createTestInstance();
  shop = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
  await test.importStore(shop, storeOf(TEXTS));
  manyCountries = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
  const codes = ['AT', 'BE', 'BG', 'CZ', 'DE', 'DK', 'EE', 'ES', 'FI', 'FR', 'GB', 'HU'];
  const texts = codes.flatMap((country, index) =>
    Array.from({ length: index + 5 }, () => ({
      ...{ country, sent_at: '2024-02-15T08:00:00Z', outcome: 'delivered', cost: '' },
    })),
  );
  await test.importStore(manyCountries, storeOf(texts));
});

afterAll(() => test[Symbol.asyncDispose]());

const RANGE = { from_date: '2024-01-05T00:00:00', to_date: '2024-04-30T23:59:59' };
const percent = (part: number, whole: number) =>
  whole === 0 ? null : Math.round((1_000_000 * part) / whole) / 10_000;

interface Period {
  readonly period: string;
  readonly key: string;
  readonly country: string;
}
interface Answer {
  readonly rows: readonly Period[];
  readonly periods: readonly Period[] | null;
  readonly country_periods: readonly Period[] | null;
}
const run = async (tool: string, args: object, { business_id } = shop) => {
  const { result, notes } = await test.run(tool, { business_id, ...RANGE, ...args });
  return { notes, ...(result as Answer) };
};

function expectedPeriod(period: string, key: string) {
  const own = MAILS.filter(
    ({ month, domain }) => month === period && (key === '(all)' || PROVIDERS[domain] === key),
  );
  const count = (isMeant: (mail: Mail) => boolean) => own.filter(isMeant).length;
  const soft = count(({ outcome }) => outcome !== 'delivered' && outcome !== 'hard');
  const hard = count(({ outcome }) => outcome === 'hard');
  const delivered = own.length - hard - soft;
  return {
    ...{ period, period_start: `${period}-01`, key, sent_count: own.length, hard_bounces_count: hard },
    ...{ soft_bounces_count: soft, block_bounces_count: count(({ outcome }) => outcome === 'block') },
    delivery_rate: percent(delivered, own.length),
    bounce_rate: percent(hard + soft, own.length),
    open_rate: percent(
      count(({ isOpened }) => isOpened),
      delivered,
    ),
    // Nobody's machine opened anything.
    machine_open_share: percent(
      0,
      count(({ isOpened }) => isOpened),
    ),
    unsubscribe_rate: percent(0, delivered),
    spam_complaints_count: count(({ isComplained }) => isComplained),
    spam_complaint_rate: percent(
      count(({ isComplained }) => isComplained),
      delivered,
    ),
  };
}

it('deliverability has every period of the whole and of each provider of the page', async () => {
  const { periods, rows } = await run('email_deliverability_statistics', { breakdown: 'month' });
  const keys = rows.map(({ key }) => key);
  expect([...keys].sort()).toEqual(['gmail', 'other', 'seznam']);
  const expected = MONTHS.flatMap((month) => ['(all)', ...keys].map((key) => expectedPeriod(month, key)));
  expect((periods ?? []).map(({ status: _, ...period }: Period & { status?: string }) => period)).toEqual(
    expected,
  );
  // A quarter of Seznam's was blocked in February, which is bad only where 200 were sent.
  const ofFebruary = (key: string) => periods?.find((one) => one.period === '2024-02' && one.key === key);
  expect(ofFebruary('(all)')).toMatchObject({ status: 'bad' });
  expect(ofFebruary('seznam')).toMatchObject({ status: 'not_enough_data' });
  const one = await run('email_deliverability_statistics', { breakdown: 'month', limit: 1 });
  expect(one.periods?.map(({ key }) => key)).toEqual(MONTHS.flatMap(() => ['(all)', keys[0]]));
});

it('only bounced messages are in the periods of bounce reasons', async () => {
  const args = { breakdown: 'month', group_by: 'bounce_reason' };
  const { periods } = await run('email_deliverability_statistics', args);
  const blocked = (month: string) =>
    MAILS.filter((mail) => mail.month === month && mail.outcome === 'block').length;
  expect(periods?.filter(({ key }) => key === 'block')).toMatchObject(
    MONTHS.map((period) => ({
      period,
      sent_count: blocked(period),
      delivery_rate: blocked(period) > 0 ? 0 : null,
    })),
  );
});

it('periods that nobody asks for are left out, and too many are refused', async () => {
  expect((await run('email_deliverability_statistics', {})).periods).toBeNull();
  await expect(run('email_deliverability_statistics', { breakdown: 'day', limit: 1000 })).rejects.toThrow(
    'the range gives more than 5000 rows; use a coarser breakdown',
  );
});

it('SMS have the periods in which anything was sent to a country, the largest first', async () => {
  const { country_periods } = await run('sms_channel_statistics', { breakdown: 'month' });
  const expected = MONTHS.flatMap((period) =>
    ['CZ', 'DE', 'SK'].flatMap((country) => {
      const own = TEXTS.filter((text) => text.country === country && text.sent_at.startsWith(period));
      if (own.length === 0) return [];
      const costs = own.filter(({ cost }) => cost !== '').length / 2;
      const row = {
        ...{
          period,
          period_start: `${period}-01`,
          country,
          sent_count: own.length,
          segments_count: own.length,
        },
        cost: costs === 0 ? null : costs,
        delivery_rate: percent(own.filter(({ outcome }) => outcome === 'delivered').length, own.length),
      };
      return [row];
    }),
  );
  expect(country_periods).toEqual(expected);
  expect((await run('sms_channel_statistics', {})).country_periods).toBeNull();
});

it('providers with few e-mails on a day are among the others on all days, and another one with them', async () => {
  // Gmail alone got an e-mail in the last minute of January, and one of February.
  const range = { from_date: '2024-01-31T00:00:00', to_date: '2024-02-29T23:59:59' };
  const days = { ...range, breakdown: 'day', group_by: 'recipient_domain' };
  const { periods, rows, notes } = await run('email_deliverability_statistics', days);
  expect(rows.map(({ key }) => key).sort()).toEqual(DOMAINS.toSorted());
  expect([...new Set(periods?.map(({ key }) => key))]).toEqual(['(all)', 'seznam.cz', '(other)']);
  const february = MAILS.filter(({ month }) => month === '2024-02');
  const others = february.filter(({ domain }) => domain !== 'seznam.cz');
  const ofOthers = periods?.filter(({ key }) => key === '(other)') as (Period & { sent_count: number })[];
  expect(
    ofOthers.filter(({ sent_count }) => sent_count > 0).map((one) => [one.period, one.sent_count]),
  ).toEqual([
    ['2024-01-31', 1],
    ['2024-02-10', others.length - 1],
    ['2024-02-29', 1],
  ]);
  expect(notes?.at(-1)).toBe(
    'In periods, these are in (other), since some of them are of under 5 people in some period: ["gmail.com","own.example"]. A coarser breakdown shows more.',
  );
});

it('providers with few e-mails outside of the range, in a period that it cuts, are among the others in periods: they are the difference', async () => {
  // The last minute of February, in which one person got one, is not of the range.
  const range = { from_date: '2024-02-01T00:00:00', to_date: '2024-02-29T23:58:00' };
  const months = { ...range, breakdown: 'month', group_by: 'recipient_domain' };
  const { periods, rows } = await run('email_deliverability_statistics', months);
  expect(rows.map(({ key }) => key)).toContain('gmail.com');
  expect(periods?.map(({ key }) => key)).not.toContain('gmail.com');
});

it('countries after the ten largest are one, and what would be too long is left out with a note', async () => {
  const { country_periods } = await run('sms_channel_statistics', { breakdown: 'month' }, manyCountries);
  const february = country_periods?.filter(({ period }) => period === '2024-02');
  expect(february?.map(({ country }) => country)).toEqual([
    'HU',
    'GB',
    'FR',
    'FI',
    'ES',
    'EE',
    'DK',
    'DE',
    'CZ',
    'BG',
    '(other)',
  ]);
  // Austria and Belgium.
  expect(february?.at(-1)).toMatchObject({ sent_count: 5 + 6 });
  const list = Array.from({ length: 500 }, (_, day) => ({ period: `${day}`, period_start: `${day}` }));
  const buckets = list.flatMap(({ period_start }) =>
    Array.from({ length: 11 }, (_, place) => ({ period_start, country: `C${place}`, sent_count: 1 })),
  );
  const tooLong = countryPeriods({ list } as never, buckets as never);
  expect(tooLong).toEqual({
    periods: null,
    notes: ['country_periods would have more than 5000 rows; use a coarser breakdown.'],
  });
});
