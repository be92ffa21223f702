import { describe, expect, it } from 'vitest';
import { withoutPersons } from '../../src/live/landing/without-persons.ts';
import { hashKey, keyedHash } from '../../src/store/keyed-hash.ts';

const secret = Buffer.alloc(32, 7);
const business = {
  ...{ business_id: '5a3c0d6e-1f7e-4a38-9d0e-6b1a53a5d1f0', name: 'Shop', link: null },
  ...{ timezone: 'Europe/Prague', primary_currency: 'CZK' },
};
const key = hashKey(secret, business.business_id);
const clean = withoutPersons(secret, business);

describe('a row on the disk', () => {
  it('has hashes instead of addresses and numbers, and no names and streets', () => {
    const order = {
      id: 450789469,
      name: '#1001',
      email: ' Jana.Nova@Example.com ',
      phone: '601 234 567',
      note: 'ring twice',
      browser_ip: '192.0.2.7',
      total_price: '1299.00',
      created_at: '2026-11-20T10:00:00+01:00',
      customer: {
        id: 207119551,
        first_name: 'Jana',
        last_name: 'Nová',
        email_marketing_consent: { state: 'subscribed' },
      },
      shipping_address: {
        name: 'Jana Nová',
        address1: 'Dlouhá 12',
        city: 'Praha',
        zip: '110 00',
        country_code: 'CZ',
      },
      line_items: [{ sku: '601 234 567', name: 'Tričko', price: '1299.00', quantity: 1 }],
      landing_site: '/?utm_source=mail&email=jana.nova%40example.com',
    };
    expect(clean(order)).toEqual({
      id: 450789469,
      name: '#1001',
      email: `~${keyedHash(key, 'jana.nova@example.com')}@example.com`,
      phone: `~${keyedHash(key, '+420601234567')}:CZ`,
      note: null,
      browser_ip: null,
      total_price: '1299.00',
      created_at: '2026-11-20T10:00:00+01:00',
      customer: {
        id: 207119551,
        first_name: null,
        last_name: null,
        email_marketing_consent: { state: 'subscribed' },
      },
      shipping_address: { name: null, address1: null, zip: null, country_code: 'CZ' },
      line_items: [{ sku: '601 234 567', name: 'Tričko', price: '1299.00', quantity: 1 }],
      landing_site: expect.not.stringContaining('jana'),
    });
  });

  it('keeps what is called like something of a person and is not', () => {
    const event = {
      'Client Name': 'Gmail',
      'Email Domain': 'example.com',
      $message: 'm1',
      product_name: 'Mug',
    };
    expect(clean(event)).toEqual(event);
  });

  it('keeps ids that are addresses apart, as a file does', () => {
    expect(clean({ external_id: 'jana@example.com' })).toEqual({
      external_id: keyedHash(key, 'jana@example.com'),
    });
  });

  it('cannot be made to look like a hash by what a customer writes', () => {
    const stolen = keyedHash(key, 'victim@example.com');
    const { email, phone, other } = clean({
      email: `~${stolen}@example.com`,
      phone: `~${stolen}:CZ`,
      other: `~~${stolen}:CZ`,
    }) as Record<string, string>;
    expect(email).not.toContain(stolen);
    expect(phone).not.toContain(stolen);
    expect(other).not.toMatch(new RegExp(`~${stolen}`));
  });
});
