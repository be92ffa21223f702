import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addDays } from '../oracle/periods.ts';
import { emptyStore } from '../oracle/store.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';

/**
 * A shop that sells and writes e-mails on each day from January to June 2026. Refunds are loaded from April
 * on, opens until March, consents from May on, visits from March on. The data end on 30 June at 13:30.
 */
let test: TestInstance;
let business_id: string;

const DAYS = Array.from({ length: 181 }, (_, index) => addDays('2026-01-01', index));
const isFrom = (day: string, first: string, last = '2026-06-30') => day >= first && day <= last;

beforeAll(async () => {
  test = await createTestInstance();
  const business = await test.createBusiness({ timezone: 'UTC', currency: 'EUR' });
  business_id = business.business_id;
  const at = (day: string) => (day === '2026-06-30' ? `${day}T13:30:00Z` : `${day}T22:30:00Z`);
  const many = <Row>(first: string, last: string, row: (day: string) => Row) =>
    DAYS.filter((day) => isFrom(day, first, last)).map(row);
  await test.importStore(business, {
    ...emptyStore({ timezone: 'UTC', primary_currency: 'EUR' }),
    orders: DAYS.map((day) => ({
      ...{ order_id: day, email: `${day}@example.com`, ordered_at: at(day), total: '100', status: 'paid' },
    })),
    refunds: many('2026-04-01', '2026-06-30', (day) => ({
      ...{ refund_id: day, order_id: day, refunded_at: at(day), amount: '10' },
    })),
    sessions: many('2026-03-01', '2026-06-30', (day) => ({
      ...{ session_id: day, visitor_id: day, started_at: at(day), source: 'google' },
    })),
    campaigns: [
      {
        ...{ campaign_id: 'c', campaign_type: 'targeted-emailing', name: 'C', state: 'finished' },
        created_at: '2026-01-01T00:00:00Z',
      },
    ],
    messages: [{ message_id: 'm', campaign_id: 'c', channel: 'email', subject: 'Hi' }],
    sends: DAYS.map((day) => ({
      ...{ send_id: day, message_id: 'm', email: `${day}@example.com`, sent_at: `${day}T08:00:00Z` },
      outcome: 'delivered',
    })),
    message_events: many('2026-01-01', '2026-03-31', (day) => ({
      ...{ event_id: day, send_id: day, kind: 'open', at: `${day}T09:00:00Z` },
    })),
    consent_events: many('2026-05-01', '2026-06-30', (day) => ({
      ...{ event_id: day, email: `${day}@example.com`, channel: 'email', state: 'subscribed' },
      at: `${day}T09:00:00Z`,
    })),
  });
});

afterAll(() => test[Symbol.asyncDispose]());

async function notesOf(tool: string, from_date: string, to_date: string, more: object = {}) {
  const store = tool === 'query_metrics' ? { business_ids: [business_id] } : { business_id };
  return (await test.run(tool, { ...store, from_date, to_date, ...more })).notes ?? [];
}

const REFUNDS = (part: string) =>
  `Refunds are loaded from 2026-04-01 to 2026-06-30, which is ${part} of the range: what was paid back on the other days is unknown and not 0, so what is left looks too good.`;
const OPENS = (part: string) =>
  `Opens of e-mails are loaded from 2026-01-01 to 2026-03-31, which is ${part} of the range: opens of what was sent on the other days are unknown and not 0, so rates of all of it are too low.`;
const CONSENTS = (part: string) =>
  `Consents are loaded from 2026-05-01 to 2026-06-30, which is ${part} of the range: who subscribed or left on the other days is unknown, so changes of these days are no growth and no loss.`;
const isOfPart = (note: string) => note.includes('of the range: ') || note.includes('compared range: ');

describe('the loaded part of the range', () => {
  const half = ['2026-01-01', '2026-06-30'] as const;

  it.each([
    ['refunds', 'order_statistics', {}, REFUNDS],
    ['refunds', 'query_metrics', { metrics: ['revenue_after_refunds'] }, REFUNDS],
    ['opens', 'email_channel_statistics', { breakdown: 'month' }, OPENS],
    ['opens', 'query_metrics', { metrics: ['email_open_rate'] }, OPENS],
    ['consents', 'subscriber_statistics', {}, CONSENTS],
  ] as const)('is told first of %s in %s', async (_, tool, more, note) => {
    const notes = await notesOf(tool, ...half, more);
    expect(notes.filter(isOfPart)).toContain(note('a part'));
    expect(notes.indexOf(note('a part'))).toBeLessThan(2);
  });

  it('is empty where the range lies outside', async () => {
    expect(await notesOf('order_statistics', '2026-01-01', '2026-02-28')).toContain(REFUNDS('no day'));
    const opens = { metrics: ['email_open_rate'] };
    expect(await notesOf('query_metrics', '2026-05-01', '2026-05-31', opens)).toContain(OPENS('no day'));
  });

  it('is not told where all of the range has it, or for what is not asked', async () => {
    expect((await notesOf('order_statistics', '2026-04-01', '2026-06-29')).filter(isOfPart)).toEqual([]);
    const revenue = { metrics: ['revenue', 'email_clicks_count'] };
    expect((await notesOf('query_metrics', ...half, revenue)).filter(isOfPart)).toEqual([]);
  });

  it('is told of the compared range', async () => {
    const more = { metrics: ['revenue_after_refunds'], compare: 'range' };
    const compared = { compare_from_date: '2026-01-01', compare_to_date: '2026-01-31' };
    expect(await notesOf('query_metrics', '2026-05-01', '2026-05-31', { ...more, ...compared })).toContain(
      REFUNDS('no day').replace('the range', 'the compared range'),
    );
  });

  it('is told of visits that nothing is divided by', async () => {
    const note =
      'Sessions are loaded from 2026-03-01 on, within the range: of the days before nothing is known.';
    expect(await notesOf('query_metrics', ...half, { metrics: ['sessions_count'] })).toContain(note);
    expect(
      await notesOf('query_metrics', '2026-03-01', '2026-06-30', { metrics: ['sessions_count'] }),
    ).not.toContain(note);
  });
});

it('tells nothing of consents in a store without orders', async () => {
  const business = await test.createBusiness({ timezone: 'UTC', currency: 'EUR' });
  await test.importStore(business, {
    ...emptyStore({ timezone: 'UTC', primary_currency: 'EUR' }),
    consent_events: DAYS.slice(0, 40).map((day) => ({
      ...{ event_id: day, email: `${day}@example.com`, channel: 'email', state: 'subscribed' },
      at: `${day}T09:00:00Z`,
    })),
  });
  const range = { from_date: '2026-01-01', to_date: '2026-06-30' };
  const { notes = [] } = await test.run('subscriber_statistics', {
    ...{ business_id: business.business_id, ...range },
  });
  expect(notes.filter(isOfPart)).toEqual([]);
});

it('tells which e-mails can still get orders', async () => {
  const isOfYoung = (note: string) => note.includes('can still get orders');
  const asked = {
    metrics: ['emails_sent_count', 'email_attributed_revenue', 'email_mature_conversion_rate'],
  };
  // A click may be a week old.
  expect((await notesOf('query_metrics', '2026-06-01', '2026-06-30', asked)).filter(isOfYoung)).toEqual([
    'E-mails sent from 2026-06-23 on can still get orders: email_attributed_revenue of these is too low, so compare email_mature_conversion_rate of query_metrics, or an earlier range.',
  ]);
  expect((await notesOf('query_metrics', '2026-06-01', '2026-06-22', asked)).filter(isOfYoung)).toEqual([]);
  const sent = { metrics: ['emails_sent_count', 'email_open_rate'] };
  expect((await notesOf('query_metrics', '2026-06-01', '2026-06-30', sent)).filter(isOfYoung)).toEqual([]);
});

describe('the last day, within which the data end', () => {
  const both =
    '2026-06-30 may not be whole: on it, orders until 13:30, sessions until 13:30 are loaded. Do not compare it with whole days.';
  const orders = both.replace(', sessions until 13:30', '');
  const isOfDay = (note: string) => note.includes('may not be whole');

  it.each([
    ['order_statistics_trend', { breakdown: 'day' }, orders],
    ['session_statistics_trend', { breakdown: 'day' }, both],
    ['query_metrics', { metrics: ['revenue'], group_by: ['day'] }, orders],
    ['query_metrics', { metrics: ['revenue'], compare: 'previous_period' }, orders],
    ['explain_change', { metric: 'orders_count', compare: 'previous_period' }, both],
  ] as const)('is told by %s with %o', async (tool, more, note) => {
    expect((await notesOf(tool, '2026-06-01', '2026-06-30', more)).filter(isOfDay)).toEqual([note]);
    expect((await notesOf(tool, '2026-05-01', '2026-05-29', more)).filter(isOfDay)).toEqual([]);
  });

  it('is told where rows are weeks, as by trends', async () => {
    const notes = await notesOf('query_metrics', '2026-06-01', '2026-06-30', {
      ...{ metrics: ['revenue'], group_by: ['week'] },
    });
    expect(notes).toContain(
      'The week from 2026-06-29 holds 2 of 7 days of orders, which are loaded until 2026-06-30: do not compare it with whole ones.',
    );
  });
});
