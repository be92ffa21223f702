import { describe, expect, it } from 'vitest';
import { findBusiness } from '../../src/control/businesses/businesses.ts';
import { bringFiles, type FileOfForm, titleOf } from './upload-person.ts';
import {
  ada,
  bring,
  check,
  HEADER,
  openUploadShop,
  order,
  publish,
  revenue,
  shop,
  test,
} from './upload-shop.ts';

/** A person brings orders in a currency that the store does not count in. */
openUploadShop();

describe('orders in another currency than the store', () => {
  const ABROAD: FileOfForm = [
    'orders_export_1.csv',
    HEADER +
      order(1001, '2026-03-05 15:40:14 +0100', 'USD') +
      order(1002, '2026-03-06 09:00:00 +0100', 'USD', '22.50'),
  ];
  const currency = async () => (await findBusiness(test.instance.control, shop.business_id)).primary_currency;

  it('are asked about with buttons before anything is published: their currency becomes the store’s', async () => {
    const asked = await check(await bring(ABROAD));
    expect(titleOf(asked)).toBe('One question before we continue');
    expect(asked.text).toContain('2 of 2 orders are in USD, and the store counts in EUR');
    expect(asked.text).toContain('Make USD the currency of the store');
    expect(asked.text.indexOf('Make USD')).toBeLessThan(asked.text.indexOf('eurofxref-hist.zip'));
    expect((await ada.browser.post(`${asked.url}/publish`, {})).status).toBe(409);
    const checked = await check(asked, { 'store-currency': 'USD' });
    expect(titleOf(checked)).toBe('Check and publish');
    expect(checked.text).toContain('the store counts in USD from now on');
    expect(await currency()).toBe('EUR');
    expect(titleOf(await publish(checked))).toBe('Published');
    expect(await currency()).toBe('USD');
    expect(await revenue()).toBe(32.5);
  });

  it('or count by the rates of a file that is added', async () => {
    const asked = await check(await bring(ABROAD));
    const more = await bringFiles(ada, `${asked.url}/files`, [
      ['fx_rates.csv', 'date,currency,rate\n2026-03-05,USD,0.5\n'],
    ]);
    expect(titleOf(await publish(await check(more)))).toBe('Published');
    expect(await currency()).toBe('EUR');
    expect(await revenue()).toBe(16.25);
  });

  it('or wait for rates, and an answer can be taken back', async () => {
    const asked = await check(await bring(ABROAD));
    const kept = await check(asked, { 'store-currency': 'keep' });
    expect(titleOf(kept)).toBe('Check and publish');
    expect(kept.text).toContain('without an exchange rate to EUR: 2 orders of 32.5 USD');
    expect(titleOf(await check(kept, { 'store-currency': '', has_field: 'store-currency' }))).toBe(
      'One question before we continue',
    );
  });
});
