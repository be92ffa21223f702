import type { Business } from '../../../src/business/business.ts';
import { emptyStore, type Store } from '../../oracle/store.ts';
import type { TestInstance } from '../../support/test-instance.ts';

/** What no answer may have: ids and texts of persons of the one store, and whatever is of the other one. */
export const SECRETS = [
  ...[
    'jana-novakova',
    'petr-svoboda',
    'kunde-4711',
    'besuch-4711',
    'Novakova-Attribut',
    'tag-von-jana',
    '1980-02-29',
  ],
  ...['andere-domain', 'Nachbar', 'fremd'],
] as const;

function storeOf(
  name: string,
  orders: readonly (readonly [id: string, profile: string, total: string, country: string])[],
): Store {
  return {
    ...emptyStore({ timezone: 'Europe/Prague', primary_currency: 'CZK' }),
    profiles: [...new Set(orders.map(([, profile]) => profile))].map((profile_id, index) => ({
      profile_id,
      email: `${profile_id}@andere-domain.example`,
      external_customer_id: `kunde-4711-${index}`,
      birthday: '1980-02-29',
      attributes: '{"surname": "Novakova-Attribut"}',
      tags: 'tag-von-jana',
    })),
    products: [{ external_product_id: `${name}-p`, name: `${name} tent`, price: '10', brand: name }],
    orders: orders.map(([order_id, profile_id, total, country]) => ({
      order_id,
      profile_id,
      email: `${profile_id}@andere-domain.example`,
      visitor_id: 'besuch-4711',
      ordered_at: '2026-01-01T12:00:00',
      total,
      country,
      currency: 'CZK',
      coupon_codes: 'A|B',
    })),
    order_items: orders.map(([order_id, , total]) => ({
      order_id,
      line_no: '1',
      external_product_id: `${name}-p`,
      quantity: '1',
      unit_price: total,
    })),
  };
}

/** A store that is asked, and another one of the same server. */
export async function twoStores(test: TestInstance): Promise<readonly [Business, Business]> {
  const shop = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
  const other = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
  await test.importStore(
    shop,
    storeOf('Own', [
      ['o1', 'jana-novakova', '100.25', 'CZ'],
      ['o2', 'jana-novakova', '200.25', 'CZ'],
      ['o3', 'petr-svoboda', '50', 'SK'],
    ]),
  );
  await test.importStore(other, storeOf('Nachbar', [['fremd', 'jana-novakova', '1', 'XX']]));
  return [shop, other];
}
