import { expect, it } from 'vitest';
import { shownNames, unknownAmong } from '../../src/answers/existing-names.ts';
import { hiddenNotes } from '../../src/answers/small-groups.ts';
import { longAnswer } from '../../src/asking/long-answer.ts';
import { CATALOGUE } from '../../src/catalogue.ts';
import type { DrawnStore } from '../../src/charts/drawn-store.ts';
import { noteInWords } from '../../src/charts/notes-in-words.ts';
import { withoutCustomerNotes } from '../../src/domains/orders/queries/orders-without-customer.ts';

const STORE: DrawnStore = {
  name: 'Shop',
  currency: 'EUR',
  timezone: 'Europe/Prague',
  locale: 'en-GB',
  data_until: null,
  history_starts_at: null,
};

/** What all orders are, of which some have no customer. */
const ALL = { all_orders_count: 50, all_revenue: 150_000 };

const [tool] = CATALOGUE;
const long = tool && longAnswer(tool, {}, 1_000_000);

it.each([
  ['who asks', long?.note ?? '', null],
  [
    'what is hidden, which a picture that shows it says itself',
    hiddenNotes([{ is_hidden: true }])[0] ?? '',
    null,
  ],
  [
    'days that are not loaded, of which pictures draw no zeros',
    "Orders are loaded to 2026-09-30T21:43:36Z; what the range has after that is not known yet: its zeros are not the store's.",
    'Orders are loaded to 30 Sept 2026, 23:43; what the range has after that is not known yet.',
  ],
  [
    'names, which stay as they are',
    `Unknown in external_product_ids, so without rows: ${shownNames(['P00007', 'snow_shoe "L", null'])}`,
    'Unknown in external product ids, so without rows: P00007, snow_shoe "L", null',
  ],
  [
    'names that are listed as well',
    unknownAmong({ brands: ['snow_shoe', 'worth 5 EUR'] }, { brands: ['x'] })[0] ?? '',
    'Unknown in brands, so without rows: x; there are snow_shoe, worth €5.',
  ],
  [
    'amounts',
    withoutCustomerNotes([{ ...ALL, orders_count: 44, revenue: 135933.5 }], 'EUR')[0] ?? '',
    '44 orders worth €135,933.50 have no known customer: they count in orders and revenue, in no number about customers.',
  ],
  ['amounts of another currency', 'They are worth 5 CZK.', 'They are worth 5 CZK.'],
  [
    'moments',
    'Loaded to 2026-09-30T21:43:36Z; zeros after it are unknown.',
    'Loaded to 30 Sept 2026, 23:43; zeros after it are unknown.',
  ],
])('writes notes for people: %s', (_of, note, told) => {
  expect(note).not.toBe('');
  expect(noteInWords(note, STORE)).toBe(told);
});

it('writes amounts of a store without a currency as they are', () => {
  const note = withoutCustomerNotes([{ ...ALL, orders_count: 1, revenue: 5 }], null)[0] ?? '';
  expect(noteInWords(note, { ...STORE, currency: null })).toBe(note);
});
